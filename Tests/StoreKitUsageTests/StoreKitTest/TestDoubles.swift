import StoreKit
import StoreKitTest

// Test doubles of StoreKitTest, as test helpers of apps are: a session that records, and transactions that are made up.

final class RecordingSession: SKTestSession, @unchecked Sendable {
    nonisolated(unsafe) private(set) var refunded: [UInt] = []
    /// Transactions that are listed in place of the session's own; `nil` for those.
    nonisolated(unsafe) var madeUp: [SKTestTransaction]?

    override func refundTransaction(identifier: UInt) throws {
        try super.refundTransaction(identifier: identifier)
        refunded.append(identifier)
    }

    override func allTransactions() -> [SKTestTransaction] { madeUp ?? super.allTransactions() }
}

final class DoubleTestTransaction: SKTestTransaction, @unchecked Sendable {
    private let product: String

    init(of product: String) {
        self.product = product
        super.init()
    }

    override var identifier: UInt { 17 }
    override var originalTransactionIdentifier: UInt { 16 }
    override var productIdentifier: String { product }
    override var state: SKPaymentTransactionState { .deferred }
    override var autoRenewingEnabled: Bool { true }
    override var purchaseDate: Date { Date(timeIntervalSince1970: 1_700_000_000) }
    override var expirationDate: Date? { Date(timeIntervalSince1970: 1_700_086_400) }
    override var cancelDate: Date? { nil }
    override var hasPurchaseIssue: Bool { true }
    override var pendingAskToBuyConfirmation: Bool { true }
    override var isPendingPriceIncreaseConsent: Bool { true }
}
