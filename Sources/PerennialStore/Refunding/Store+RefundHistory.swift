import AppStoreFormats
import Perennial
import PerennialStorage

/// A page of a customer's refunds.
package struct RefundHistory: Hashable, Sendable {
    /// Oldest revocation first.
    package var transactions: [Transaction]
    /// Where the next page begins.
    package var revision: String
    package var hasMore: Bool

    package init(transactions: [Transaction], revision: String, hasMore: Bool) {
        self.transactions = transactions
        self.revision = revision
        self.hasMore = hasMore
    }
}

extension Store {
    /// The revision before everything.
    private static let firstRevision = "0"

    /// A page of what was refunded to the customer of a transaction.
    ///
    /// - Parameter revision: Of the page before; `nil` for the first.
    /// - Throws: ``ServerAPIError`` 4000005 for a revision that is none, 4040010 for an unknown transaction.
    package func refundHistory(
        ofCustomerOf id: TransactionID, in app: App, after revision: String?
    ) async throws -> RefundHistory {
        let place = try Self.refundPosition(revision)
        let found = try await database.read { [self] connection in
            try TransactionsTable.refunded(
                of: try customer(of: id, in: app, on: connection), after: place,
                limit: RefundHistoryResponse.pageSize + 1, on: connection)
        }
        let page = Array(found.prefix(RefundHistoryResponse.pageSize))
        return RefundHistory(
            transactions: page, revision: page.last.flatMap(Self.revision) ?? revision ?? Self.firstRevision,
            hasMore: found.count > page.count)
    }

    /// What was refunded to the customer of a transaction, newest revocation first.
    ///
    /// - Throws: ``ServerAPIError`` 4040005 for an unknown transaction.
    package func lastRefunds(ofCustomerOf id: TransactionID, in app: App) async throws -> [Transaction] {
        try await database.read { [self] connection in
            let key = try namingOriginal { try customer(of: id, in: app, on: connection) }
            return try TransactionsTable.lastRefunded(
                of: key, limit: RefundLookupResponse.maximumCount, on: connection)
        }
    }

    private static func revision(_ transaction: Transaction) -> String? {
        transaction.revocation.map { "\($0.date.milliseconds)_\(transaction.id)" }
    }

    private static func refundPosition(_ revision: String?) throws -> TransactionsTable.RefundPosition? {
        guard let revision, revision != firstRevision else { return nil }
        let parts = revision.split(separator: "_", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].count <= 18, let date = Int64(parts[0]), let id = TransactionID(parts[1])
        else {
            throw ServerAPIError(
                .invalidRequestRevision, "revision", "a revision is one that an answer of this endpoint gave")
        }
        return TransactionsTable.RefundPosition(revoked: Instant(milliseconds: date), id: id)
    }
}
