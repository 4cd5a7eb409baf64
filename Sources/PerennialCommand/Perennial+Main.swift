import ArgumentParser

/// `perennial`: the command line. Wiring only: each subcommand is a file that parses, configures and runs.
@main
struct PerennialCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "perennial",
        abstract: "An App Store that you run yourself.",
        discussion: """
            Sells, signs, verifies, delivers and restores in-app purchases, and speaks the App Store's own protocols.
            Start with `perennial serve --storekit YourApp.storekit --in-memory`.
            Customers, subscriptions and environments are those of a running store: name its --ready-file, or set \
            PERENNIAL_URL and PERENNIAL_TOKEN.
            `perennial --generate-completion-script zsh` (bash, fish) writes what your shell completes commands with.
            """,
        subcommands: [Serve.self, Deliver.self, Demo.self, Simulate.self],
        groupedSubcommands: [
            CommandGroup(
                name: "Customer",
                subcommands: [
                    AccountCommand.self, Buy.self, Redeem.self, OfferCodesCommand.self, Approvals.self, Approve.self,
                    Decline.self, ReceiptCommand.self, FamilyCommand.self, RefundCommand.self, RequestRefund.self,
                    DeclineRefund.self, ReverseRefund.self, Interruptions.self, Resolve.self, Verify.self,
                ]),
            CommandGroup(
                name: "Subscription",
                subcommands: [
                    SubscriptionCommand.self, Renew.self, Expire.self, Cancel.self, Resume.self, Change.self,
                    DeclinePayments.self, AcceptPayments.self, Consent.self, Extend.self, ExtendAll.self,
                    QuarantineCommand.self, Release.self,
                ]),
            CommandGroup(
                name: "Environment",
                subcommands: [ClockCommand.self, EnvironmentCommand.self, BillingCommand.self, Reset.self]),
            CommandGroup(name: "Product", subcommands: [PriceCommand.self, TakeOffSale.self, PutOnSale.self]),
            CommandGroup(name: "Key", subcommands: [KeysCommand.self, SharedSecretCommand.self]),
            CommandGroup(name: "Notification", subcommands: [NotificationsCommand.self, LintReceiver.self]),
            CommandGroup(
                name: "File", subcommands: [CatalogCommand.self, CertificatesCommand.self, SnippetsCommand.self]),
        ])
}
