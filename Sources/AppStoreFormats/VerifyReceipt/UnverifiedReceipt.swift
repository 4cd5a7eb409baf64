import BaseEncoding
import Foundation

/// Reads a receipt's own statements without proof, for callers that had it verified elsewhere.
extension VerifyReceiptRequest.Receipt {
    /// Decodes a receipt as verifyReceipt does.
    /// - Throws: ``VerifyReceiptStatus/malformedReceipt``.
    package init(base64 text: String) throws(VerifyReceiptStatus) {
        guard text.utf8.count <= VerifyReceiptRequest.maximumSize, let bytes = Base64.decode(text) else {
            throw .malformedReceipt
        }
        try self.init(bytes)
    }

    /// The app that it names.
    package var claimedBundleID: String? {
        switch self {
        case .app(let bytes): Self.appReceipt(bytes)?.bundleID
        case .transaction(let bytes): Self.transactionReceipt(bytes)?.bundleID
        }
    }

    /// Returns true if the receipt was created for a device: by the hash in an app receipt (Apple, "Validating receipts
    /// on the device"), by the vendor's identifier in an old transaction receipt.
    ///
    /// A receipt that names no device belongs to none.
    ///
    /// - Parameter device: `identifierForVendor`.
    package func belongs(toDevice device: UUID) -> Bool {
        switch self {
        case .app(let bytes):
            Self.appReceipt(bytes)?.belongs(toDevice: withUnsafeBytes(of: device.uuid) { Array($0) }) ?? false
        case .transaction(let bytes):
            Self.transactionReceipt(bytes)?.uniqueVendorIdentifier.flatMap(UUID.init(uuidString:)) == device
        }
    }

    package static func appReceipt(_ bytes: [UInt8]) -> AppReceipt? {
        (try? ParsedReceiptContainer(bytes)).flatMap { try? AppReceipt(payload: $0.payload) }
    }

    package static func transactionReceipt(_ bytes: [UInt8]) -> TransactionReceipt? {
        guard let entries = try? PropertyListText.decode(bytes),
            let info = entries["purchase-info"].flatMap({ Base64.decode($0) })
        else { return nil }
        return try? TransactionReceipt(purchaseInfo: info)
    }
}
