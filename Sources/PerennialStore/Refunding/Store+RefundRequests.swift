import Perennial
import PerennialStorage

/// Refunds that customers ask for. A request is open until the refund is made or declined.
extension Store {
    /// A customer asks for a refund: the seller is asked how much was used (`CONSUMPTION_REQUEST`), and an active
    /// subscription doesn't renew meanwhile. Asked again, the newest reason counts.
    ///
    /// - Throws: ``StoreError`` `.transactionNotFound`, `RefundError` `.alreadyRefunded`, `.familyShared`.
    package func requestRefund(
        _ id: TransactionID, reason: RefundRequestReason
    ) async throws -> (Transaction, App.BundleID) {
        try await step(id) { [self] subject, now, connection in
            try tell(
                .refundRequested(id), .purchaseRefundRequested, of: subject, at: now,
                details: NotificationDetails(consumptionRequestReason: reason.rawValue), on: connection)
            try RefundRequestsTable.put(
                RefundRequestsTable.Record(transactionID: id, reason: reason, requested: now), app: subject.key.app,
                environment.id, on: connection)
        }
    }

    /// The refund that a customer asked for is not made.
    ///
    /// - Throws: ``StoreError`` `.transactionNotFound`, `RefundError` `.alreadyRefunded`, `.notRequested`, `.familyShared`.
    package func declineRefund(_ id: TransactionID) async throws -> (Transaction, App.BundleID) {
        try await step(id) { [self] subject, now, connection in
            guard try answerRefundRequest(of: id, .declined, app: subject.key.app, at: now, on: connection) else {
                throw RefundError(.notRequested, id, "nobody waits for an answer: ask for the refund first")
            }
            try tellRefundDeclined(subject, at: now, on: connection)
        }
    }

    /// The newest request for a refund of a transaction, if there was one.
    package func refundRequest(of id: TransactionID, app: Int64) async throws -> RefundRequestsTable.Record? {
        try await database.read { [environment] in
            try RefundRequestsTable.record(of: id, app: app, environment.id, on: $0)
        }
    }

    /// Closes the request for a refund of a transaction.
    ///
    /// - Returns: Whether one was open.
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

    /// Tells the seller that a refund is not made (`REFUND_DECLINED`).
    func tellRefundDeclined(_ subject: RefundSubject, at now: Instant, on connection: any Connection) throws {
        try tell(.refundDeclined(subject.transaction.id), .purchaseRefundDeclined, of: subject, at: now, on: connection)
    }

    /// Takes a step towards a refund of a transaction that was paid for and not refunded, behind the customer's lock.
    private func step(
        _ id: TransactionID, _ body: @escaping @Sendable (RefundSubject, Instant, any Connection) throws -> Void
    ) async throws -> (Transaction, App.BundleID) {
        try await write { [self] connection in
            let (found, entry) = try transaction(id, on: connection)
            guard found.ownership == .purchased else {
                throw RefundError(.familyShared, id, "refund the purchaser's transaction")
            }
            let key = CustomerKey(environment: environment.id, app: entry.app.appleID, account: found.accountID)
            _ = try CustomersTable.lock(key, on: connection)
            // Read again behind the lock: somebody may have refunded it meanwhile.
            let transaction = try transaction(id, on: connection).0
            guard transaction.revocation == nil else {
                throw RefundError(.alreadyRefunded, id, "the transaction was refunded or revoked before")
            }
            let subject = RefundSubject(transaction: transaction, key: key, entry: entry)
            try body(subject, try clock.now(on: connection), connection)
            return (transaction, entry.app.bundleID)
        }
    }

    /// What happens to the refund of a subscription's period is an event of the subscription; anything else is told alone.
    private func tell(
        _ event: SubscriptionEvent, _ kind: JournalEntry.Kind, of subject: RefundSubject, at now: Instant,
        details: NotificationDetails? = nil, on connection: any Connection
    ) throws {
        let (transaction, key, entry) = (subject.transaction, subject.key, subject.entry)
        guard transaction.type == .autoRenewable else {
            try announce(JournalEntry(kind, at: now, transaction), app: key.app, details: details, on: connection)
            return
        }
        var revision = try CustomersTable.lock(key, on: connection)
        let current = try settled(
            transaction.originalID, key, entry, until: now.wholeSeconds, revision: &revision, on: connection)
        let decision = try current.decide(
            event, at: now.wholeSeconds, in: try context(of: current, entry, on: connection), id: numbers.next)
        try record(decision, key, revision: &revision, details: details, on: connection)
    }
}

/// What a refund is about.
struct RefundSubject: Sendable {
    var transaction: Transaction
    var key: CustomerKey
    var entry: CatalogCache.Entry
}
