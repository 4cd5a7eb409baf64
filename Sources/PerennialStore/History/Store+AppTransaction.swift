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
            return try appTransaction(of: try customer(of: id, in: app, on: connection), app, on: connection)
        }
        return try signing.jws.sign(payload: payload.encoded())
    }

    /// Sandbox knows one day on which every app was bought, as receipts do.
    private func appTransaction(
        of key: CustomerKey, _ app: App, on connection: any Connection
    ) throws -> AppTransactionPayload {
        let isSandbox = environment.kind == .sandbox
        let joined = try CustomersTable.joined(key, on: connection)
        let device = try DevicesTable.all(of: key, on: connection).last(where: \.isInstalled)
        var payload = AppTransactionPayload(
            receiptType: AppStoreEnvironment(rawValue: environment.kind.rawValue), bundleId: app.bundleID.rawValue,
            applicationVersion: device?.applicationVersion ?? app.version,
            receiptCreationDate: try clock.now(on: connection).date,
            originalPurchaseDate: (isSandbox ? ReceiptContents.sandboxOriginalPurchaseDate : joined)?.date
                ?? .distantPast)
        payload.appAppleId = app.appleID
        payload.versionExternalIdentifier = 0
        payload.appTransactionId = AppTransactionID(account: key.account, app: key.app).description
        payload.originalPlatform = .iOS
        return payload
    }
}
