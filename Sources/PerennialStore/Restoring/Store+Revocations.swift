import AppStoreFormats
import Perennial
import PerennialStorage

/// Purchases of a customer that were refunded or revoked, in the order in which that became known.
package struct RevokedTransactions: Sendable, Equatable {
    /// How many one answer holds.
    package static let pageSize = 200

    package var transactions: [Transaction]
    /// What to ask with next: only what changes afterwards is listed then.
    package var revision: String
    package var hasMore: Bool
}

extension Store {
    /// What was taken back from a customer since an earlier answer: a device tells the app, also of what was finished long
    /// ago.
    ///
    /// - Parameter revision: Of the answer before; `nil` for all.
    /// - Throws: ``StoreError`` `.malformed` for a revision that no answer to this customer gave.
    package func revokedTransactions(
        of customer: Customer, after revision: String?
    ) async throws -> RevokedTransactions {
        let revisions = HistoryRevision(seal: seal, customer: customer.key)
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
