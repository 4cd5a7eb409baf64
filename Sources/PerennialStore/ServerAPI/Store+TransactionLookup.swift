import AppStoreFormats
import Perennial
import PerennialStorage

extension Store {
    /// An app's transaction.
    ///
    /// - Throws: ``ServerAPIError`` `.transactionIDNotFound`, also for another app's and another environment's.
    package func transaction(_ id: TransactionID, of app: App) async throws -> Transaction {
        let number = app.appleID
        let found = try await database.read { [environment] in
            try TransactionsTable.transaction(id, app: number, environment.id, on: $0)
        }
        guard let found else { throw ServerAPIError(.transactionIDNotFound) }
        return found
    }
}
