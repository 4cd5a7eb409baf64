import Foundation

/// Verifies app receipts on the device.
public protocol ReceiptChecking: Sendable {
    /// Refuses, by throwing, a receipt that is not authentic, or for another app or device.
    ///
    /// - Parameter receipt: PKCS#7 in DER, as the store sent it.
    /// - Returns: The purchases it proves, as far as they are worth remembering; the device's records are rebuilt from
    ///   them.
    func check(_ receipt: Data, bundleID: String, deviceID: UUID) throws -> [PurchaseRecord]
}

/// The app receipt on the device.
struct ReceiptFile: Sendable {
    static let name = "receipt"

    let files: any FileStore
    let checking: (any ReceiptChecking)?
    let bundleID: String
    let deviceID: UUID
    let store: StoreClient
    /// One refresh at a time: an answer that was asked for earlier never takes the place of a later one.
    private let refreshing = AsyncLock()

    init(
        files: any FileStore, checking: (any ReceiptChecking)?, bundleID: String, deviceID: UUID, store: StoreClient
    ) {
        self.files = files
        self.checking = checking
        self.bundleID = bundleID
        self.deviceID = deviceID
        self.store = store
    }

    /// Fetches the receipt and puts it in the old one's place in one step.
    ///
    /// - Throws: Whatever kept it from being replaced; the old one is then still there.
    @discardableResult
    func refresh() async throws -> Data {
        try await refreshing.withLock {
            let receipt = try await store.appReceipt()
            _ = try proven(by: receipt)
            try files.write(receipt, to: Self.name)
            return receipt
        }
    }

    /// The purchases that a receipt proves; none without a ``ReceiptChecking``.
    func proven(by receipt: Data) throws -> [PurchaseRecord] {
        try checking?.check(receipt, bundleID: bundleID, deviceID: deviceID) ?? []
    }
}
