import Foundation

/// Observes payment transactions. The queue calls observers in order on its callback queue, and holds them weakly.
///
/// Source: Apple, StoreKit documentation, "SKPaymentTransactionObserver".
public protocol SKPaymentTransactionObserver: NSObjectProtocol {
    /// Called when transactions were added or changed their state.
    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction])
    /// Called when transactions were finished and the store has acknowledged it.
    func paymentQueue(_ queue: SKPaymentQueue, removedTransactions transactions: [SKPaymentTransaction])
    /// Called when a restore failed.
    func paymentQueue(_ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: any Error)
    /// Called after a restore, when `updatedTransactions` has got all transactions.
    func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue)
    /// Called when downloads of the queue made progress or changed their state.
    func paymentQueue(_ queue: SKPaymentQueue, updatedDownloads downloads: [SKDownload])
    /// Called for a purchase that was started outside of the app, such as one of a promoted product.
    ///
    /// - Returns: True to add the payment to the queue; false to add it later, or never.
    func paymentQueue(_ queue: SKPaymentQueue, shouldAddStorePayment payment: SKPayment, for product: SKProduct) -> Bool
    /// Called when purchases were refunded or revoked. The app receipt is up to date by then.
    func paymentQueue(
        _ queue: SKPaymentQueue, didRevokeEntitlementsForProductIdentifiers productIdentifiers: [String])
    /// Called when the customer's storefront changed. Request products again.
    func paymentQueueDidChangeStorefront(_ queue: SKPaymentQueue)
}

/// Default implementations, which do nothing: all methods but `updatedTransactions` are optional.
extension SKPaymentTransactionObserver {
    public func paymentQueue(_ queue: SKPaymentQueue, removedTransactions transactions: [SKPaymentTransaction]) {}
    public func paymentQueue(
        _ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: any Error
    ) {}
    public func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue) {}
    public func paymentQueue(_ queue: SKPaymentQueue, updatedDownloads downloads: [SKDownload]) {}
    public func paymentQueue(
        _ queue: SKPaymentQueue, shouldAddStorePayment payment: SKPayment, for product: SKProduct
    ) -> Bool { false }
    public func paymentQueue(
        _ queue: SKPaymentQueue, didRevokeEntitlementsForProductIdentifiers productIdentifiers: [String]
    ) {}
    public func paymentQueueDidChangeStorefront(_ queue: SKPaymentQueue) {}
}

/// Decides for the payment queue.
///
/// Source: Apple, StoreKit documentation, "SKPaymentQueueDelegate".
public protocol SKPaymentQueueDelegate: NSObjectProtocol {
    /// Returns true to continue a payment after a change of the customer's storefront; false fails it with
    /// `storeProductNotAvailable`.
    func paymentQueue(
        _ paymentQueue: SKPaymentQueue, shouldContinue transaction: SKPaymentTransaction, in newStorefront: SKStorefront
    ) -> Bool
    /// Returns true to show the price consent sheet now; false to show it later with `showPriceConsentIfNeeded()`.
    func paymentQueueShouldShowPriceConsent(_ paymentQueue: SKPaymentQueue) -> Bool
}

/// Default implementations, which allow everything.
extension SKPaymentQueueDelegate {
    public func paymentQueue(
        _ paymentQueue: SKPaymentQueue, shouldContinue transaction: SKPaymentTransaction, in newStorefront: SKStorefront
    ) -> Bool { true }
    public func paymentQueueShouldShowPriceConsent(_ paymentQueue: SKPaymentQueue) -> Bool { true }
}
