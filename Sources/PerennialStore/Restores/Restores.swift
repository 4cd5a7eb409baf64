import Perennial
import PerennialStorage

/// A purchase that a restore brings back: a new transaction ID, and the original transaction.
package struct RestoredTransaction: Sendable, Equatable {
    package var id: TransactionID
    package var original: Transaction
}

/// Restores: the purchases that a customer can have again, and those that were revoked.
package struct Restores: StoreChapter {
    let context: StoreContext
    let cipher: ReceiptOwnerCipher

    /// Restores a customer's finished purchases (StoreKit's `restoreCompletedTransactions`), each with a new transaction ID
    /// that names its original. Restores a non-consumable once, however often it was bought, and an auto-renewable
    /// subscription once for every period.
    ///
    /// - Parameter applicationUsername: Restores only purchases under this name, if given.
    package func restore(for customer: Customer, applicationUsername: String?) async throws -> [RestoredTransaction] {
        try await context.write { [self] connection in
            let all = try TransactionsTable.all(of: customer.key, on: connection)
            return try Restoration.restorable(all, applicationUsername: applicationUsername).map {
                RestoredTransaction(id: TransactionID(rawValue: try ids.next()), original: $0)
            }
        }
    }
}
