import Foundation
import Synchronization

/// Property of a refreshed receipt, without effect; for source compatibility.
public let SKReceiptPropertyIsExpired = "expired"
/// Property of a refreshed receipt, without effect; for source compatibility.
public let SKReceiptPropertyIsRevoked = "revoked"
/// Property of a refreshed receipt, without effect; for source compatibility.
public let SKReceiptPropertyIsVolumePurchase = "vpp"

/// Requests the app receipt, and stores it at ``StoreConnection/appStoreReceiptURL``.
///
/// Source: Apple, StoreKit documentation, "SKReceiptRefreshRequest".
public final class SKReceiptRefreshRequest: NSObject, SKRequest {
    /// Properties of the receipt, without effect.
    public let receiptProperties: [String: any Sendable]?
    private let connection: StoreConnection
    private let run = RequestRun()
    private let delegateBox = Mutex<(any SKRequestDelegate)?>(nil)

    /// Makes a request on the process-wide connection.
    public convenience init(receiptProperties: [String: any Sendable]? = nil) {
        self.init(receiptProperties: receiptProperties, connection: .ofProcess)
    }

    /// Makes a request on a connection.
    public init(receiptProperties: [String: any Sendable]? = nil, connection: StoreConnection) {
        self.receiptProperties = receiptProperties
        self.connection = connection
    }

    /// Delegate, held until the end of the request.
    public var delegate: (any SKRequestDelegate)? {
        get { delegateBox.withLock { $0 } }
        set { delegateBox.withLock { $0 = newValue } }
    }

    /// Sends the request, once.
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

    /// Cancels the request. The delegate isn't called any more.
    public func cancel() {
        run.cancel()
        delegate = nil
    }
}

extension StoreConnection {
    /// Fetches the app receipt, stores it and returns it; an addition to StoreKit.
    ///
    /// - Throws: ``SKError``, with the stored receipt kept.
    @discardableResult
    public func refreshReceipt() async throws -> Data {
        do {
            return try await receipts.refresh()
        } catch {
            throw SKError(wrapping: error)
        }
    }
}
