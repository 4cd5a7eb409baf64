import AppStoreFormats
import Perennial
import PerennialStorage

/// A customer's refunded or revoked purchases, in the order in which they were reported.
package struct RevokedTransactions: Sendable, Equatable {
    /// The most transactions in one answer.
    package static let pageSize = 200

    package var transactions: [Transaction]
    /// The revision for the next request, which lists only later changes.
    package var revision: String
    package var hasMore: Bool
}

extension Restores {
    /// Returns the transactions revoked since an earlier answer, so that a device can tell the app, also of finished ones.
    ///
    /// - Parameter revision: From the answer before; `nil` for all.
    /// - Throws: ``StoreError`` `.malformed` for a revision that isn't from an answer to this customer.
    package func revokedTransactions(
        of customer: Customer, after revision: String?
    ) async throws -> RevokedTransactions {
        let revisions = HistoryRevision(cipher: cipher, customer: customer.key)
        let place: TransactionsTable.Place?
        do {
            place = try revision.flatMap(revisions.place)
        } catch is ServerAPIError {
            throw StoreError(.malformed, "after", "a revision is one that an earlier answer to this customer gave")
        }
        var filter = TransactionsTable.HistoryFilter()
        filter.isRevoked = true
        return try await database.read { [self, filter] connection in
            let found = try TransactionsTable.places(
                of: customer.key, filter, after: place, limit: RevokedTransactions.pageSize + 1, on: connection)
            let places = found.prefix(RevokedTransactions.pageSize)
            let transactions = try places.compactMap {
                try TransactionsTable.transaction($0.id, app: customer.key.app, environment.id, on: connection)
            }
            return RevokedTransactions(
                transactions: transactions,
                revision: places.last.map(revisions.text) ?? revision ?? HistoryRevision.first,
                hasMore: found.count > places.count)
        }
    }
}
