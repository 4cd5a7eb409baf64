import Foundation

/// What a receipt says of itself, nothing of it proven: for whoever has had it verified elsewhere.
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

    /// Whether it was made for a device: by the hash in an app receipt (Apple, "Validating receipts on the device"), by the
    /// vendor's identifier in an old transaction receipt. One that names no device belongs to none.
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

    private static func appReceipt(_ bytes: [UInt8]) -> AppReceipt? {
        (try? ParsedReceiptContainer(bytes)).flatMap { try? AppReceipt(payload: $0.payload) }
    }

    private static func transactionReceipt(_ bytes: [UInt8]) -> TransactionReceipt? {
        guard let entries = try? PropertyListText.decode(bytes),
            let info = entries["purchase-info"].flatMap({ Base64.decode($0) })
        else { return nil }
        return try? TransactionReceipt(purchaseInfo: info)
    }
}
