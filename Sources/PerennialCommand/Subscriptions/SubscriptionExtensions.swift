import ArgumentParser
import Perennial

/// The reason for an extension.
enum ExtensionReason: String, NamedArgument {
    case undeclared, satisfaction, other, serviceIssue

    var number: Int64 {
        switch self {
        case .undeclared: RenewalExtension.Reason.undeclared.rawValue
        case .satisfaction: RenewalExtension.Reason.customerSatisfaction.rawValue
        case .other: RenewalExtension.Reason.other.rawValue
        case .serviceIssue: RenewalExtension.Reason.serviceIssue.rawValue
        }
    }
}

/// The length of an extension, and its reason.
struct ExtensionOptions: ParsableArguments {
    @Option(help: ArgumentHelp("1 to 90.", valueName: "count"))
    var days: Int64

    @Option(help: "The reason.")
    var reason = ExtensionReason.undeclared

    @Option(help: ArgumentHelp("Makes repeating harmless: at most 128 characters.", valueName: "key"))
    var idempotencyKey: String?

    func validate() throws {
        guard RenewalExtension.days.contains(days) else { throw ValidationError("--days is 1 to 90.") }
    }
}

extension SubscriptionsCommand {
    struct Extend: SubscriptionAction {
        static let configuration = CommandConfiguration(
            "extend", "Extend a subscription's renewal date.",
            "At most twice in 365 days, and only while it is active and paid for.",
            examples: ["subscriptions extend 2000000000000002 --days 10 --reason service-issue"])
        static let action = "extend"

        struct Body: Encodable {
            var days: Int64
            var reason: Int64
            var requestIdentifier: String?
        }

        @OptionGroup var subscription: SubscriptionArgument
        @OptionGroup var wanted: ExtensionOptions
        @OptionGroup var store: StoreOptions

        var id: TransactionID { subscription.id }
        var body: Body {
            Body(days: wanted.days, reason: wanted.reason.number, requestIdentifier: wanted.idempotencyKey)
        }
    }

    struct ExtendAll: DestructiveCommand {
        static let configuration = CommandConfiguration(
            "extend-all", "Extend the renewal dates of all active subscribers of a product.",
            examples: [
                "subscriptions extend-all com.example.photomag.magazine.monthly --days 10",
                "subscriptions extend-all com.example.photomag.magazine.monthly --days 10 --storefront USA --storefront DEU",
            ])

        @Argument(help: "The product's ID.")
        var product: String

        @OptionGroup var app: AppOption

        @Option(
            help: ArgumentHelp("Only in this storefront; may be repeated; everywhere if omitted.", valueName: "code"))
        var storefront: [String] = []

        @OptionGroup var wanted: ExtensionOptions
        @OptionGroup var confirmation: ConfirmationOption
        @OptionGroup var store: StoreOptions

        var names: StoreNames { StoreNames(app: app.bundleID, things: [.product(product)]) }
        var question: String { "Extend all active subscriptions to \(product) by \(wanted.days) days?" }

        func report(from client: StoreClient) async throws -> Report {
            let answer: StoreAnswer<Answer> = try await client.post(
                try await app.path(client, "/extensions"),
                Body(
                    productId: product, storefronts: storefront, days: wanted.days, reason: wanted.reason.number,
                    requestIdentifier: wanted.idempotencyKey), timeout: StoreClient.advanceTimeout)
            return answer.report { done in
                "\(done.requestIdentifier): \(done.succeededCount) extended, \(done.failedCount) could not be"
            }
        }

        private struct Body: Encodable {
            var productId: String
            var storefronts: [String]
            var days: Int64
            var reason: Int64
            var requestIdentifier: String?
        }

        private struct Answer: Decodable {
            var requestIdentifier: String
            var succeededCount: Int
            var failedCount: Int
        }
    }
}
