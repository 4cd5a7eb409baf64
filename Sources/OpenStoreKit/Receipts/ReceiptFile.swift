import Foundation
import Synchronization

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
final class ReceiptFile: Sendable {
    static let name = "receipt"
    /// Time after a change in which further changes go into the same receipt: a signature costs a third of a purchase.
    private static let gatheringTime = Duration.milliseconds(250)

    private struct State {
        /// Number of the newest request, and of the newest one whose receipt was written.
        var requests = 0
        var written = 0
        /// True if the purchases have changed since the request for the newest receipt.
        var isOutdated = false
        /// Waits for further changes, then renews the file.
        var renewal: Task<Void, Never>?
    }

    let files: any FileStore
    let checking: (any ReceiptChecking)?
    let bundleID: String
    let deviceID: UUID
    let store: StoreProtocolClient
    private let dependencies: DeviceDependencies
    private let state = Mutex(State())

    init(
        files: any FileStore, checking: (any ReceiptChecking)?, bundleID: String, deviceID: UUID,
        store: StoreProtocolClient, dependencies: DeviceDependencies
    ) {
        self.files = files
        self.checking = checking
        self.bundleID = bundleID
        self.deviceID = deviceID
        self.store = store
        self.dependencies = dependencies
    }

    deinit {
        state.withLock { $0.renewal?.cancel() }
    }

    /// Fetches the receipt and replaces the file atomically, unless a receipt of a later request was written meanwhile.
    ///
    /// - Throws: Any error of the store or the file, with the old receipt kept.
    @discardableResult
    func refresh() async throws -> Data {
        let request = beginRequest()
        do {
            let receipt = try await store.appReceipt()
            try write(receipt, of: request)
            return receipt
        } catch {
            state.withLock { $0.isOutdated = true }
            throw error
        }
    }

    /// Renews the file soon, after changes of purchases that their caller doesn't wait for. Several changes get one receipt.
    func renewSoon() {
        state.withLock { state in
            state.isOutdated = true
            guard state.renewal == nil else { return }
            state.renewal = Task { [weak self, dependencies] in
                guard (try? await dependencies.sleep(Self.gatheringTime)) != nil else { return }
                await self?.renew()
            }
        }
    }

    private func renew() async {
        let isOutdated = state.withLock { state in
            state.renewal = nil
            return state.isOutdated
        }
        // Without the store, the next change or refresh makes the file.
        if isOutdated { _ = try? await refresh() }
    }

    /// Renews an outdated file at once, if the store is in this process and answers without a network.
    func renewNow() {
        guard state.withLock({ $0.isOutdated }), let inProcess = store.http.transport.inProcess,
            let token = store.session?.token
        else { return }
        let request = beginRequest()
        guard let receipt = try? inProcess.appReceipt(token: token), (try? write(receipt, of: request)) != nil else {
            return state.withLock { $0.isOutdated = true }
        }
    }

    /// Removes the file, as of a store that was emptied. Answers to earlier requests bring nothing back.
    func remove() {
        state.withLock { state in
            state.requests += 1
            state.written = state.requests
            state.isOutdated = false
            try? files.remove(Self.name)
        }
    }

    private func beginRequest() -> Int {
        state.withLock { state in
            state.requests += 1
            state.isOutdated = false
            return state.requests
        }
    }

    private func write(_ receipt: Data, of request: Int) throws {
        _ = try proven(by: receipt)
        try state.withLock { state in
            guard request > state.written else { return }
            try files.write(receipt, to: Self.name)
            state.written = request
        }
    }

    /// Returns the purchases of a verified receipt; none without a ``ReceiptChecking``.
    func proven(by receipt: Data) throws -> [PurchaseRecord] {
        try checking?.check(receipt, bundleID: bundleID, deviceID: deviceID) ?? []
    }
}
