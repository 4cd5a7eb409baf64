import AppStoreFormats
import Crypto
import Foundation
import Perennial
import PerennialStorage
import PerennialStore
import TestSupport
import Testing

/// Signed app transactions.
struct AppTransactionTests {
    @Test func `an app transaction names app, purchase date and device`() async throws {
        let shop = try await TestStore.make()
        let verifier = try TestSigning.verifier
        let customer = try await shop.store.accounts.customer(
            account: "ann", bundleID: App.BundleID(rawValue: "com.example.magazine"))
        let payload = try verifier.verify(
            try await shop.store.receipts.signedAppTransaction(for: customer), as: AppTransactionPayload.self)
        #expect(payload.bundleId == "com.example.magazine")
        #expect(payload.receiptType == .sandbox)
        #expect(payload.receiptCreationDate == (try await shop.store.now()).date)
        #expect(payload.deviceVerification == nil)
        let id = try #require(payload.appTransactionId.flatMap { TransactionID($0) }.flatMap { AppTransactionID($0) })
        #expect(id.account(app: customer.key.app) == customer.key.account)
    }

    @Test func `a device can verify its app transaction`() async throws {
        let shop = try await TestStore.make()
        let session = try await shop.store.accounts.signIn(
            account: "ann", password: nil, deviceID: TestDevice.phone.id,
            bundleID: App.BundleID(rawValue: "com.example.magazine"), applicationVersion: "2.1")
        let customer = try await shop.store.accounts.customer(token: session.token)
        let verifier = try TestSigning.verifier
        let payload = try verifier.verify(
            try await shop.store.receipts.signedAppTransaction(for: customer), as: AppTransactionPayload.self)
        let nonce = try #require(payload.deviceVerificationNonce)
        let device = try #require(UUID(uuidString: TestDevice.phone.id))
        let text = nonce.uuidString.lowercased() + device.uuidString.lowercased()
        #expect(payload.deviceVerification == Data(SHA384.hash(data: Data(text.utf8))).base64EncodedString())
        #expect(payload.applicationVersion == "2.1")
    }
}
