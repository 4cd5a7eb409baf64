import AppStoreFormats
import Foundation

/// Checks app receipts by their signature: the chain to a pinned root, the app's bundle ID, and the device they are bound to.
///
/// Source: Apple, "Validating receipts on the device".
public struct SignedReceiptChecking: ReceiptChecking {
    private let verifier: ReceiptVerifier

    /// Makes a check with a pinned root.
    ///
    /// - Parameter rootCertificate: The store's receipt root in DER, from `GET /certificates/receipt-root.cer`, shipped with the app.
    /// - Throws: `CertificateChainError` for an invalid certificate.
    public init(rootCertificate: [UInt8]) throws {
        verifier = try ReceiptVerifier(trustedRoots: [rootCertificate])
    }

    public func check(_ receipt: Data, bundleID: String, deviceID: UUID) throws -> [PurchaseRecord] {
        let verified = try verifier.verify(Array(receipt))
        guard verified.bundleID == bundleID else {
            throw StoreFailure(.unknown, message: "the receipt is another app's")
        }
        guard verified.belongs(toDevice: withUnsafeBytes(of: deviceID.uuid) { Array($0) }) else {
            throw StoreFailure(.unknown, message: "the receipt is another device's")
        }
        return verified.purchases.map { purchase in
            PurchaseRecord(
                transactionIdentifier: purchase.transactionID,
                originalTransactionIdentifier: purchase.originalTransactionID, productIdentifier: purchase.productID,
                productType: Self.name(purchase.productType), quantity: Int(purchase.quantity),
                purchaseDate: purchase.purchaseDate)
        }
    }

    /// Returns the name of a product type in store/v1.
    private static func name(_ type: AppReceipt.ProductType) -> String {
        switch type {
        case .consumable: "consumable"
        case .nonConsumable: "nonConsumable"
        case .nonRenewingSubscription: "nonRenewing"
        default: "autoRenewable"
        }
    }
}
