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
            let revision = try CustomersTable.lock(key, on: connection)
            // Read again behind the lock: somebody may have refunded it meanwhile.
            var transaction = try self.transaction(id, on: connection).0
            guard transaction.revocation == nil else {
                throw StoreError(.alreadyRefunded, id.description, "the transaction was refunded before")
            }
            let now = try clock.now(on: connection)
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

    /// A transaction by its number alone, with the app it was bought in.
    func transaction(_ id: TransactionID, on connection: any Connection) throws -> (Transaction, CatalogCache.Entry) {
        for entry in try catalog.all(on: connection) {
            let found = try TransactionsTable.transaction(id, app: entry.app.appleID, environment.id, on: connection)
            if let found { return (found, entry) }
        }
        throw StoreError(.transactionNotFound, id.description, "there is no such transaction in this environment")
    }
}
