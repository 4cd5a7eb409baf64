/// The answer to Get Refund History (version 2): the customer's refunds, oldest revocation first.
public struct RefundHistoryResponse: Hashable, Sendable, Codable {
    /// The most transactions in one answer.
    public static let pageSize = 20

    /// Signed transactions; empty where nothing was refunded.
    public var signedTransactions: [String]
    /// The beginning of the next page.
    public var revision: String
    /// True if there is a next page now.
    public var hasMore: Bool

    /// Makes an answer.
    public init(signedTransactions: [String], revision: String, hasMore: Bool) {
        self.signedTransactions = signedTransactions
        self.revision = revision
        self.hasMore = hasMore
    }
}

/// The answer to Get Refund History, version 1: the most recent refunds.
public struct RefundLookupResponse: Hashable, Sendable, Codable {
    /// The most transactions in the answer.
    public static let maximumCount = 50

    /// Signed transactions, newest revocation first; empty where nothing was refunded.
    public var signedTransactions: [String]

    /// Makes an answer.
    public init(signedTransactions: [String]) { self.signedTransactions = signedTransactions }
}
