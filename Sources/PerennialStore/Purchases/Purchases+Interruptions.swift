import Perennial
import PerennialStorage

/// Interrupted purchases. The customer must act outside the app first, such as confirm the payment with the bank or agree
/// to new terms. The purchase fails at once; its transaction arrives after the customer has acted.
extension Purchases {
    /// The most interrupted purchases in one listing.
    private static let interruptionsPageSize = 1000

    /// Stores an interrupted purchase, uncharged. Another request for the same product doesn't make a second one.
    func interrupt(
        _ request: PurchaseRequest, by customer: Customer, at now: Instant, on connection: any Connection
    ) throws -> PurchaseRefusal {
        var resumed = request
        // The request's own key stands for its refusal.
        resumed.idempotencyKey = nil
        let waiting = try PendingPurchasesTable.waiting(
            of: customer.key, .interruption, at: now, on: connection
        ).last { $0.request.productID == request.productID }
        var record =
            try waiting
            ?? PendingPurchasesTable.Record(
                id: ids.next(), customer: customer.key, request: resumed,
                pending: PendingPurchase(request.productID, by: customer.key.account, .interruption, at: now))
        record.request = resumed
        try PendingPurchasesTable.put(record, on: connection)
        return PurchaseRefusal(
            .purchaseInterrupted, request.productID, "the customer must act first; the purchase arrives by itself then")
    }

    /// Returns the purchases that wait for their customers.
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

    /// Returns a page of the purchases that wait for their customers, oldest first.
    ///
    /// - Parameter cursor: Of the page before; `nil` for the first.
    /// - Throws: ``StoreError`` `.appNotFound`; `.malformed` for a cursor that isn't one.
    package func interruptions(
        bundleID: App.BundleID, after cursor: String?, limit: Int
    ) async throws -> ListPage<PurchaseApproval> {
        try await waiting(for: .interruption, bundleID, after: cursor, limit: limit)
    }

    /// Returns a page of an app's purchases that wait for a cause.
    ///
    /// A page reads no more than ``PageReader/maximumRows`` rows: requests that lapsed stay among them.
    func waiting(
        for cause: PendingPurchase.Cause, _ bundleID: App.BundleID, after cursor: String?, limit: Int
    ) async throws -> ListPage<PurchaseApproval> {
        let last = try cursor.map { try ListCursor.numbers($0, count: 1)[0] } ?? 0
        return try await database.read { [self] connection in
            let entry = try app(bundleID, on: connection)
            let (app, now) = (entry.app.appleID, try clock.now(on: connection))
            let reader = PageReader(
                limit: ListLimit.clamped(limit),
                read: { id, count in
                    try PendingPurchasesTable.waits(
                        after: id, limit: count, app: app, environment.id, on: connection)
                }, place: \.id)
            let (found, next) = try reader.page(after: last) { $0.isOpen(for: cause, at: now) }
            let items = try found.compactMap { wait in
                try PendingPurchasesTable.record(wait.id, app: app, environment.id, on: connection)
                    .map { try approval($0, entry, on: connection) }
            }
            return ListPage(items, next: next.map { ListCursor.text($0) })
        }
    }

    /// Returns true if a purchase of an app waits for a cause.
    package func isWaiting(
        _ id: Int64, for cause: PendingPurchase.Cause, bundleID: App.BundleID
    ) async throws -> Bool {
        try await database.read { [self] connection in
            let app = try app(bundleID, on: connection).app.appleID
            let now = try clock.now(on: connection)
            return try PendingPurchasesTable.record(id, app: app, environment.id, on: connection)?
                .pending.waits(for: cause, at: now) ?? false
        }
    }

    /// Completes or abandons an interrupted purchase. A completed one arrives as an unfinished transaction.
    ///
    /// - Returns: The transaction if one was made.
    /// - Throws: ``StoreError`` `.approvalNotFound`, `PurchaseRefusal`.
    package func resolveInterruption(_ id: Int64, completed: Bool) async throws -> Transaction? {
        try await answer(id, .interruption, approved: completed)
    }

    /// Answers a pending purchase. Of concurrent answers the first counts.
    ///
    /// - Throws: ``StoreError`` `.approvalNotFound`, `PurchaseRefusal`.
    func answer(_ id: Int64, _ cause: PendingPurchase.Cause, approved: Bool) async throws -> Transaction? {
        let result = try await subscriptions.write { [self] connection -> Result<Transaction, PurchaseRefusal>? in
            guard let (found, entry) = try pending(id, cause, on: connection) else {
                throw StoreError(.approvalNotFound, "\(id)", "no purchase waits under that number")
            }
            _ = try CustomersTable.lock(found.customer, on: connection)
            // Read again after taking the lock: it may have been answered meanwhile.
            let current = try PendingPurchasesTable.record(
                id, app: entry.app.appleID, environment.id, on: connection)
            guard var record = current else {
                throw StoreError(.approvalNotFound, "\(id)", "no purchase waits under that number any more")
            }
            let isBought = record.pending.answer(approved: approved, at: try clock.now(on: connection))
            try PendingPurchasesTable.put(record, on: connection)
            guard isBought else { return nil }
            let customer = Customer(
                key: record.customer, bundleID: entry.app.bundleID, device: "", applicationVersion: entry.app.version)
            return try sell(record.request, to: customer, isResumed: cause == .interruption, on: connection)
        }
        return try result?.get()
    }

    private func pending(
        _ id: Int64, _ cause: PendingPurchase.Cause, on connection: any Connection
    ) throws -> (PendingPurchasesTable.Record, CatalogCache.Entry)? {
        for entry in try catalog.all(on: connection) {
            let found = try PendingPurchasesTable.record(id, app: entry.app.appleID, environment.id, on: connection)
            if let found, found.pending.cause == cause { return (found, entry) }
        }
        return nil
    }

    func approval(
        _ record: PendingPurchasesTable.Record, _ entry: CatalogCache.Entry, on connection: any Connection
    ) throws -> PurchaseApproval {
        let account = try AccountsTable.account(record.customer.account, environment.id, on: connection)
        return PurchaseApproval(
            id: record.id, bundleID: entry.app.bundleID, account: account?.name ?? "", request: record.request,
            pending: record.pending)
    }
}
