import Foundation

/// Property of a refreshed receipt, without effect; for source compatibility.
public let SKReceiptPropertyIsExpired: String = "expired"
/// Property of a refreshed receipt, without effect; for source compatibility.
public let SKReceiptPropertyIsRevoked: String = "revoked"
/// Property of a refreshed receipt, without effect; for source compatibility.
public let SKReceiptPropertyIsVolumePurchase: String = "vpp"

/// Requests the app receipt, and stores it at `Bundle.main.appStoreReceiptURL`.
///
/// Fails without a store.
///
/// Source: Apple, StoreKit documentation, "SKReceiptRefreshRequest".
open class SKReceiptRefreshRequest: SKRequest {
    private let properties: [String: Any]?

    /// Makes a request without properties.
    public override init() {
        self.properties = nil
        super.init()
    }

    /// Makes a request.
    public init(receiptProperties properties: [String: Any]?) {
        self.properties = properties
        super.init()
    }

    /// Makes a request on a connection.
    package convenience init(receiptProperties properties: [String: Any]? = nil, connection: StoreConnection) {
        self.init(receiptProperties: properties)
        self.connection = connection
    }

    /// Properties of the receipt, without effect.
    open var receiptProperties: [String: Any]? { properties }

    override nonisolated func perform(on connection: StoreConnection?) async -> @Sendable (SKRequest) -> Void {
        do {
            guard let connection else { throw StoreFailure(.unknown, message: "no store is connected") }
            try await connection.refreshReceipt()
            return { $0._requestDelegate?.requestDidFinish($0) }
        } catch {
            let error = SKError(wrapping: error)
            return { $0._requestDelegate?.request($0, didFailWithError: error) }
        }
    }
}

/// Ends the process, as the system does for an app with an invalid receipt: app code asks for a new receipt and ends.
///
/// Source: Apple, StoreKit documentation, "SKTerminateForInvalidReceipt()".
public func SKTerminateForInvalidReceipt() {
    // The status by which launchd knows an app with an invalid receipt.
    exit(173)
}
