import Perennial
import PerennialStorage

/// A purchase that a restore brings back: a transaction of its own that names the original one.
package struct RestoredTransaction: Sendable, Equatable {
    package var id: TransactionID
    package var original: Transaction
}

extension Store {
    /// How many unfinished transactions one answer holds; the rest comes when these are finished.
    package static let unfinishedPageSize = 200

    package func unfinished(of customer: Customer) async throws -> (transactions: [Transaction], hasMore: Bool) {
        let found = try await database.read {
            try TransactionsTable.unfinished(of: customer.key, limit: Self.unfinishedPageSize + 1, on: $0)
        }
        return (Array(found.prefix(Self.unfinishedPageSize)), found.count > Self.unfinishedPageSize)
    }

    /// A customer's own transaction.
    ///
    /// - Throws: ``StoreError`` `.transactionNotFound`, also for another customer's.
    package func transaction(_ id: TransactionID, of customer: Customer) async throws -> Transaction {
        try await database.read { [self] in try transaction(id, of: customer, on: $0) }
    }

    private func transaction(
        _ id: TransactionID, of customer: Customer, on connection: any Connection
    ) throws -> Transaction {
        let found = try TransactionsTable.transaction(id, app: customer.key.app, environment.id, on: connection)
        guard let found, found.accountID == customer.key.account else {
            throw StoreError(.transactionNotFound, id.description, "this customer has no transaction with that number")
        }
        return found
    }

    /// The app has delivered: the transaction is not offered again, and a consumable leaves the receipt.
    ///
    /// Finishing again changes nothing; so does finishing the number a restore gave, which names no purchase.
    package func finish(_ id: TransactionID, by customer: Customer) async throws {
        try await write { [self] in try finish(id, of: customer.key, on: $0) }
    }

    func finish(_ id: TransactionID, of key: CustomerKey, on connection: any Connection) throws {
        let revision = try CustomersTable.lock(key, on: connection)
        let found = try TransactionsTable.transaction(id, app: key.app, environment.id, on: connection)
        guard let transaction = found, transaction.accountID == key.account, !transaction.isFinished else { return }
        let entry = JournalEntry(.finished, at: try clock.now(on: connection), transaction)
        try JournalTable.append([entry], app: key.app, environment.id, on: connection)
        try TransactionsTable.finish(id, key, on: connection)
        try CustomersTable.setRevision(revision + 1, key, on: connection)
    }

    /// StoreKit's `restoreCompletedTransactions`: what the customer finished and can have back, each as a transaction with
    /// a new number that names its original. A non-consumable comes once however often it was bought, an auto-renewable
    /// subscription once for every period.
    ///
    /// - Parameter applicationUsername: Only what was bought under this name, where given.
    package func restore(for customer: Customer, applicationUsername: String?) async throws -> [RestoredTransaction] {
        try await write { [self] connection in
            let all = try TransactionsTable.all(of: customer.key, on: connection)
            return try Restoration.restorable(all, applicationUsername: applicationUsername).map {
                RestoredTransaction(id: TransactionID(rawValue: try numbers.next()), original: $0)
            }
        }
    }
}
