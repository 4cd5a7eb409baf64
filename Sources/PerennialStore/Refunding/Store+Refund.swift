import Perennial
import PerennialStorage

extension Store {
    /// Takes a transaction back: its money is returned in full and its access ends.
    ///
    /// - Parameter bundleID: The app it was bought in; looked for in all apps where left out.
    /// - Throws: ``StoreError`` `.transactionNotFound`, `.alreadyRefunded`.
    package func refund(_ id: TransactionID, reason: Transaction.Revocation.Reason) async throws -> (Transaction, App.BundleID) {
        try await write { [self] connection in
            let (found, entry) = try transaction(id, on: connection)
            let key = CustomerKey(environment: environment.id, app: entry.app.appleID, account: found.accountID)
            var revision = try CustomersTable.lock(key, on: connection)
            // Read again behind the lock: somebody may have refunded it meanwhile.
            var transaction = try self.transaction(id, on: connection).0
            guard transaction.revocation == nil else {
                throw StoreError(.alreadyRefunded, id.description, "the transaction was refunded before")
            }
            let now = try clock.now(on: connection)
            if transaction.type == .autoRenewable {
                let refunded = try refundPeriod(
                    transaction, Refund(reason: reason), key, entry, at: now.wholeSeconds, revision: &revision,
                    on: connection)
                return (refunded, entry.app.bundleID)
            }
            transaction.revocation = Transaction.Revocation(date: now.wholeSeconds, reason: reason)
            let position = try TransactionsTable.journalPosition(of: id, app: key.app, environment.id, on: connection)
            let sold = try JournalTable.postings(at: position ?? 0, app: key.app, environment.id, on: connection)
            try JournalTable.append(
                [JournalEntry(.refunded, at: now, transaction, postings: sold.reversed)], app: key.app, environment.id,
                on: connection)
            try TransactionsTable.update(transaction, key, on: connection)
            try CustomersTable.setRevision(revision + 1, key, on: connection)
            return (transaction, entry.app.bundleID)
        }
    }

    /// A refund of a subscription's period is an event of the subscription.
    private func refundPeriod(
        _ transaction: Transaction, _ refund: Refund, _ key: CustomerKey, _ entry: CatalogCache.Entry, at now: Instant,
        revision: inout Int64, on connection: any Connection
    ) throws -> Transaction {
        let current = try settled(
            transaction.originalID, key, entry, until: now, revision: &revision, on: connection)
        let decision = try current.decide(
            .refunded(transaction, refund), at: now, in: context(of: current, entry), id: numbers.next)
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
