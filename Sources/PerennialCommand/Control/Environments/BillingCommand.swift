import ArgumentParser
import Perennial

/// `perennial billing`: how subscription time and billing run.
struct BillingCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        "billing", "Show or set how subscription time and billing run: pace, renewals, grace.",
        "In an environment of all apps, or of one. What is not said there follows from the app's catalog and the kind of environment.",
        examples: [
            "billing show --app com.example.magazine",
            "billing set --grace-period-days 16 --environment staging",
            "billing set --time-rate monthlyRenewalEveryHour --app com.example.magazine",
        ],
        subcommands: [Show.self, Set.self], defaultSubcommand: Show.self)

    struct Show: StoreCommand {
        static let configuration = CommandConfiguration(
            "show", "Show how subscription time and billing run.", examples: ["billing show"])

        @Option(help: ArgumentHelp("Of this app; what is said of all apps where left out.", valueName: "bundle-id"))
        var app: String?

        @OptionGroup var store: StoreOptions

        func report(from client: StoreClient) async throws -> Report {
            let answer: StoreAnswer<BillingSettings> = try await client.get(BillingCommand.path(app))
            return answer.report(\.table)
        }
    }

    struct Set: StoreCommand {
        static let configuration = CommandConfiguration(
            "set", "Set how subscription time and billing run.",
            "Takes the place of all that was set before. Periods that are sold keep their ends; the next ones follow.",
            examples: [
                "billing set --time-rate compressed --maximum-renewals 12",
                "billing set --grace-period-days 16 --grace-period-scope PAID_TO_PAID_ONLY",
            ])

        @Option(help: ArgumentHelp("Of this app; of all where left out.", valueName: "bundle-id"))
        var app: String?

        @OptionGroup var billing: BillingOptions
        @OptionGroup var store: StoreOptions

        func report(from client: StoreClient) async throws -> Report {
            let answer: StoreAnswer<BillingSettings> = try await client.put(
                BillingCommand.path(app), billing.settings)
            return answer.report(\.table)
        }
    }

    static func path(_ app: String?) -> String {
        app.map { "control/v1/apps/\($0.percentEncoded)/billing" } ?? "control/v1/billing"
    }
}

/// What can be said about subscription time and billing.
struct BillingOptions: ParsableArguments {
    @Option(help: ArgumentHelp("real, compressed, testFlight, or the name of a rate.", valueName: "pace"))
    var timeRate: SubscriptionPace?

    @Option(help: ArgumentHelp("After how many renewals compressed time ends; 0 for never.", valueName: "count"))
    var maximumRenewals: Int?

    @Option(help: ArgumentHelp("3, 16 or 28 days of grace; 0 for none.", valueName: "days"))
    var gracePeriodDays: Int64?

    @Option(help: ArgumentHelp("Which renewals are given grace.", valueName: "scope"))
    var gracePeriodScope: BillingPolicy.GraceScope?

    @Flag(inversion: .prefixedNo, help: "Whether renewals fail though the account can pay.")
    var renewalsFail: Bool?

    func validate() throws {
        if let problem = settings.problem { throw ValidationError("\(problem.field): \(problem.reason).") }
    }

    var settings: BillingSettings {
        BillingSettings(
            timeRate: timeRate, maximumRenewals: maximumRenewals, gracePeriodDays: gracePeriodDays,
            gracePeriodScope: gracePeriodScope, renewalsFail: renewalsFail)
    }

    /// `nil` where nothing is said.
    var said: BillingSettings? { settings == BillingSettings() ? nil : settings }
}

extension BillingSettings {
    /// In words, for people.
    fileprivate var table: String {
        let grace: String? = gracePeriodDays.map { days in
            days == 0 ? "none" : "\(days) days, \((gracePeriodScope ?? .allRenewals).rawValue)"
        }
        let renewals = maximumRenewals.map { $0 == Self.withoutEnd ? "without end" : "\($0)" }
        return TextTable([
            ("Time rate", timeRate?.rawValue ?? "as usual"),
            ("Renewals", renewals ?? "as usual"),
            ("Grace period", grace ?? "none"),
            ("Renewals fail", renewalsFail == true ? "yes" : nil),
        ]).text
    }
}
