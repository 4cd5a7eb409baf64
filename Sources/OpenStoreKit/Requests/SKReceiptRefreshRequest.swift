import Foundation
import Synchronization

/// Asked-for properties of a refreshed receipt: accepted for the sake of code written for StoreKit, without effect.
public let SKReceiptPropertyIsExpired = "expired"
public let SKReceiptPropertyIsRevoked = "revoked"
public let SKReceiptPropertyIsVolumePurchase = "vpp"

/// Fetches the app receipt anew and stores it at ``StoreConnection/appStoreReceiptURL``.
public final class SKReceiptRefreshRequest: NSObject, SKRequest {
    /// As given; the store takes no notice of it.
    public let receiptProperties: [String: any Sendable]?
    private let connection: StoreConnection
    private let run = RequestRun()
    private let delegateBox = Mutex<(any SKRequestDelegate)?>(nil)

    /// Refreshes through the process-wide connection.
    public convenience init(receiptProperties: [String: any Sendable]? = nil) {
        self.init(receiptProperties: receiptProperties, connection: .ofProcess)
    }

    public init(receiptProperties: [String: any Sendable]? = nil, connection: StoreConnection) {
        self.receiptProperties = receiptProperties
        self.connection = connection
    }

    /// Held until the request is over.
    public var delegate: (any SKRequestDelegate)? {
        get { delegateBox.withLock { $0 } }
        set { delegateBox.withLock { $0 = newValue } }
    }

    public func start() {
        run.start { [self] in
            let failure: SKError?
            do {
                try await connection.receipts.refresh()
                failure = nil
            } catch {
                failure = SKError(wrapping: error)
            }
            connection.requestQueue.async { [self] in
                guard !run.isCancelled, let delegate else { return }
                if let failure {
                    delegate.request(self, didFailWithError: failure)
                } else {
                    delegate.requestDidFinish(self)
                }
                self.delegate = nil
            }
        }
    }

    public func cancel() {
        run.cancel()
        delegate = nil
    }
}

extension StoreConnection {
    /// Not StoreKit's: fetches the app receipt anew, stores it and returns it.
    ///
    /// - Throws: ``SKError``; the stored receipt is then as it was.
    @discardableResult
    public func refreshReceipt() async throws -> Data {
        do {
            return try await receipts.refresh()
        } catch {
            throw SKError(wrapping: error)
        }
    }
}
