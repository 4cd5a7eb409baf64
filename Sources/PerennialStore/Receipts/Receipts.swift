import AppStoreFormats
import Foundation
import Perennial
import PerennialStorage

/// Receipts and signed transactions for a customer's device.
package struct Receipts: StoreChapter {
    let context: StoreContext
    let subscriptions: Subscriptions
    let signing: Signing
    let cipher: ReceiptOwnerCipher
    let randomBytes: @Sendable (Int) -> [UInt8]

    /// Returns the customer's app receipt, bound to the device. It is signed once for each state of the purchases, then
    /// stored.
    package func appReceipt(for customer: Customer) async throws -> [UInt8] {
        let found = try await database.read { [self] in try findReceipt(for: customer, on: $0) }
        return try await signed(found, for: customer)
    }

    /// A customer's newest receipt: stored, or still to be signed.
    enum FoundReceipt: Sendable {
        case kept([UInt8])
        case toSign(AppReceipt, revision: Int64)
    }

    func findReceipt(for customer: Customer, on connection: any Connection) throws -> FoundReceipt {
        let revision = try CustomersTable.revision(customer.key, on: connection)
        let kept = try SignedReceiptsTable.receipt(
            of: customer.key, device: customer.device, revision: revision, on: connection)
        if let kept { return .kept(kept) }
        return .toSign(try receiptToSign(for: customer, revision: revision, on: connection), revision: revision)
    }

    /// Returns the receipt. Signs and stores it if it isn't yet.
    func signed(_ found: FoundReceipt, for customer: Customer) async throws -> [UInt8] {
        switch found {
        case .kept(let receipt): return receipt
        case .toSign(let contents, let revision):
            // Outside the transaction of the purchase, which is committed long before.
            let receipt = try signing.receipts.sign(contents)
            try await database.write {
                try SignedReceiptsTable.keep(
                    receipt, of: customer.key, device: customer.device, revision: revision, on: $0)
            }
            return receipt
        }
    }

    private func receiptToSign(
        for customer: Customer, revision: Int64, on connection: any Connection
    ) throws -> AppReceipt {
        let entry = try app(customer.bundleID, on: connection)
        let isSandbox = environment.kind.isForTests
        let joined = try CustomersTable.joined(customer.key, on: connection)
        let deviceID = UUID(uuidString: customer.device).map { withUnsafeBytes(of: $0.uuid) { Array($0) } }
        let opaque = cipher.bytes(from: Array("\(customer.key)\(customer.device)\(revision)".utf8), count: 16)
        var receipt = AppReceipt(
            receiptType: ReceiptType(rawValue: environment.kind.receiptType), bundleID: customer.bundleID.rawValue,
            applicationVersion: customer.applicationVersion, opaqueValue: opaque,
            deviceHash: AppReceipt.deviceHash(
                deviceIdentifier: deviceID ?? [], opaqueValue: opaque, bundleID: customer.bundleID.rawValue),
            creationDate: try clock.now(on: connection).wholeSeconds.date,
            originalPurchaseDate: (isSandbox ? ReceiptContents.sandboxOriginalPurchaseDate : joined?.wholeSeconds)?.date
                ?? .distantPast)
        // Sandbox receipts have 0 for the App Store's IDs.
        if !isSandbox {
            receipt.appItemID = entry.app.appleID
            receipt.versionExternalIdentifier = StoreIdentifiers.version(
                customer.applicationVersion, of: customer.bundleID)
        }
        receipt.opaqueAttribute6 =
            cipher.bytes(from: opaque, count: 32) + cipher.bytes(from: opaque.reversed(), count: 22)
        receipt.opaqueAttribute7 = try cipher.encrypt(customer.key)
        let transactions = try TransactionsTable.all(of: customer.key, on: connection)
        receipt.purchases = ReceiptContents.purchases(transactions).map(ReceiptContents.purchase)
        return receipt
    }

    /// Returns the receipt of one transaction in base64: StoreKit 1's `SKPaymentTransaction.transactionReceipt`.
    package func transactionReceipt(of transaction: Transaction, for customer: Customer) async throws -> String {
        let entry = try await database.read { [self] in try app(customer.bundleID, on: $0) }
        return try signedTransactionReceipt(of: transaction, for: customer, entry)
    }

    /// Signs the receipt of one transaction and returns it in base64.
    func signedTransactionReceipt(
        of transaction: Transaction, for customer: Customer, _ entry: CatalogCache.Entry
    ) throws -> String {
        let contents = LegacyReceiptContents.receipt(transaction, for: customer, entry, environment)
        return Data(try signing.transactionReceipts.sign(contents)).base64EncodedString()
    }
}
