import AppStoreFormats
import Perennial
import PerennialStorage

/// A page of a customer's refunds.
package struct RefundHistory: Hashable, Sendable {
    /// Oldest revocation first.
    package var transactions: [Transaction]
    /// The start of the next page.
    package var revision: String
    package var hasMore: Bool

    package init(transactions: [Transaction], revision: String, hasMore: Bool) {
        self.transactions = transactions
        self.revision = revision
        self.hasMore = hasMore
    }
}

extension Refunds {
    /// The revision before the first refund.
    private static let firstRevision = "0"

    /// Returns a page of the refunds of a transaction's customer.
    ///
    /// - Parameter revision: From the page before; `nil` for the first.
    /// - Throws: ``ServerAPIError`` 4000005 for an unknown revision, 4040010 for an unknown transaction.
    package func history(
        ofCustomerOf id: TransactionID, in app: App, after revision: String?
    ) async throws -> RefundHistory {
        let place = try Self.refundPosition(revision)
        let found = try await database.read { [self] connection in
            try TransactionsTable.refunded(
                of: try transactions.customer(of: id, in: app, on: connection), after: place,
                limit: RefundHistoryResponse.pageSize + 1, on: connection)
        }
        let page = Array(found.prefix(RefundHistoryResponse.pageSize))
        return RefundHistory(
            transactions: page, revision: page.last.flatMap(Self.revision) ?? revision ?? Self.firstRevision,
            hasMore: found.count > page.count)
    }

    /// Returns the refunds of a transaction's customer, newest revocation first.
    ///
    /// - Throws: ``ServerAPIError`` 4040005 for an unknown transaction.
    package func lastRefunds(ofCustomerOf id: TransactionID, in app: App) async throws -> [Transaction] {
        try await database.read { [self] connection in
            let key = try transactions.namingOriginal { try transactions.customer(of: id, in: app, on: connection) }
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
