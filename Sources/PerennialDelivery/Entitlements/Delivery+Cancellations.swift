import Perennial
import PerennialStorage

extension Delivery {
    /// Applies all known refunds to purchases, and stores the refunds that the purchases report.
    ///
    /// A receipt on a device stays authentic, but misses later refunds.
    func applyingKnownRefunds(_ reported: [VerifiedPurchase], _ scope: DeliveryScope) async throws -> [VerifiedPurchase]
    {
        let purchases = VerifiedPurchase.resolvingUpgrades(reported)
        let known = try await recordRefunds(of: purchases, scope)
        return purchases.map { $0.applyingKnownRefunds(known) }
    }

    /// Stores new refunds, and returns those of the purchases and of the purchases they repeat.
    private func recordRefunds(
        of purchases: [VerifiedPurchase], _ scope: DeliveryScope
    ) async throws -> [TransactionID: KnownRefund] {
        let own = Set(purchases.map(\.transactionID))
        let ids = purchases.map(\.transactionID) + Set(purchases.compactMap(\.repeated)).subtracting(own)
        guard !ids.isEmpty else { return [:] }
        let known = try await database.read { connection in
            try DeliveryCancellationsTable.known(of: ids, scope, on: connection)
        }
        let notices = purchases.compactMap { $0.refundNotice(comparedTo: known[$0.transactionID]) }
        guard !notices.isEmpty else { return known }
        return try await database.write { connection in
            for notice in notices { try Self.record(notice, scope, on: connection) }
            return try DeliveryCancellationsTable.known(of: ids, scope, on: connection)
        }
    }

    /// Stores a reported refund or its reversal.
    static func record(_ notice: RefundNotice, _ scope: DeliveryScope, on connection: any Connection) throws {
        switch notice {
        case .refunded(let id, let date, let reported):
            try DeliveryCancellationsTable.cancel(id, at: date, reportedAt: reported, scope, on: connection)
        case .reversed(let id, let reported):
            try DeliveryCancellationsTable.restore(id, at: reported, scope, on: connection)
        }
    }

    /// Returns the known refunds of transactions.
    func knownRefunds(
        of ids: [TransactionID], _ scope: DeliveryScope
    ) async throws -> [TransactionID: KnownRefund] {
        try await database.read { connection in
            try DeliveryCancellationsTable.known(of: ids, scope, on: connection)
        }
    }
}
