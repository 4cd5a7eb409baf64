import Perennial
import PerennialStorage

extension Delivery {
    /// Purchases with all that was ever heard of refunds: what this receipt says is kept, and what others said counts.
    ///
    /// A receipt that a device keeps goes on saying what was true when it was made, and stays authentic.
    func considered(_ purchases: [VerifiedPurchase], _ scope: DeliveryScope) async throws -> [VerifiedPurchase] {
        let standings = try await remember(purchases.filter(\.isTakenBack), of: purchases.map(\.transactionID), scope)
        return purchases.map { purchase in
            guard let standing = standings[purchase.transactionID] else { return purchase }
            var considered = purchase
            if let cancelled = standing.cancelled {
                considered.cancellationDate = min(purchase.cancellationDate ?? cancelled, cancelled)
            } else if purchase.isTakenBack {
                // The refund that this receipt still tells of was reversed.
                considered.cancellationDate = nil
            }
            return considered
        }
    }

    /// Writes down what is new, and gives back what is known of some transactions.
    private func remember(
        _ cancelled: [VerifiedPurchase], of ids: [TransactionID], _ scope: DeliveryScope
    ) async throws -> [TransactionID: DeliveryCancellationsTable.Standing] {
        guard !ids.isEmpty else { return [:] }
        let known = try await database.read { connection in
            try DeliveryCancellationsTable.standings(of: ids, scope, on: connection)
        }
        // What is known to be taken back needs no second note; whether a reversal is older, the table decides.
        let news = cancelled.filter { known[$0.transactionID]?.cancelled == nil }
        guard !news.isEmpty else { return known }
        return try await database.write { connection in
            for purchase in news {
                guard let date = purchase.cancellationDate else { continue }
                try DeliveryCancellationsTable.cancel(
                    purchase.transactionID, at: date, heard: date, scope, on: connection)
            }
            return try DeliveryCancellationsTable.standings(of: ids, scope, on: connection)
        }
    }

    /// When a transaction was taken back, as far as is known now.
    func cancellation(of id: TransactionID, _ scope: DeliveryScope) async throws -> Instant? {
        try await database.read { connection in
            try DeliveryCancellationsTable.standings(of: [id], scope, on: connection)[id]?.cancelled
        }
    }
}

extension VerifiedPurchase {
    /// Refunded or revoked, which an upgrade isn't: that shortens a period, and the customer has a better one.
    fileprivate var isTakenBack: Bool { cancellationDate != nil && !isUpgraded }
}
