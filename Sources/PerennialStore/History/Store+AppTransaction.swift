import AppStoreFormats
import Foundation
import Perennial
import PerennialStorage

extension Store {
    /// Get App Transaction Info: a customer's download of the app, signed.
    ///
    /// - Parameter id: Of a transaction of the customer's, or of the download itself.
    /// - Throws: ``ServerAPIError`` 4040010 for an unknown transaction, 4040019 for nobody's download.
    package func signedAppTransaction(ofCustomerOf id: TransactionID, in app: App) async throws -> String {
        let payload = try await database.read { [self] connection in
            if let download = AppTransactionID(id), try customer(of: download, in: app, on: connection) == nil {
                throw ServerAPIError(.appTransactionDoesNotExist, "transactionId", "nobody has downloaded \(id)")
            }
            let key = try customer(of: id, in: app, on: connection)
            let device = try DevicesTable.all(of: key, on: connection).last(where: \.isInstalled)
            return try appTransaction(of: key, app, version: device?.applicationVersion ?? app.version, on: connection)
        }
        return try signing.jws.sign(payload: payload.encoded())
    }
}
