import ArgumentParser
import Perennial
import PerennialStore

/// `perennial billing`: renewal rate, renewals and grace period of subscriptions.
struct BillingCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        "billing", "Show, set and reset the renewal rate, the number of renewals and the grace period.",
        "Of all apps in an environment, or of one. What is not set follows from the app's catalog and the kind of environment.",
        examples: [
            "billing show --app com.example.photomag",
            "billing set --grace-period 16 --environment staging",
            "billing set --renewal-rate monthly-renewal-every-hour --app com.example.photomag",
        ],
        subcommands: [Show.self, Set.self, Reset.self], defaultSubcommand: Show.self)

    struct Show: StoreCommand {
        static let configuration = CommandConfiguration(
            "show", "Show the settings of renewals and billing.", examples: ["billing show"])

        @Option(help: ArgumentHelp("Of this app; the settings for all apps if omitted.", valueName: "bundle-id"))
        var app: String?

        @OptionGroup var store: StoreOptions

        var names: StoreNames { StoreNames(app: app) }

        func report(from client: StoreClient) async throws -> Report {
            let answer: StoreAnswer<BillingSettings> = try await client.get(BillingCommand.path(app))
            return answer.report(\.table)
        }
    }

    struct Set: StoreCommand {
        static let configuration = CommandConfiguration(
            "set", "Set how subscriptions renew.",
            """
            What is left out stays as it is; a renewal rate comes with its own number of renewals. Periods that are paid keep \
            their ends; the next ones follow the settings.
            """,
            examples: [
                "billing set --renewal-rate compressed --maximum-renewals 12",
                "billing set --grace-period 16 --grace-period-scope paid-to-paid-only",
            ])

        @Option(help: ArgumentHelp("Of this app; of all apps if omitted.", valueName: "bundle-id"))
        var app: String?

        @OptionGroup var billing: BillingOptions
        @OptionGroup var store: StoreOptions

        var names: StoreNames { StoreNames(app: app) }

        func report(from client: StoreClient) async throws -> Report {
            let path = BillingCommand.path(app)
            let before: StoreAnswer<BillingSettings> = try await client.get(path)
            let answer: StoreAnswer<BillingSettings> = try await client.put(
                path, billing.settings.merging(before.value))
            return answer.report(\.table)
        }
    }

    struct Reset: DestructiveCommand {
        static let configuration = CommandConfiguration(
            "reset",
            "Remove all settings: renewals and billing follow from the catalog and the kind of environment again.",
            examples: ["billing reset --app com.example.photomag"])

        @Option(help: ArgumentHelp("Of this app; of all apps if omitted.", valueName: "bundle-id"))
        var app: String?

        @OptionGroup var confirmation: ConfirmationOption
        @OptionGroup var store: StoreOptions

        var names: StoreNames { StoreNames(app: app) }

        var question: String { "Remove the settings of renewals and billing of \(app ?? "all apps")?" }

        func report(from client: StoreClient) async throws -> Report {
            let answer: StoreAnswer<BillingSettings> = try await client.put(
                BillingCommand.path(app), BillingSettings())
            return answer.report(\.table)
        }
    }

    static func path(_ app: String?) -> String {
        app.map { "control/v1/apps/\($0.percentEncoded)/billing" } ?? "control/v1/billing"
    }
}

/// The settings of renewals and billing.
struct BillingOptions: ParsableArguments {
    @Option(help: ArgumentHelp("real, compressed, test-flight, or the name of a rate.", valueName: "rate"))
    var renewalRate: RenewalRate?

    @Option(
        help: ArgumentHelp(
            "The renewals after which a subscription of shortened time ends; 0 for no end.", valueName: "count"))
    var maximumRenewals: Int?

    @Option(help: ArgumentHelp("3, 16 or 28 days of grace; 0 for none.", valueName: "days"))
    var gracePeriod: Int64?

    @Option(help: ArgumentHelp("Which renewals are given grace.", valueName: "scope"))
    var gracePeriodScope: BillingPolicy.GraceScope?

    @Flag(inversion: .prefixedNo, help: "Whether renewals fail although the account can pay.")
    var renewalsFail: Bool?

    func validate() throws {
        if let problem = settings.problem { throw ValidationError("\(Self.option(problem.field)): \(problem.reason).") }
    }

    /// Returns the option of a field of control/v1.
    private static func option(_ field: String) -> String {
        switch field {
        case "timeRate": "--renewal-rate"
        case "gracePeriodDays": "--grace-period"
        default: "--" + OptionName.of(field)
        }
    }

    var settings: BillingSettings {
        BillingSettings(
            timeRate: renewalRate, maximumRenewals: maximumRenewals, gracePeriodDays: gracePeriod,
            gracePeriodScope: gracePeriodScope, renewalsFail: renewalsFail)
    }

    /// The settings; `nil` if none is given.
    var said: BillingSettings? { settings == BillingSettings() ? nil : settings }
}

extension BillingSettings {
    /// The settings in words.
    fileprivate var table: String {
        let grace: String? = gracePeriodDays.map { days in
            days == 0 ? "none" : "\(days) days, \((gracePeriodScope ?? .allRenewals).optionName)"
        }
        let renewals = maximumRenewals.map { $0 == Self.withoutEnd ? "without end" : "\($0)" }
        return TerminalTable([
            ("Renewal rate", timeRate?.optionName ?? "as usual"),
            ("Renewals", renewals ?? "as usual"),
            ("Grace period", grace ?? "none"),
            ("Renewals fail", renewalsFail == true ? "yes" : nil),
        ]).text
    }
}
