import Foundation
import OpenStoreKit

/// A transaction of a test session, as it was when ``SKTestSession/allTransactions()`` returned it.
///
/// Source: Apple, StoreKitTest documentation, "SKTestTransaction".
open class SKTestTransaction: NSObject, @unchecked Sendable {
    private let facts: TestTransactionFacts

    /// Makes a transaction without a purchase, for subclasses that stand in for one in tests.
    public override init() {
        facts = TestTransactionFacts(
            identifier: 0, originalIdentifier: 0, productID: "", state: .purchased,
            purchaseDate: Date(timeIntervalSince1970: 0))
    }

    init(_ facts: TestTransactionFacts) {
        self.facts = facts
    }

    /// The transaction's identifier; until it is decided, the number of a purchase that waits for approval or has an issue.
    open var identifier: UInt { facts.identifier }
    /// Identifier of the first transaction of the purchase.
    open var originalTransactionIdentifier: UInt { facts.originalIdentifier }
    /// Identifier of the product.
    open var productIdentifier: String { facts.productID }
    /// State of the transaction: deferred while it waits for approval, failed while it has a purchase issue.
    open var state: SKPaymentTransactionState { facts.state }
    /// True if the subscription renews by itself.
    open var autoRenewingEnabled: Bool { facts.renewsAutomatically }
    /// Date of the purchase or renewal.
    open var purchaseDate: Date { facts.purchaseDate }
    /// End of the period; `nil` for other products.
    open var expirationDate: Date? { facts.expirationDate }
    /// Date of the refund; `nil` without one.
    open var cancelDate: Date? { facts.cancelDate }
    /// True if the purchase is interrupted, or the renewal's payment failed.
    open var hasPurchaseIssue: Bool { facts.hasIssue }
    /// True if the purchase waits for approval.
    open var pendingAskToBuyConfirmation: Bool { facts.awaitsApproval }
    /// True if a price increase waits for the customer's consent.
    open var isPendingPriceIncreaseConsent: Bool { facts.awaitsPriceConsent }

    open override var description: String {
        "<SKTestTransaction \(identifier) \(productIdentifier) \(purchaseDate)>"
    }
}

/// Values of an ``SKTestTransaction``.
struct TestTransactionFacts: Sendable {
    var identifier: UInt
    var originalIdentifier: UInt
    var productID: String
    var state: SKPaymentTransactionState
    var purchaseDate: Date
    var expirationDate: Date?
    var cancelDate: Date?
    var renewsAutomatically = false
    var hasIssue = false
    var awaitsApproval = false
    var awaitsPriceConsent = false
}
