import Perennial
import PerennialStorage

extension Store {
    /// Takes a transaction back: money is returned, in full or in part, and its access ends.
    ///
    /// - Throws: ``StoreError`` `.transactionNotFound`, `RefundError`.
    package func refund(_ id: TransactionID, _ refund: Refund) async throws -> (Transaction, App.BundleID) {
        try await write { [self] connection in
            let (found, entry) = try transaction(id, on: connection)
            let key = CustomerKey(environment: environment.id, app: entry.app.appleID, account: found.accountID)
            var revision = try CustomersTable.lock(key, on: connection)
            // Read again behind the lock: somebody may have refunded it meanwhile.
            let transaction = try self.transaction(id, on: connection).0
            let now = try clock.now(on: connection)
            try answerRefundRequest(of: id, .refunded, app: key.app, at: now, on: connection)
            if transaction.type == .autoRenewable {
                let refunded = try refundPeriod(
                    transaction, refund, key, entry, at: now.wholeSeconds, revision: &revision, on: connection)
                return (refunded, entry.app.bundleID)
            }
            let refunded = try refundPurchase(
                transaction, refund, key, at: now, revision: &revision, on: connection)
            return (refunded, entry.app.bundleID)
        }
    }

    /// Refunds a purchase that is no subscription's period.
    func refundPurchase(
        _ transaction: Transaction, _ refund: Refund, _ key: CustomerKey, at now: Instant, revision: inout Int64,
        on connection: any Connection
    ) throws -> Transaction {
        let outcome = try refund.outcome(for: transaction, at: now)
        let postings = try postings(of: outcome, key, on: connection)
        let told = JournalEntry(.refunded, at: now, transaction, postings: postings)
        let position = try JournalTable.append([told], app: key.app, environment.id, on: connection)
        try TransactionsTable.update(outcome.transaction, revision: revision + 1, key, on: connection)
        try notify(of: [told], last: position, app: key.app, on: connection)
        revision += 1
        try CustomersTable.setRevision(revision, key, on: connection)
        try endSharing(of: outcome.transaction, key, at: now, on: connection)
        return outcome.transaction
    }

    /// What a full refund moves is what the sale moved, the other way round, whatever the app's terms are by now; a part is
    /// divided by the terms of today.
    private func postings(
        of outcome: Refund.Outcome, _ key: CustomerKey, on connection: any Connection
    ) throws -> [Posting] {
        let id = outcome.transaction.id
        guard outcome.terms.percentage != Refund.wholePercentage else {
            let position = try TransactionsTable.journalPosition(of: id, app: key.app, environment.id, on: connection)
            return try JournalTable.postings(at: position ?? 0, app: key.app, environment.id, on: connection).reversed
        }
        let terms = try catalog.entry(number: key.app, on: connection)?.app.saleTerms ?? .standard
        return outcome.postings(terms)
    }

    /// A refund of a subscription's period is an event of the subscription.
    private func refundPeriod(
        _ transaction: Transaction, _ refund: Refund, _ key: CustomerKey, _ entry: CatalogCache.Entry, at now: Instant,
        revision: inout Int64, on connection: any Connection
    ) throws -> Transaction {
        let current = try settled(
            transaction.originalID, key, entry, until: now, revision: &revision, on: connection)
        let decision = try current.decide(
            .refunded(transaction, refund), at: now, in: try context(of: current, entry, on: connection),
            id: numbers.next)
        try record(decision, key, revision: &revision, on: connection)
        return try self.transaction(transaction.id, on: connection).0
    }

    /// A transaction by its number alone, with the app it was bought in.
    func transaction(_ id: TransactionID, on connection: any Connection) throws -> (Transaction, CatalogCache.Entry) {
        for entry in try catalog.all(on: connection) {
            let found = try TransactionsTable.transaction(id, app: entry.app.appleID, environment.id, on: connection)
            if let found { return (found, entry) }
        }
        throw StoreError(.transactionNotFound, id.description, "there is no such transaction in this environment")
    }
}
