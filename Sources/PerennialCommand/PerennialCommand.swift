import ArgumentParser
import Foundation

/// `perennial`, the command line: each subcommand parses, configures and runs.
@main
struct PerennialCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "perennial",
        abstract: "An App Store that you run yourself.",
        discussion: """
            Sells, signs, verifies, delivers and restores in-app purchases, and speaks the App Store's own protocols.
            Start with `perennial serve --storekit YourApp.storekit --in-memory`.
            The other commands find the store that runs on this machine; --url, --ready-file, PERENNIAL_URL or \
            PERENNIAL_READY_FILE name another one.
            `perennial --generate-completion-script zsh` (bash, fish) prints completions for your shell.
            """,
        version: Version.current,
        subcommands: [
            Serve.self, Run.self, Deliver.self, Demo.self, Simulate.self, ExerciseCommand.self, CheckCommand.self,
            Seed.self, OpenCommand.self,
            StatusCommand.self,
            SearchCommand.self,
        ],
        groupedSubcommands: [
            CommandGroup(
                name: "Customer",
                subcommands: [
                    AccountsCommand.self, TestersCommand.self, DownloadsCommand.self, Buy.self,
                    TransactionsCommand.self, JournalCommand.self,
                    ReceiptsCommand.self,
                    RefundsCommand.self, AskToBuyCommand.self, InterruptedCommand.self, OfferCodesCommand.self,
                    FamiliesCommand.self,
                ]),
            CommandGroup(
                name: "Subscription",
                subcommands: [
                    SubscriptionsCommand.self, PaymentMethodCommand.self, PriceConsentCommand.self,
                    QuarantineCommand.self,
                ]),
            CommandGroup(
                name: "Store",
                subcommands: [
                    AppsCommand.self, ProductsCommand.self, PricesCommand.self, GroupsCommand.self, OffersCommand.self,
                    PromotedCommand.self, ReviewsCommand.self, EnvironmentsCommand.self, ClockCommand.self,
                    BillingCommand.self, RollUpsCommand.self, NodesCommand.self, ListenCommand.self,
                ]),
            CommandGroup(
                name: "Finance", subcommands: [FinanceCommand.self, Reconcile.self, BooksCommand.self]),
            CommandGroup(name: "Report", subcommands: [ReportCommand.self, ExplainCommand.self]),
            CommandGroup(
                name: "Credential",
                subcommands: [UsersCommand.self, KeysCommand.self, SharedSecretCommand.self, CertificatesCommand.self]),
            CommandGroup(name: "Notification", subcommands: [NotificationsCommand.self]),
            CommandGroup(
                name: "File", subcommands: [CatalogCommand.self, Inspect.self, SnippetsCommand.self]),
        ])

    static func main() async {
        let arguments = Array(CommandLine.arguments.dropFirst())
        do {
            try CommandPath.check(arguments, below: Self.self)
            // The other form first examines every command there is, in debug builds.
            var command = try await asyncParseAsRoot(arguments)
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
        } catch {
            end(with: error, of: arguments)
        }
    }

    /// Reports an error and exits with its code: in JSON for a program, otherwise in ArgumentParser's form.
    private static func end(with error: any Error, of arguments: [String]) -> Never {
        let code = exitCode(for: error)
        let isFailure = !(error is ExitCode) && (code == .validationFailure || code == .failure)
        if UsageError.wantsJSON(arguments), isFailure {
            Terminal.error(UsageError.json(withHints(message(for: error), arguments), code: code))
            exit(withError: code)
        }
        let text = withHints(fullMessage(for: error), arguments)
        guard code != .success, text.hasPrefix(errorLabel) else { exit(withError: error) }
        Terminal.error(Terminal.errors.styled(errorLabel, .red) + text.dropFirst(errorLabel.count))
        exit(withError: code)
    }

    /// Returns an error's text with the values, options and usage that help with these arguments.
    static func withHints(_ text: String, _ arguments: [String]) -> String {
        let text = OptionSuggestion.adding(to: ValueSuggestion.adding(to: text), arguments, below: Self.self)
        return CommandPath.addingUsage(to: text, arguments, below: Self.self)
    }

    private static let errorLabel = "Error:"
}

/// The version of this program.
enum Version {
    static let current = "0.1.0"
}
