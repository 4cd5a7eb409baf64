import AppStoreFormats
import Crypto
import Foundation
import Perennial
import PerennialStorage

extension Receipts {
    /// Returns the customer's app transaction as a JWS for StoreKit 2, bound to the device if there is one.
    package func signedAppTransaction(for customer: Customer) async throws -> String {
        var payload = try await database.read { [self] connection in
            try appTransaction(
                of: customer.key, try app(customer.bundleID, on: connection).app, version: customer.applicationVersion,
                on: connection)
        }
        if let device = UUID(uuidString: customer.device) {
            let nonce = UUID(bytes: randomBytes(16))
            payload.deviceVerificationNonce = nonce
            payload.deviceVerification = Self.deviceVerification(nonce: nonce, device: device)
        }
        return try signing.jws.sign(payload: payload.encoded())
    }

    /// Returns the common contents of a customer's app transaction. In Sandbox every app was bought on the same day, as in
    /// receipts.
    func appTransaction(
        of key: CustomerKey, _ app: App, version: String, on connection: any Connection
    ) throws -> AppTransactionPayload {
        let now = try clock.now(on: connection)
        let joined = try CustomersTable.joined(key, on: connection)
        let isSandbox = environment.kind.isForTests
        let bought = isSandbox ? ReceiptContents.sandboxOriginalPurchaseDate : joined?.wholeSeconds ?? now
        var payload = AppTransactionPayload(
            receiptType: AppStoreEnvironment(rawValue: environment.kind.rawValue), bundleId: app.bundleID.rawValue,
            applicationVersion: version, receiptCreationDate: now.date, originalPurchaseDate: bought.date)
        payload.appAppleId = app.appleID
        payload.versionExternalIdentifier = isSandbox ? 0 : StoreIdentifiers.version(version, of: app.bundleID)
        payload.appTransactionId = AppTransactionID(account: key.account, app: key.app).description
        payload.originalPlatform = .iOS
        return payload
    }

    /// Returns the nonce of signed data for a device: the same each time, so that data signed again is equal but for its date.
    func verificationNonce(of name: String, _ device: UUID) -> UUID {
        UUID(bytes: Array(SHA256.hash(data: Data("device verification \(name) \(device.uuidString)".utf8)).prefix(16)))
    }

    /// Computes StoreKit's device verification: SHA-384 over nonce and device ID, both in lower case.
    static func deviceVerification(nonce: UUID, device: UUID) -> String {
        let text = nonce.uuidString.lowercased() + device.uuidString.lowercased()
        return Data(SHA384.hash(data: Data(text.utf8))).base64EncodedString()
    }
}

extension UUID {
    /// Creates a UUID in the form of random ones (version 4) from 16 bytes.
    fileprivate init(bytes: [UInt8]) {
        var bytes = bytes
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        self.init(
            uuid: bytes.withUnsafeBytes { $0.loadUnaligned(as: uuid_t.self) })
    }
}
