import Foundation
import HTTPTypes

/// A page of the customer's purchases, in the order of their changes. `docs/reference/store.md` describes it.
struct ChangesAnswer: Codable, Sendable {
    struct Transaction: Codable, Sendable {
        /// JWS in compact form.
        var signedTransaction: String
        var isFinished: Bool
    }

    struct Subscription: Codable, Sendable {
        var originalTransactionId: String
        var subscriptionGroupId: String
        /// 1…5, as in the App Store Server API.
        var status: Int
        var signedTransaction: String
        var signedRenewalInfo: String
    }

    var transactions: [Transaction]
    var subscriptions: [Subscription]
    var revision: String
    var hasMore: Bool
    /// True on the first page of a list from nothing.
    var isComplete: Bool
    /// The store's clock; `nil` from a store that doesn't say it.
    var date: String?
    /// Time by that clock from which the renewal information may be another one without an event; `nil` for never.
    var validUntil: String?
}

struct RefundOrder: Codable, Sendable {
    var reason: String?
}

struct RefundOrderAnswer: Codable, Sendable {
    var state: String
}

extension StoreProtocolClient {
    /// Returns a page of changes.
    ///
    /// - Parameters:
    ///   - revision: Revision of an earlier page; `nil` for everything.
    ///   - wait: Seconds that the store holds the request until something changed.
    func changes(after revision: String?, wait: Int = 0) async throws -> ChangesAnswer {
        var query = revision.map { ["after=\(URL.escaped($0))"] } ?? []
        if wait > 0 { query.append("wait=\(wait)") }
        return try await call(.get, "store/v1/changes" + (query.isEmpty ? "" : "?" + query.joined(separator: "&")))
    }

    func requestRefund(_ transactionID: UInt64, _ order: RefundOrder) async throws -> RefundOrderAnswer {
        try await call(.post, "store/v1/transactions/\(transactionID)/refund-request", order)
    }
}
