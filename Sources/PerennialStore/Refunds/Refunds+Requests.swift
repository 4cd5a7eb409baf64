import Perennial
import PerennialStorage

/// Refund requests of customers. A request is open until the refund is made or declined.
extension Refunds {
    /// Requests a refund for a customer. The seller is asked for consumption information (`CONSUMPTION_REQUEST`), and an
    /// active subscription doesn't renew meanwhile. Of several requests the newest reason counts.
    ///
    /// - Throws: ``StoreError`` `.transactionNotFound`, `RefundError` `.alreadyRefunded`, `.familyShared`.
    package func request(
        _ id: TransactionID, reason: RefundRequestReason
    ) async throws -> (Transaction, App.BundleID) {
        try await step(id) { [self] subject, now, connection in
            try open(id, reason, subject, at: now, on: connection)
        }
    }

    /// Requests a refund for the app's customer (`Transaction.beginRefundRequest`).
    ///
    /// - Throws: ``StoreError`` `.transactionNotFound`, also for another customer's; `RefundError` `.alreadyRequested` while
    ///   a request is open, `.alreadyRefunded`, `.familyShared`.
    package func request(_ id: TransactionID, reason: RefundRequestReason, by customer: Customer) async throws {
        _ = try await step(id) { [self] subject, now, connection in
            guard subject.key == customer.key else {
                throw StoreError(
                    .transactionNotFound, id.description, "this customer has no transaction with that number")
            }
            let known = try RefundRequestsTable.record(of: id, app: subject.key.app, environment.id, on: connection)
            if let known, known.outcome == nil {
                throw RefundError(.alreadyRequested, id, "a refund was requested, and not answered yet")
            }
            try open(id, reason, subject, at: now, on: connection)
        }
    }

    private func open(
        _ id: TransactionID, _ reason: RefundRequestReason, _ subject: RefundSubject, at now: Instant,
        on connection: any Connection
    ) throws {
        try record(
            .refundRequested(id), .purchaseRefundRequested, of: subject, at: now,
            details: NotificationDetails(consumptionRequestReason: reason.rawValue), on: connection)
        try RefundRequestsTable.put(
            RefundRequestsTable.Record(transactionID: id, reason: reason, requested: now), app: subject.key.app,
            environment.id, on: connection)
    }

    /// Declines the requested refund.
    ///
    /// - Throws: ``StoreError`` `.transactionNotFound`, `RefundError` `.alreadyRefunded`, `.notRequested`, `.familyShared`.
    package func decline(_ id: TransactionID) async throws -> (Transaction, App.BundleID) {
        try await step(id) { [self] subject, now, connection in
            guard try answerRefundRequest(of: id, .declined, app: subject.key.app, at: now, on: connection) else {
                throw RefundError(.notRequested, id, "no refund was requested: request it first")
            }
            try notifyRefundDeclined(subject, at: now, on: connection)
        }
    }

    /// Returns the newest refund request of a transaction.
    package func newestRequest(of id: TransactionID, app: Int64) async throws -> RefundRequestsTable.Record? {
        try await database.read { [environment] in
            try RefundRequestsTable.record(of: id, app: app, environment.id, on: $0)
        }
    }

    /// Closes the refund request of a transaction.
    ///
    /// - Returns: True if one was open.
    @discardableResult
    func answerRefundRequest(
        of id: TransactionID, _ outcome: RefundRequestsTable.Outcome, app: Int64, at now: Instant,
        on connection: any Connection
    ) throws -> Bool {
        guard var request = try RefundRequestsTable.record(of: id, app: app, environment.id, on: connection),
            request.outcome == nil
        else { return false }
        request.answered = now
        request.outcome = outcome
        try RefundRequestsTable.put(request, app: app, environment.id, on: connection)
        return true
    }

    /// Notifies the seller that a refund is declined (`REFUND_DECLINED`).
    func notifyRefundDeclined(_ subject: RefundSubject, at now: Instant, on connection: any Connection) throws {
        try record(
            .refundDeclined(subject.transaction.id), .purchaseRefundDeclined, of: subject, at: now, on: connection)
    }

    /// Runs a step of a refund behind the customer's lock, for a purchased transaction that isn't refunded.
    private func step(
        _ id: TransactionID, _ body: @escaping @Sendable (RefundSubject, Instant, any Connection) throws -> Void
    ) async throws -> (Transaction, App.BundleID) {
        try await subscriptions.write { [self] connection in
            let (found, entry) = try transactions.transaction(id, on: connection)
            guard found.ownership == .purchased else {
                throw RefundError(.familyShared, id, "refund the purchaser's transaction")
            }
            let key = customerKey(of: found.accountID, in: entry.app)
            _ = try CustomersTable.lock(key, on: connection)
            // Read again after taking the lock: it may have been refunded meanwhile.
            let transaction = try transactions.transaction(id, on: connection).0
            guard transaction.revocation == nil else {
                throw RefundError(.alreadyRefunded, id, "the transaction was refunded or revoked before")
            }
            let subject = RefundSubject(transaction: transaction, key: key, entry: entry)
            try body(subject, try clock.now(on: connection), connection)
            return (transaction, entry.app.bundleID)
        }
    }

    /// Records a step of a refund: as an event of the subscription for its periods, else as a journal entry.
    private func record(
        _ event: SubscriptionEvent, _ kind: JournalEntry.Kind, of subject: RefundSubject, at now: Instant,
        details: NotificationDetails? = nil, on connection: any Connection
    ) throws {
        let (transaction, key, entry) = (subject.transaction, subject.key, subject.entry)
        guard transaction.type == .autoRenewable else {
            try outbox.publish(JournalEntry(kind, at: now, transaction), app: key.app, details: details, on: connection)
            return
        }
        var revision = try CustomersTable.lock(key, on: connection)
        let current = try subscriptions.broughtUpToDate(
            transaction.originalID, key, entry, until: now.wholeSeconds, revision: &revision, on: connection)
        let decision = try current.decide(
            event, at: now.wholeSeconds, in: try subscriptions.renewalContext(of: current, entry, on: connection),
            id: ids.next)
        try subscriptions.record(decision, key, revision: &revision, details: details, on: connection)
    }
}

/// The transaction of a refund.
struct RefundSubject: Sendable {
    var transaction: Transaction
    var key: CustomerKey
    var entry: CatalogCache.Entry
}
