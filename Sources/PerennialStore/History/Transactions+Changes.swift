import AppStoreFormats
import Foundation
import Perennial
import PerennialStorage

extension Transactions {
    /// Sets the app account token of a purchase, for all its periods up to now and to come (Set App Account Token).
    ///
    /// - Throws: ``ServerAPIError`` 4000048, 4000185 for a family member's transaction, 4000187 for a later period, 4040005
    ///   for an unknown transaction.
    package func setAppAccountToken(_ token: UUID, of id: TransactionID, in app: App) async throws {
        let name = token.uuidString.lowercased()
        try await context.write { [self] connection in
            try Self.refuseAppTransaction(id)
            let purchase = try namingOriginal { try transaction(id, in: app, on: connection) }
            guard purchase.originalID == id else {
                throw ServerAPIError(
                    .transactionIDIsNotOriginalTransactionID, "originalTransactionId",
                    "\(id) belongs to the original transaction \(purchase.originalID)")
            }
            guard purchase.ownership == .purchased else {
                throw ServerAPIError(
                    .familyTransactionNotSupported, "originalTransactionId", "\(id) is shared by a family")
            }
            let key = customerKey(of: purchase.accountID, in: app)
            let revision = try CustomersTable.lock(key, on: connection)
            try TransactionsTable.setApplicationUsername(name, originalID: id, key, on: connection)
            // Read after taking the lock: a renewal may have written it meanwhile.
            if let subscription = try SubscriptionsTable.subscription(
                id, app: app.appleID, environment.id, on: connection)
            {
                try SubscriptionsTable.put(subscription.named(name), key, on: connection)
            }
            try CustomersTable.setRevision(revision + 1, key, on: connection)
        }
    }

    /// Finishes a transaction for the seller's server (Finish Transaction). Finishing again changes nothing.
    ///
    /// - Throws: ``ServerAPIError`` 4000048, 4040010.
    package func finish(_ id: TransactionID, in app: App) async throws {
        try await context.write { [self] connection in
            try Self.refuseAppTransaction(id)
            try finish(id, of: try customer(of: id, in: app, on: connection), on: connection)
        }
    }

    /// The most unfinished transactions in one answer. The rest follows when these are finished.
    package static let unfinishedPageSize = 200

    package func unfinished(of customer: Customer) async throws -> (transactions: [Transaction], hasMore: Bool) {
        let found = try await database.read {
            try TransactionsTable.unfinished(of: customer.key, limit: Self.unfinishedPageSize + 1, on: $0)
        }
        return (Array(found.prefix(Self.unfinishedPageSize)), found.count > Self.unfinishedPageSize)
    }

    /// Returns a customer's own transaction.
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

    /// Finishes a transaction for the app: it isn't offered again, and a consumable leaves the receipt.
    ///
    /// Finishing again changes nothing. Finishing the ID of a restored transaction changes nothing either, since it names
    /// no purchase.
    package func finish(_ id: TransactionID, by customer: Customer) async throws {
        try await context.write { [self] in try finish(id, of: customer.key, on: $0) }
    }

    func finish(_ id: TransactionID, of key: CustomerKey, on connection: any Connection) throws {
        let revision = try CustomersTable.lock(key, on: connection)
        let found = try TransactionsTable.transaction(id, app: key.app, environment.id, on: connection)
        guard let transaction = found, transaction.accountID == key.account, !transaction.isFinished else { return }
        let entry = JournalEntry(.finished, at: try clock.now(on: connection), transaction)
        try JournalTable.append([entry], app: key.app, environment.id, on: connection)
        try TransactionsTable.finish(id, revision: revision + 1, key, on: connection)
        try CustomersTable.setRevision(revision + 1, key, on: connection)
    }
}

extension Transactions {
    /// Deletes a transaction of a test session for good (`SKTestSession.deleteTransaction`), a subscription's with all its
    /// periods and the subscription itself. The journal keeps what happened.
    ///
    /// Devices learn of it: their next list of changes is complete.
    ///
    /// - Throws: ``StoreError`` `.transactionNotFound`, `.malformed` outside test sessions, where the seller's books would
    ///   no longer agree with the transactions.
    package func delete(_ id: TransactionID) async throws {
        guard environment.kind == .xcode else {
            throw StoreError(.malformed, "environment", "transactions are deleted in test sessions only")
        }
        try await context.write { [self] connection in
            let (found, entry) = try transaction(id, on: connection)
            let key = customerKey(of: found.accountID, in: entry.app)
            let revision = try CustomersTable.lock(key, on: connection)
            if found.type == .autoRenewable {
                _ = try TransactionsTable.delete(originalID: found.originalID, of: key, on: connection)
            } else {
                try TransactionsTable.delete(id, of: key, on: connection)
            }
            try CustomersTable.setDeletedRevision(revision + 1, key, on: connection)
        }
    }
}
