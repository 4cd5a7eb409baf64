import ArgumentParser
import Perennial
import PerennialStore

/// `perennial explain`: the journal entries behind the figures of reports.
struct ExplainCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        "explain", "Show the sales and rules behind a figure of a report.",
        """
        Lists the journal entries that make the figure, each with its postings and the rules of docs/reference/money.md that made
        them, computes the figure again from them, and says whether it equals the report.
        """,
        examples: [
            "explain transaction 2000000000000002",
            "explain sales --date 2026-10-03 --country US",
        ],
        subcommands: [
            Sales.self, SubscriptionEvent.self, Financial.self, StatisticOfADay.self, OneTransaction.self,
        ])

    /// The options of a figure's list of entries.
    struct Listing: ParsableArguments {
        @Option(help: ArgumentHelp("At most so many entries, 1 to 1000.", valueName: "count"))
        var limit = 20

        @Option(help: ArgumentHelp("The cursor with which the page before ended.", valueName: "cursor"))
        var after: String?

        func validate() throws { try RowLimit.check(limit) }

        var query: [(String, String?)] { [("limit", "\(limit)"), ("after", after)] }
    }

    struct Sales: StoreCommand {
        static let configuration = CommandConfiguration(
            "sales", "Explain a figure of Sales and Trends.",
            """
            Without further options it is the sum of all rows of the date. Days are Pacific days, a week is named by its Sunday.
            """,
            examples: [
                "explain sales", "explain sales --date 2026-10-03 --product com.example.photomag.film.roll",
                "explain sales --date 2026-10 --frequency monthly --country US --column commission",
                "explain sales --from 2026-10-03 --to 2026-10-04 --currency USD",
            ])

        @Option(
            help: ArgumentHelp(
                "As in the report: 2026-10-03, 2026-10 or 2026; the newest with sales if omitted.", valueName: "date"))
        var date: String?

        @Option(
            help: ArgumentHelp("The first day of any span, instead of a date and its frequency.", valueName: "date"))
        var from: String?

        @Option(help: ArgumentHelp("The last day of that span; the first if omitted.", valueName: "date"))
        var to: String?

        @Option(help: "The length of the period.")
        var frequency = Frequency.daily

        @Option(
            help: ArgumentHelp("Only this product's rows; the bundle ID for the app itself.", valueName: "product-id"))
        var product: String?

        @Option(help: ArgumentHelp("Only this country's rows, such as US.", valueName: "code"))
        var country: String?

        @Option(
            help: ArgumentHelp(
                "Only the rows of this kind of device; unknown for those without one.", valueName: "family"))
        var deviceFamily: FigureDevice?

        @Option(help: ArgumentHelp("Only rows of products of this type.", valueName: "type"))
        var type: ProductKind?

        @Option(help: ArgumentHelp("Only rows of this product type identifier, such as IA1.", valueName: "code"))
        var typeIdentifier: String?

        @Option(help: ArgumentHelp("Only sales in this currency, such as USD.", valueName: "code"))
        var currency: String?

        @Option(help: "The column.")
        var column = Column.proceeds

        @OptionGroup var app: AppOption
        @OptionGroup var listing: Listing
        @OptionGroup var store: StoreOptions

        var names: StoreNames { StoreNames(app: app.bundleID, product: product) }

        func report(from client: StoreClient) async throws -> Report {
            try await client.explanation("sales", of: app, query + listing.query)
        }

        private var query: [(String, String?)] {
            [
                ("date", date), ("frequency", frequency.rawValue), ("from", from), ("to", to), ("product", product),
                ("country", country), ("device", deviceFamily?.rawValue), ("kind", type?.type.rawValue),
                ("type", typeIdentifier),
                ("currency", currency), ("column", column.rawValue),
            ]
        }

        enum Frequency: String, CaseIterable, ExpressibleByArgument {
            case daily, weekly, monthly, yearly
        }

        enum Column: String, CaseIterable, ExpressibleByArgument {
            case units, sales, proceeds, tax, commission, refunds
        }
    }

    struct SubscriptionEvent: StoreCommand {
        static let configuration = CommandConfiguration(
            "subscription-event", "Explain a number of the Subscription Event report.",
            examples: ["explain subscription-event --date 2026-10-03"])

        @Option(help: ArgumentHelp("The day of the report; yesterday if omitted.", valueName: "date"))
        var date: String?

        @Option(
            help: ArgumentHelp("An event of the report, such as Renew; all if omitted.", valueName: "name"),
            transform: {
                try NamedValue.find(
                    $0, "an event of the report", in: SubscriptionReportEvent.Name.allCases, named: \.rawValue)
            })
        var event: SubscriptionReportEvent.Name?

        @Option(help: ArgumentHelp("Only this product's events.", valueName: "product-id"))
        var product: String?

        @Option(help: ArgumentHelp("Only this country's events, such as US.", valueName: "code"))
        var country: String?

        @OptionGroup var app: AppOption
        @OptionGroup var listing: Listing
        @OptionGroup var store: StoreOptions

        var names: StoreNames { StoreNames(app: app.bundleID, product: product) }

        func report(from client: StoreClient) async throws -> Report {
            let query = [("date", date), ("event", event?.rawValue), ("product", product), ("country", country)]
            return try await client.explanation("subscription-events", of: app, query + listing.query)
        }
    }

    struct Financial: StoreCommand {
        static let configuration = CommandConfiguration(
            "financial", "Explain a figure of a fiscal month.",
            """
            Without a column it is what is owed: the proceeds of the month's sales, and of late ones of earlier months; in a
            closed month also its adjustments. Other columns name the terms from which they are computed.
            """,
            examples: [
                "explain financial --month 2026-04", "explain financial --month 2026-04 --region US",
                "explain financial --month 2026-04 --region US --column units",
            ])

        @Option(
            help: ArgumentHelp(
                "The fiscal month: 2027-01 is October 2026; open for all that aren't closed.", valueName: "month"))
        var month: String

        @Option(help: ArgumentHelp("Apple's code of a region, such as US or EU; all if omitted.", valueName: "code"))
        var region: String?

        @Option(help: ArgumentHelp("The column; what is owed if omitted.", valueName: "column"))
        var column: PaymentFigure.Column?

        @Option(help: ArgumentHelp("Only amounts in this currency of a column.", valueName: "code"))
        var currency: String?

        @Option(
            name: .customLong("app"),
            help: ArgumentHelp(
                "Only the sales of the app with this bundle ID; all apps if omitted.", valueName: "bundle-id"))
        var bundleID: String?

        @OptionGroup var listing: Listing
        @OptionGroup var store: StoreOptions

        var names: StoreNames { StoreNames(app: bundleID) }

        func report(from client: StoreClient) async throws -> Report {
            let query = [
                ("month", month), ("region", region), ("column", column?.rawValue), ("currency", currency),
                ("bundleId", bundleID),
            ]
            return try await client.explanation("financial", query + listing.query)
        }
    }

    struct StatisticOfADay: StoreCommand {
        static let configuration = CommandConfiguration(
            "statistics", "Explain a column of a statistic, or what a day adds to it.",
            """
            With a column: its value over days, the terms from which it is computed, and the entries behind it. Otherwise each of
            the amounts from which the statistic is computed is explained by its entries of a day; a number that lasts, such as
            that of active subscriptions, by its change.
            """,
            examples: [
                "explain statistics proceeds --date 2026-10-03",
                "explain statistics churn-rate --column rate --from 2026-10-01 --to 2026-10-31",
            ])

        @Argument(help: ArgumentHelp("The statistic, such as proceeds or churn-rate.", valueName: "name"))
        var statistic: Statistic

        @Option(help: ArgumentHelp("The day; yesterday if omitted.", valueName: "date"))
        var date: String?

        @Option(help: ArgumentHelp("A column, such as rate, over the days --from and --to.", valueName: "column"))
        var column: String?

        @Option(help: ArgumentHelp("The first day of a column.", valueName: "date"))
        var from: String?

        @Option(help: ArgumentHelp("The last day of a column; the first if omitted.", valueName: "date"))
        var to: String?

        @Option(help: ArgumentHelp("The currency of a column with money, such as USD.", valueName: "code"))
        var currency: String?

        @OptionGroup var app: AppOption
        @OptionGroup var listing: Listing
        @OptionGroup var store: StoreOptions

        var names: StoreNames { StoreNames(app: app.bundleID) }

        func validate() throws {
            guard column != nil || from == nil && to == nil && currency == nil else {
                throw ValidationError("--from, --to and --currency belong to a --column.")
            }
            guard column == nil || from != nil else { throw ValidationError("A column needs its first day: --from.") }
        }

        func report(from client: StoreClient) async throws -> Report {
            let query: [(String, String?)] = [
                ("bundleId", try await client.app(app.bundleID)), ("statistic", statistic.rawValue), ("date", date),
                ("column", column), ("from", from), ("to", to), ("currency", currency),
            ]
            let answer: StoreAnswer<StatisticAnswer> = try await client.get(
                client.explainPath("statistics", query + listing.query))
            return answer.report(\.words)
        }
    }

    struct OneTransaction: StoreCommand {
        static let configuration = CommandConfiguration(
            "transaction", "Explain all the money of a transaction.",
            "Its journal entries from the sale to refunds, each with its postings and the rows of reports to which it adds.",
            examples: ["explain transaction 2000000000000002"])

        @Argument(help: "The transaction ID.")
        var id: TransactionID

        @OptionGroup var store: StoreOptions

        var names: StoreNames { StoreNames(things: [.transaction(id)]) }

        func report(from client: StoreClient) async throws -> Report {
            let answer: StoreAnswer<TransactionAnswer> = try await client.get("control/v1/explain/transactions/\(id)")
            return answer.report(\.words)
        }
    }
}

extension StoreClient {
    fileprivate func explainPath(_ kind: String, _ query: [(String, String?)]) -> String {
        let parts = query.compactMap { name, value in value.map { "\(name)=\($0.percentEncoded)" } }
        return "control/v1/explain/\(kind)?\(parts.joined(separator: "&"))"
    }

    /// Asks for an explained figure of an app.
    fileprivate func explanation(
        _ kind: String, of app: AppOption, _ query: [(String, String?)]
    ) async throws -> Report {
        try await explanation(kind, [("bundleId", try await self.app(app.bundleID))] + query)
    }

    /// Asks for an explained figure.
    fileprivate func explanation(_ kind: String, _ query: [(String, String?)]) async throws -> Report {
        let answer: StoreAnswer<ExplanationAnswer> = try await get(explainPath(kind, query))
        return answer.report(\.words)
    }
}
