import ArgumentParser
import Perennial

/// `perennial subscriptions`: auto-renewable subscriptions.
struct SubscriptionsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        "subscriptions", "List, show, renew, end and change subscriptions.",
        "A subscription is named by the number of its original transaction, which perennial buy prints.",
        examples: [
            "subscriptions list", "subscriptions show 2000000000000002", "subscriptions cancel 2000000000000002",
        ],
        subcommands: [
            List.self, Show.self, Renew.self, Expire.self, Cancel.self, Resume.self, Change.self, Extend.self,
            ExtendAll.self,
        ], defaultSubcommand: List.self)

    struct List: StoreCommand {
        static let configuration = CommandConfiguration(
            "list", "List the subscriptions of an app, newest first.",
            examples: [
                "subscriptions list --account ann@example.com --json", "subscriptions list --state billing-retry",
            ])

        /// A status, in the spelling of the command line.
        enum State: String, NamedArgument {
            case active, expired
            case billingRetry = "billing-retry"
            case gracePeriod = "grace-period"
            case revoked

            var status: SubscriptionStatus {
                switch self {
                case .active: .active
                case .expired: .expired
                case .billingRetry: .billingRetry
                case .gracePeriod: .gracePeriod
                case .revoked: .revoked
                }
            }
        }

        @OptionGroup var app: AppOption

        @Option(help: ArgumentHelp("Only those of this customer.", valueName: "name"))
        var account: String?

        @Option(help: ArgumentHelp("Only those whose newest period is of this product.", valueName: "product-id"))
        var product: String?

        @Option(help: "Only subscriptions in this state.")
        var state: State?

        @OptionGroup var page: PageOptions
        @OptionGroup var store: StoreOptions

        var names: StoreNames { StoreNames(app: app.bundleID, product: product, account: account, isFilter: true) }

        func report(from client: StoreClient) async throws -> Report {
            let query = page.query([
                "account": account, "productId": product, "status": state.map { "\($0.status.rawValue)" },
            ])
            let answer: StoreAnswer<Answer> = try await client.get(
                try await app.path(client, "/subscriptions\(query)"))
            return answer.report { answer in
                ListWords.text(
                    ["SUBSCRIPTION", "ACCOUNT", "PRODUCT", "STATUS", "EXPIRES", "RENEWS"],
                    answer.subscriptions.map(\.cells), next: answer.next, none: "There are no subscriptions")
            }
        }

        private struct Answer: Decodable {
            struct Item: Decodable {
                var originalTransactionId: String
                var account: String
                var productId: String
                var status: Int64
                var expiresDate: String?
                var autoRenewStatus: Bool

                var cells: [String] {
                    [
                        originalTransactionId, account, productId, SubscriptionDescription.word(status),
                        expiresDate ?? "-", autoRenewStatus ? "yes" : "no",
                    ]
                }
            }

            var subscriptions: [Item]
            var next: String?
        }
    }

    struct Show: StoreCommand {
        static let configuration = CommandConfiguration(
            "show", "Show a subscription's status, period and renewal.",
            examples: ["subscriptions show 2000000000000002", "subscriptions show 2000000000000002 --json"])

        @OptionGroup var subscription: SubscriptionArgument
        @OptionGroup var store: StoreOptions

        var names: StoreNames { StoreNames(things: [.subscription(subscription.id)]) }

        func report(from client: StoreClient) async throws -> Report {
            let answer: StoreAnswer<SubscriptionAnswer> = try await client.get(
                "control/v1/subscriptions/\(subscription.id)")
            return try answer.report { try SubscriptionDescription($0).table.text }
        }
    }

    struct Renew: SubscriptionAction {
        static let configuration = CommandConfiguration(
            "renew", "Renew a subscription now, before the end of its period.",
            "The account's payment method is charged: with one that declines, the renewal fails.",
            examples: ["subscriptions renew 2000000000000002"])
        static let action = "renew"

        @OptionGroup var subscription: SubscriptionArgument
        @OptionGroup var store: StoreOptions

        var id: TransactionID { subscription.id }
        var body: EmptyBody { EmptyBody() }
    }

    struct Expire: SubscriptionAction, DestructiveCommand {
        static let configuration = CommandConfiguration(
            "expire", "End a subscription now.", examples: ["subscriptions expire 2000000000000002"])
        static let action = "expire"

        @OptionGroup var subscription: SubscriptionArgument
        @OptionGroup var confirmation: ConfirmationOption
        @OptionGroup var store: StoreOptions

        var id: TransactionID { subscription.id }
        var body: EmptyBody { EmptyBody() }
        var question: String { "End the subscription \(id) now? The rest of its period is lost." }
    }

    struct Cancel: SubscriptionAction {
        static let configuration = CommandConfiguration(
            "cancel", "Turn off a subscription's renewal, as a customer who cancels does.",
            "It runs to the end of its period. To end it at once: perennial subscriptions expire.",
            examples: ["subscriptions cancel 2000000000000002"])
        static let action = "auto-renew"

        @OptionGroup var subscription: SubscriptionArgument
        @OptionGroup var store: StoreOptions

        var id: TransactionID { subscription.id }
        var body: AutoRenewBody { AutoRenewBody(enabled: false) }
    }

    struct Resume: SubscriptionAction {
        static let configuration = CommandConfiguration(
            "resume", "Turn on a subscription's renewal again.", examples: ["subscriptions resume 2000000000000002"])
        static let action = "auto-renew"

        @OptionGroup var subscription: SubscriptionArgument
        @OptionGroup var store: StoreOptions

        var id: TransactionID { subscription.id }
        var body: AutoRenewBody { AutoRenewBody(enabled: true) }
    }

    struct Change: SubscriptionAction {
        static let configuration = CommandConfiguration(
            "change", "Change a subscription to another product of its group.",
            "An upgrade begins at once and refunds what is left of the period; a downgrade begins with the next renewal.",
            examples: ["subscriptions change 2000000000000002 com.example.photomag.magazine.yearly"])
        static let action = "change"

        struct Body: Encodable { var productId: String }

        @OptionGroup var subscription: SubscriptionArgument

        @Argument(help: "The product's ID.")
        var product: String

        @OptionGroup var store: StoreOptions

        var id: TransactionID { subscription.id }
        var body: Body { Body(productId: product) }
        var names: StoreNames { StoreNames(product: product, things: [.subscription(id)]) }
    }
}

/// The body of a change of the renewal preference.
struct AutoRenewBody: Encodable { var enabled: Bool }
