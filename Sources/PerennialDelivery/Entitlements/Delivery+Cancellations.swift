import Perennial
import PerennialStorage

extension Delivery {
    /// Purchases with all that was ever heard of refunds: what this receipt says is kept, and what others said counts.
    ///
    /// A receipt that a device keeps goes on saying what was true when it was made, and stays authentic.
    func considered(_ told: [VerifiedPurchase], _ scope: DeliveryScope) async throws -> [VerifiedPurchase] {
        let purchases = VerifiedPurchase.resolvingUpgrades(told)
        let known = try await remember(purchases, scope)
        return purchases.map { $0.considering(known) }
    }

    /// Writes down what is new, and gives back what is known of purchases and of what they repeat.
    private func remember(
        _ purchases: [VerifiedPurchase], _ scope: DeliveryScope
    ) async throws -> [TransactionID: KnownRefund] {
        let own = Set(purchases.map(\.transactionID))
        let ids = purchases.map(\.transactionID) + Set(purchases.compactMap(\.repeated)).subtracting(own)
        guard !ids.isEmpty else { return [:] }
        let known = try await database.read { connection in
            try DeliveryCancellationsTable.known(of: ids, scope, on: connection)
        }
        let news = purchases.compactMap { $0.news(beside: known[$0.transactionID]) }
        guard !news.isEmpty else { return known }
        return try await database.write { connection in
            for piece in news { try Self.note(piece, scope, on: connection) }
            return try DeliveryCancellationsTable.known(of: ids, scope, on: connection)
        }
    }

    /// Writes down what was heard of a refund.
    static func note(_ news: RefundNews, _ scope: DeliveryScope, on connection: any Connection) throws {
        switch news {
        case .refunded(let id, let date, let reported):
            try DeliveryCancellationsTable.cancel(id, at: date, heard: reported, scope, on: connection)
        case .reversed(let id, let reported):
            try DeliveryCancellationsTable.restore(id, at: reported, scope, on: connection)
        }
    }

    /// What is known now of the refunds of some transactions.
    func knownRefunds(
        of ids: [TransactionID], _ scope: DeliveryScope
    ) async throws -> [TransactionID: KnownRefund] {
        try await database.read { connection in
            try DeliveryCancellationsTable.known(of: ids, scope, on: connection)
        }
    }
}
