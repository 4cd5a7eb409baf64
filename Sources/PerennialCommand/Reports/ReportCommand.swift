import AppStoreFormats
import ArgumentParser
import Foundation

/// `perennial report`: the reports of an environment's commerce.
struct ReportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        "report", "Print a report of an environment's sales and subscriptions.",
        """
        The reports of Sales and Trends have the columns of Apple's files. A day is a day in Pacific time, as Apple's, \
        and has a report when it is over by the environment's clock.
        """,
        examples: [
            "report sales", "report sales --date 2026-10 --frequency monthly --format csv",
            "report subscription --date 2026-10-03",
        ],
        subcommands: [
            Sales.self, Subscription.self, SubscriptionEvent.self, Subscriber.self, OfferCodeRedemption.self,
            StatisticsCommand.self, Financial.self, Payments.self,
        ])

    struct Sales: ReportFileCommand {
        static let report = ReportLayout.Report.sales
        static let configuration = CommandConfiguration(
            "sales", "Print units, prices and proceeds: Summary Sales.",
            "Without --date it is the newest period that has sales.",
            examples: [
                "report sales --date 2026-10-03", "report sales --date 2026-10-04 --frequency weekly",
                "report sales --date 2026-10-03 --format tsv --output sales.tsv",
            ])

        @OptionGroup var options: ReportOptions

        @Option(help: ArgumentHelp("daily, weekly, monthly or yearly.", valueName: "frequency"))
        var frequency = Frequency.daily

        @OptionGroup var store: StoreOptions

        var query: [String: String?] { options.query.merging(["frequency": frequency.rawValue]) { $1 } }
    }

    struct Subscription: ReportFileCommand {
        static let report = ReportLayout.Report.subscription
        static let configuration = CommandConfiguration(
            "subscription", "Print the active subscriptions at the end of a day.", dailyDiscussion,
            examples: ["report subscription --date 2026-10-03"])

        @OptionGroup var options: ReportOptions
        @OptionGroup var store: StoreOptions
    }

    struct SubscriptionEvent: ReportFileCommand {
        static let report = ReportLayout.Report.subscriptionEvent
        static let configuration = CommandConfiguration(
            "subscription-event", "Print the events of subscriptions on a day.", dailyDiscussion,
            examples: ["report subscription-event --date 2026-10-03"])

        @OptionGroup var options: ReportOptions
        @OptionGroup var store: StoreOptions
    }

    struct Subscriber: ReportFileCommand {
        static let report = ReportLayout.Report.subscriber
        static let configuration = CommandConfiguration(
            "subscriber", "Print the transactions of subscriptions on a day, one a row.",
            dailyDiscussion + " Customers are named by random numbers.",
            examples: ["report subscriber --date 2026-10-03 --format csv"])

        @OptionGroup var options: ReportOptions
        @OptionGroup var store: StoreOptions
    }

    struct OfferCodeRedemption: ReportFileCommand {
        static let report = ReportLayout.Report.offerCodeRedemption
        static let configuration = CommandConfiguration(
            "offer-code-redemption", "Print the redemptions of offer codes for subscriptions on a day.",
            dailyDiscussion, examples: ["report offer-code-redemption --date 2026-10-03"])

        @OptionGroup var options: ReportOptions
        @OptionGroup var store: StoreOptions
    }

    private static let dailyDiscussion = "Without --date it is the report of yesterday, in Pacific time."

    /// The lengths of periods.
    enum Frequency: String, ExpressibleByArgument, CaseIterable {
        case daily, weekly, monthly, yearly
    }
}

/// The options of a report file.
struct ReportOptions: ParsableArguments {
    enum Format: String, ExpressibleByArgument, CaseIterable {
        case table, csv, tsv, json
    }

    @Option(
        help: ArgumentHelp(
            "The day (2026-10-03); of longer periods the Sunday that ends the week, the month (2026-10) or the year.",
            valueName: "date"))
    var date: String?

    @Option(
        name: .customLong("report-version"),
        help: ArgumentHelp("The version of the columns, such as 1_0; the newest if omitted.", valueName: "version"))
    var version: String?

    @Option(help: ArgumentHelp("table, csv, tsv (Apple's file) or json.", valueName: "format"))
    var format = Format.table

    @Option(help: ArgumentHelp("The file to write instead of printing.", valueName: "file"), completion: .file())
    var output: String?

    var query: [String: String?] { ["date": date, "version": version] }
}

/// A command that prints a report file.
protocol ReportFileCommand: StoreCommand {
    static var report: ReportLayout.Report { get }
    var options: ReportOptions { get }
    /// The parameters of the request; those without a value are left out.
    var query: [String: String?] { get }
}

extension ReportFileCommand {
    var query: [String: String?] { options.query }

    func report(from client: StoreClient) async throws -> Report {
        let parameters = query.compactMap { name, value in value.map { "\(name)=\($0.percentEncoded)" } }.sorted()
        let path = "control/v1/reports/\(Self.configuration.commandName ?? "")?\(parameters.joined(separator: "&"))"
        let answer: StoreAnswer<ReportView> = try await client.get(path)
        let text =
            options.format == .json
            ? String(decoding: answer.json, as: UTF8.self)
            : try answer.value.text(options.format, of: Self.report)
        guard let output = options.output else { return Report(words: text, json: answer.json) }
        do {
            try Data((text + "\n").utf8).write(to: URL(filePath: output))
        } catch {
            throw CommandError("\(output) can't be written: \(error.localizedDescription)")
        }
        return Report(words: "\(answer.value.name): \(answer.value.rows.count) rows in \(output)", json: answer.json)
    }
}
