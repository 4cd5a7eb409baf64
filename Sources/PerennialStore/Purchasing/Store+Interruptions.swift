import Perennial
import PerennialStorage

/// Interrupted purchases: the customer must do something outside the app first, such as agreeing with the bank to the payment or
/// to new terms. The purchase fails at once, and arrives by itself once that is done.
extension Store {
    /// How many interrupted purchases a listing holds.
    private static let interruptionsPageSize = 1000

    /// Puts a purchase aside, uncharged. The same product asked for again stays one purchase.
    func interrupt(
        _ request: PurchaseRequest, by customer: Customer, at now: Instant, on connection: any Connection
    ) throws -> PurchaseRefusal {
        var resumed = request
        // The request's own key belongs to the answer that it failed.
        resumed.idempotencyKey = nil
        let waiting = try PendingPurchasesTable.waiting(
            of: customer.key, .interruption, at: now, on: connection
        ).last { $0.request.productID == request.productID }
        var record =
            try waiting
            ?? PendingPurchasesTable.Record(
                id: numbers.next(), customer: customer.key, request: resumed,
                pending: PendingPurchase(request.productID, by: customer.key.account, .interruption, at: now))
        record.request = resumed
        try PendingPurchasesTable.put(record, on: connection)
        return PurchaseRefusal(
            .purchaseInterrupted, request.productID, "the customer must act first; the purchase arrives by itself then")
    }

    /// The purchases that wait for their customers.
    package func interruptions(bundleID: App.BundleID) async throws -> [PurchaseApproval] {
        try await database.read { [self] connection in
            let entry = try app(bundleID, on: connection)
            let now = try clock.now(on: connection)
            return try PendingPurchasesTable.waiting(
                app: entry.app.appleID, environment.id, .interruption, at: now, limit: Self.interruptionsPageSize,
                on: connection
            ).map { try approval($0, entry, on: connection) }
        }
    }

    /// The customer has done what was asked, or gave up. What is bought is delivered as an unfinished transaction.
    ///
    /// - Returns: The transaction, where one was made.
    /// - Throws: ``StoreError`` `.approvalNotFound`, `PurchaseRefusal`.
    package func resolveInterruption(_ id: Int64, completed: Bool) async throws -> Transaction? {
        try await answer(id, .interruption, approved: completed)
    }
}
