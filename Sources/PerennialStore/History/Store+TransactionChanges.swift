import AppStoreFormats
import Foundation
import Perennial
import PerennialStorage

/// What a seller's server may change about a transaction.
extension Store {
    /// Set App Account Token: gives a purchase the app's own name for its customer, with all periods that were sold since
    /// and those to come.
    ///
    /// - Throws: ``ServerAPIError`` 4000048, 4000185 for a family member's copy, 4000187 for a later period, 4040005 for an
    ///   unknown transaction.
    package func setAppAccountToken(_ token: UUID, of id: TransactionID, in app: App) async throws {
        let name = token.uuidString.lowercased()
        try await write { [self] connection in
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
            let key = CustomerKey(environment: environment.id, app: app.appleID, account: purchase.accountID)
            let revision = try CustomersTable.lock(key, on: connection)
            try TransactionsTable.setApplicationUsername(name, originalID: id, key, on: connection)
            // Read behind the lock: a renewal may have written it meanwhile.
            if let subscription = try SubscriptionsTable.subscription(
                id, app: app.appleID, environment.id, on: connection)
            {
                try SubscriptionsTable.put(subscription.named(name), key, on: connection)
            }
            try CustomersTable.setRevision(revision + 1, key, on: connection)
        }
    }

    /// Finish Transaction: the seller's server says what else the app says. Finishing again changes nothing.
    ///
    /// - Throws: ``ServerAPIError`` 4000048, 4040010.
    package func finish(_ id: TransactionID, in app: App) async throws {
        try await write { [self] connection in
            try Self.refuseAppTransaction(id)
            try finish(id, of: try customer(of: id, in: app, on: connection), on: connection)
        }
    }
}
