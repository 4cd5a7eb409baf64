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
        let waiting = try PendingPurchasesTable.all(of: customer.key, on: connection).last {
            $0.pending.cause == .interruption && $0.request.productID == request.productID
                && $0.pending.isWaiting(at: now)
        }
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
            return try PendingPurchasesTable.all(
                app: entry.app.appleID, environment.id, limit: Self.interruptionsPageSize, on: connection
            ).filter { $0.pending.cause == .interruption && $0.pending.isWaiting(at: now) }
                .map { try approval($0, entry, on: connection) }
        }
    }

    /// The customer has done what was asked, or gave up. What is bought is delivered as an unfinished transaction.
    ///
    /// - Returns: The transaction, where one was made.
    /// - Throws: ``StoreError`` `.approvalNotFound`, `PurchaseRefusal`.
    package func resolveInterruption(_ id: Int64, completed: Bool) async throws -> Transaction? {
        let result = try await write { [self] connection -> Result<Transaction, PurchaseRefusal>? in
            for entry in try catalog.all(on: connection) {
                let app = entry.app.appleID
                guard let found = try PendingPurchasesTable.record(id, app: app, environment.id, on: connection),
                    found.pending.cause == .interruption
                else { continue }
                _ = try CustomersTable.lock(found.customer, on: connection)
                // Read again behind the lock: somebody may have answered it meanwhile.
                var record =
                    try PendingPurchasesTable.record(id, app: app, environment.id, on: connection) ?? found
                let isBought = record.pending.answer(approved: completed, at: try clock.now(on: connection))
                try PendingPurchasesTable.put(record, on: connection)
                guard isBought else { return nil }
                let customer = Customer(
                    key: record.customer, bundleID: entry.app.bundleID, device: "",
                    applicationVersion: entry.app.version)
                return try sell(record.request, to: customer, isResumed: true, on: connection)
            }
            throw StoreError(.approvalNotFound, "\(id)", "no purchase was interrupted under that number")
        }
        return try result?.get()
    }
}
