import ArgumentParser
import Perennial

/// Why a renewal date is moved, in words.
enum ExtensionReason: String, ExpressibleByArgument, CaseIterable {
    case undeclared
    case satisfaction
    case other
    case serviceIssue = "service-issue"

    var number: Int64 {
        switch self {
        case .undeclared: RenewalExtension.Reason.undeclared.rawValue
        case .satisfaction: RenewalExtension.Reason.customerSatisfaction.rawValue
        case .other: RenewalExtension.Reason.other.rawValue
        case .serviceIssue: RenewalExtension.Reason.serviceIssue.rawValue
        }
    }
}

/// By how much renewal dates are moved, and why.
struct ExtensionOptions: ParsableArguments {
    @Option(help: ArgumentHelp("1 to 90.", valueName: "count"))
    var days: Int64

    @Option(help: "Why.")
    var reason = ExtensionReason.undeclared

    @Option(help: ArgumentHelp("A name of the request, by which it is done once only.", valueName: "identifier"))
    var request: String?

    func validate() throws {
        guard RenewalExtension.days.contains(days) else { throw ValidationError("--days is 1 to 90.") }
    }
}

/// `perennial extend ID --days 10`
struct Extend: SubscriptionAction {
    static let configuration = CommandConfiguration(
        "extend", "Move a subscription's renewal date.",
        "At most twice in 365 days, and only while it is active and paid for.",
        examples: ["extend 2000000000000002 --days 10 --reason service-issue"])
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
        Body(days: wanted.days, reason: wanted.reason.number, requestIdentifier: wanted.request)
    }
}

/// `perennial extend-all PRODUCT --days 10`
struct ExtendAll: StoreCommand {
    static let configuration = CommandConfiguration(
        "extend-all", "Move the renewal dates of all active subscribers of a product.",
        examples: ["extend-all monthly --app com.example.magazine --days 10 --storefront USA --storefront DEU"])

    @Argument(help: "The product's ID.")
    var product: String

    @Option(help: ArgumentHelp("The app's bundle ID.", valueName: "bundle-id"))
    var app: String

    @Option(help: ArgumentHelp("Only there; everywhere where left out.", valueName: "code"))
    var storefront: [String] = []

    @OptionGroup var wanted: ExtensionOptions
    @OptionGroup var store: StoreOptions

    func report(from client: StoreClient) async throws -> Report {
        let answer: StoreAnswer<Answer> = try await client.post(
            "control/v1/apps/\(app.percentEncoded)/extensions",
            Body(
                productId: product, storefronts: storefront, days: wanted.days, reason: wanted.reason.number,
                requestIdentifier: wanted.request), timeout: StoreClient.advanceTimeout)
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
