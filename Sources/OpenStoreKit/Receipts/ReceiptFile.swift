import Foundation

/// Verifies app receipts on the device.
///
/// Source: Apple, StoreKit documentation, "Validating receipts on the device".
public protocol ReceiptChecking: Sendable {
    /// Verifies a receipt.
    ///
    /// - Parameters:
    ///   - receipt: PKCS#7 in DER, as the store sends it.
    ///   - bundleID: Bundle ID that the receipt must have.
    ///   - deviceID: Device that the receipt must belong to.
    /// - Returns: The receipt's purchases, to rebuild the device's records.
    /// - Throws: Any error for a receipt that isn't authentic, or belongs to another app or device.
    func check(_ receipt: Data, bundleID: String, deviceID: UUID) throws -> [PurchaseRecord]
}

/// The file of the app receipt.
struct ReceiptFile: Sendable {
    static let name = "receipt"

    let files: any FileStore
    let checking: (any ReceiptChecking)?
    let bundleID: String
    let deviceID: UUID
    let store: StoreProtocolClient
    /// Lock for one refresh at a time, so that an older answer never replaces a newer one.
    private let refreshing = AsyncLock()

    init(
        files: any FileStore, checking: (any ReceiptChecking)?, bundleID: String, deviceID: UUID,
        store: StoreProtocolClient
    ) {
        self.files = files
        self.checking = checking
        self.bundleID = bundleID
        self.deviceID = deviceID
        self.store = store
    }

    /// Fetches the receipt and replaces the file atomically.
    ///
    /// - Throws: Any error of the store or the file, with the old receipt kept.
    @discardableResult
    func refresh() async throws -> Data {
        try await refreshing.withLock {
            let receipt = try await store.appReceipt()
            _ = try proven(by: receipt)
            try files.write(receipt, to: Self.name)
            return receipt
        }
    }

    /// Returns the purchases of a verified receipt; none without a ``ReceiptChecking``.
    func proven(by receipt: Data) throws -> [PurchaseRecord] {
        try checking?.check(receipt, bundleID: bundleID, deviceID: deviceID) ?? []
    }
}
