import AppStoreFormats
import Foundation
import Perennial
import PerennialStorage

extension Store {
    /// The customer's app receipt, bound to the device: signed once for each state of the purchases, then kept.
    package func appReceipt(for customer: Customer) async throws -> [UInt8] {
        let found = try await database.read { [self] in try findReceipt(for: customer, on: $0) }
        return try await signed(found, for: customer)
    }

    /// A customer's newest receipt, as far as it is there.
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

    /// The receipt that was found, signed and kept if it wasn't yet.
    func signed(_ found: FoundReceipt, for customer: Customer) async throws -> [UInt8] {
        switch found {
        case .kept(let receipt): return receipt
        case .toSign(let contents, let revision):
            // Off the write path: the purchase is long committed when its receipt is signed.
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
        let isSandbox = environment.kind == .sandbox
        let joined = try CustomersTable.joined(customer.key, on: connection)
        let deviceID = UUID(uuidString: customer.device).map { withUnsafeBytes(of: $0.uuid) { Array($0) } }
        let opaque = seal.bytes(from: Array("\(customer.key)\(customer.device)\(revision)".utf8), count: 16)
        var receipt = AppReceipt(
            receiptType: ReceiptType(rawValue: environment.kind.receiptType), bundleID: customer.bundleID.rawValue,
            applicationVersion: customer.applicationVersion, opaqueValue: opaque,
            deviceHash: AppReceipt.deviceHash(
                deviceIdentifier: deviceID ?? [], opaqueValue: opaque, bundleID: customer.bundleID.rawValue),
            creationDate: try clock.now(on: connection).wholeSeconds.date,
            originalPurchaseDate: (isSandbox ? ReceiptContents.sandboxOriginalPurchaseDate : joined?.wholeSeconds)?.date
                ?? .distantPast)
        // Sandbox knows no app of the App Store: these numbers are 0 there.
        if !isSandbox {
            receipt.appItemID = entry.app.appleID
            receipt.versionExternalIdentifier = StoreIdentifiers.version(
                customer.applicationVersion, of: customer.bundleID)
        }
        receipt.opaqueAttribute6 = seal.bytes(from: opaque, count: 32) + seal.bytes(from: opaque.reversed(), count: 22)
        receipt.opaqueAttribute7 = try seal.seal(customer.key)
        let transactions = try TransactionsTable.all(of: customer.key, on: connection)
        receipt.purchases = ReceiptContents.purchases(transactions).map(ReceiptContents.purchase)
        return receipt
    }

    /// The old form of receipt, of one transaction: `SKPaymentTransaction.transactionReceipt`, in base64.
    package func transactionReceipt(of transaction: Transaction, for customer: Customer) async throws -> String {
        let entry = try await database.read { [self] in try app(customer.bundleID, on: $0) }
        return try signedTransactionReceipt(of: transaction, for: customer, entry)
    }
}
