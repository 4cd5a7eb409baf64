import AppStoreFormats
import ArgumentParser
import Perennial

/// What control/v1 says of a subscription.
struct SubscriptionAnswer: Decodable {
    var originalTransactionId: String
    var status: Int64
    var signedTransaction: String
    var signedRenewalInfo: String
}

/// A command that does something to a subscription and says how it stands then.
protocol SubscriptionAction: StoreCommand {
    associatedtype Body: Encodable

    var id: TransactionID { get }
    /// What it is called in the path.
    static var action: String { get }
    var body: Body { get }
}

/// For actions that need no more than their name.
struct NoBody: Encodable {}

extension SubscriptionAction {
    func report(from client: StoreClient) async throws -> Report {
        let answer: StoreAnswer<SubscriptionAnswer> = try await client.post(
            "control/v1/subscriptions/\(id)/\(Self.action)", body)
        return try answer.report { try SubscriptionStanding($0).line }
    }
}

/// The subscription that a command is about.
struct SubscriptionArgument: ParsableArguments {
    @Argument(help: "The subscription: the number of its original transaction.")
    var id: TransactionID
}

/// A subscription in words.
struct SubscriptionStanding {
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

    var table: TextTable {
        TextTable([
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

    /// The status of the App Store Server API, in words, with the date that belongs to it.
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
