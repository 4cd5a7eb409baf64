import AppStoreFormats
import ArgumentParser
import Perennial

/// A subscription in control/v1.
struct SubscriptionAnswer: Decodable {
    var originalTransactionId: String
    var status: Int64
    var signedTransaction: String
    var signedRenewalInfo: String
}

/// A command that changes a subscription and reports its state.
protocol SubscriptionAction: StoreCommand {
    associatedtype Body: Encodable

    var id: TransactionID { get }
    /// The last component of the path in control/v1.
    static var action: String { get }
    var body: Body { get }
}

/// An empty body.
struct EmptyBody: Encodable {}

extension SubscriptionAction {
    var names: StoreNames { StoreNames(things: [.subscription(id)]) }

    func report(from client: StoreClient) async throws -> Report {
        let answer: StoreAnswer<SubscriptionAnswer> = try await client.post(
            "control/v1/subscriptions/\(id)/\(Self.action)", body)
        return try answer.report { try SubscriptionDescription($0).line }
    }
}

/// The subscription that a command is about.
struct SubscriptionArgument: ParsableArguments {
    @Argument(help: "The subscription: the number of its original transaction.")
    var id: TransactionID
}

/// A subscription in words.
struct SubscriptionDescription {
    private let id: String
    private let status: Int64
    private let transaction: TransactionPayload
    private let renewal: RenewalInfoPayload

    init(_ answer: SubscriptionAnswer) throws {
        id = answer.originalTransactionId
        status = answer.status
        transaction = try Signed.transaction(answer.signedTransaction)
        renewal = try Signed.renewalInfo(answer.signedRenewalInfo)
    }

    /// `2000000000000002 monthly: active until 2026-02-01T00:00:00Z, renews as monthly for USD 4.99`
    var line: String {
        "\(id) \(transaction.productId): \(state), \(future)"
    }

    var table: TerminalTable {
        TerminalTable([
            ("Subscription", id),
            ("Product", transaction.productId),
            ("Status", "\(status), \(state)"),
            ("Transaction", transaction.transactionId),
            ("Began", transaction.purchaseDate.rfc3339),
            ("Ends", transaction.expiresDate?.rfc3339),
            ("Paid", transaction.money?.description),
            ("Future", future),
            ("Price increase", renewal.priceIncreaseStatus.map { $0 == .pending ? "not answered" : "agreed to" }),
        ])
    }

    /// The status of the App Store Server API, in words.
    static func word(_ status: Int64) -> String {
        switch status {
        case 1: "active"
        case 2: "expired"
        case 3: "billing retry"
        case 4: "grace period"
        case 5: "revoked"
        default: "\(status)"
        }
    }

    /// The status with its date, in words.
    private var state: String {
        let end = transaction.expiresDate?.rfc3339 ?? "?"
        switch status {
        case 1: return "active until \(end)"
        case 2: return "expired at \(end)" + (renewal.expirationIntent.map { ", \($0.words)" } ?? "")
        case 3: return "in billing retry since \(end)"
        case 4: return "in its grace period until \(renewal.gracePeriodExpiresDate?.rfc3339 ?? "?")"
        case 5: return "revoked at \(transaction.revocationDate?.rfc3339 ?? "?")"
        default: return "in status \(status)"
        }
    }

    private var future: String {
        guard renewal.autoRenewStatus == .on else { return "does not renew" }
        return "renews as \(renewal.autoRenewProductId)" + (renewal.money.map { " for \($0)" } ?? "")
    }
}

extension RenewalInfoPayload.ExpirationIntent {
    fileprivate var words: String {
        switch self {
        case .customerCancelled: "cancelled by the customer"
        case .billingError: "the payment failed"
        case .priceIncrease: "a higher price was not agreed to"
        case .productUnavailable: "the product was not for sale"
        default: "for another reason"
        }
    }
}
