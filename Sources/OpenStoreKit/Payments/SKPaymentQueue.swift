import Dispatch
import Foundation
import Synchronization

/// A queue of payment transactions.
///
/// * Processes payments one at a time, in order. Each is in the queue's journal on disk with an idempotency key before it is
///   sent. After a crash it is sent again under the same key, so it is never paid twice.
/// * Sends nothing without an observer. The first observer gets all unfinished transactions of the journal and of the store.
/// * Keeps a transaction until the app finishes it, over any number of launches.
/// * Calls observers on the main queue, in order.
///
/// A queue of ``init()`` follows the process's store: its observers stay when another store becomes current, and get the
/// transactions of that one.
///
/// Source: Apple, StoreKit documentation, "SKPaymentQueue".
open class SKPaymentQueue: NSObject, @unchecked Sendable {
    let source: any QueueSource

    /// Makes a queue of the process's store. Does nothing before its first use.
    public override init() {
        self.source = ProcessQueue()
    }

    /// Makes a queue of one connection, for tests and for programs with several customers.
    ///
    /// - Parameters:
    ///   - connection: Connection to the store.
    ///   - nonRenewingTerms: Refuses to buy a non-renewing subscription again during its term; `nil` leaves that to the store.
    ///   - callbackQueue: Serial queue for calls of observers; the default is a queue of its own.
    package init(
        connection: StoreConnection, nonRenewingTerms: NonRenewingTermRules? = nil, callbackQueue: DispatchQueue? = nil
    ) {
        self.source = ConnectionQueue(
            connection: connection,
            engine: QueueEngine(
                connection: connection, terms: nonRenewingTerms,
                callbackQueue: callbackQueue ?? DispatchQueue(label: "org.perennial.OpenStoreKit.payments")))
    }

    init(source: any QueueSource) {
        self.source = source
    }

    deinit {
        source.close()
    }

    /// The queue of the task's connection, or else of the process's store.
    open class func `default`() -> SKPaymentQueue {
        CurrentStore.taskConnection?.paymentQueue ?? processQueue
    }

    private static let processQueue = SKPaymentQueue()

    /// True if the customer may buy; also before the first sign-in.
    ///
    /// Source: Apple, StoreKit documentation, "canMakePayments()".
    open class func canMakePayments() -> Bool {
        CurrentStore.connection?.canMakePayments ?? true
    }

    // MARK: Observers

    /// Adds an observer, held weakly, and gives it all unfinished transactions.
    ///
    /// Source: Apple, StoreKit documentation, "add(_:)".
    open func add(_ observer: any SKPaymentTransactionObserver) {
        source.add(observer, to: self)
    }

    /// Removes an observer.
    open func remove(_ observer: any SKPaymentTransactionObserver) {
        source.remove(observer, from: self)
    }

    /// The observers.
    open var transactionObservers: [any SKPaymentTransactionObserver] { source.observers(of: self) }

    /// Delegate, held weakly.
    open weak var delegate: (any SKPaymentQueueDelegate)? {
        get { source.delegate }
        set { source.setDelegate(newValue, of: self) }
    }

    // MARK: Payments

    /// Unfinished transactions that the observers know.
    open var transactions: [SKPaymentTransaction] { source.engine?.callbacks.transactions ?? [] }

    /// Last known storefront of the customer; `nil` before the first sign-in.
    open var storefront: SKStorefront? { source.engine?.storefront }

    /// Adds a copy of a payment, and returns when it is in the journal.
    ///
    /// A payment without a product or with an invalid quantity fails with `paymentInvalid`, where StoreKit raises an exception.
    /// Without a store it fails with `storeProductNotAvailable`.
    ///
    /// Source: Apple, StoreKit documentation, "add(_:)".
    open func add(_ payment: SKPayment) {
        let order = PaymentOrder(payment)
        if let engine = source.engine { engine.add(order) } else { source.refuse(order, on: self) }
    }

    /// Finishes a transaction that the app has delivered.
    ///
    /// Repeats the request until the store acknowledges it, and then removes the transaction. Cancels its downloads that haven't ended,
    /// and deletes its content. Has no effect on a transaction that is being purchased, where StoreKit raises an exception.
    ///
    /// Source: Apple, StoreKit documentation, "finishTransaction(_:)".
    open func finishTransaction(_ transaction: SKPaymentTransaction) {
        // The state that the app knows counts: before it knows of the purchase it can't have delivered.
        guard let id = transaction.entryID, ![.purchasing, .deferred].contains(transaction.transactionState) else {
            return
        }
        cancel(transaction.downloads)
        source.engine?.finish(id)
    }

    // MARK: Restoring

    /// Restores purchases. Observers get them in `updatedTransactions` as new transactions with their originals, and then the end
    /// of the restore. A second restore during one fails.
    ///
    /// Source: Apple, StoreKit documentation, "restoreCompletedTransactions()".
    open func restoreCompletedTransactions() {
        restore(applicationUsername: nil)
    }

    /// Restores purchases with an application username.
    open func restoreCompletedTransactions(withApplicationUsername username: String?) {
        restore(applicationUsername: username)
    }

    private func restore(applicationUsername: String?) {
        if let engine = source.engine {
            engine.restore(applicationUsername: applicationUsername)
        } else {
            source.refuseRestore(on: self)
        }
    }

    // MARK: Sheets

    /// Shows pending price increases on the connection's sheet, also those that the delegate has postponed. Has no effect without a
    /// sheet.
    ///
    /// Source: Apple, StoreKit documentation, "showPriceConsentIfNeeded()".
    open func showPriceConsentIfNeeded() {
        source.engine?.showPriceConsent()
    }

    /// Shows the connection's code redemption sheet and redeems the code. Observers get the purchase like one from outside of the
    /// app. Has no effect without a sheet; use ``StoreConnection/redeem(code:)`` to get errors.
    ///
    /// Source: Apple, StoreKit documentation, "presentCodeRedemptionSheet()".
    open func presentCodeRedemptionSheet() {
        guard let connection = source.connection else { return }
        Task { await connection.presentCodeRedemptionSheet() }
    }

    // MARK: Downloads

    /// Starts downloads and gives observers their progress. Keeps them until they end.
    open func start(_ downloads: [SKDownload]) { downloads.forEach { source.engine?.downloads.start($0) } }
    /// Pauses downloads, also those that wait. Observers get them as paused.
    open func pause(_ downloads: [SKDownload]) { downloads.forEach { source.engine?.downloads.pause($0) } }
    /// Continues downloads, also failed ones, as ``start(_:)`` does.
    open func resume(_ downloads: [SKDownload]) { start(downloads) }
    /// Cancels downloads and deletes their received bytes. Observers get them as cancelled.
    open func cancel(_ downloads: [SKDownload]) { downloads.forEach { source.engine?.downloads.cancel($0) } }
}

extension SKPaymentQueue {
    /// Gives observers the unfinished transactions again, fetches new ones, and sends pending requests, as StoreKit does when an app
    /// returns to the foreground. Returns when all is done and the observers were called.
    package func synchronize() async {
        await source.engine?.synchronize()
    }

    /// Ends the queue as the end of its process does: calls no observers, sends nothing, and keeps the journal. A later queue with
    /// the same folder continues from there.
    package func close() async {
        guard let engine = source.engine else { return }
        engine.cancel()
        await engine.idle()
    }

    /// The connection; `nil` without a store.
    package var connection: StoreConnection? { source.connection }

    /// Returns when no work is left and the observers were called.
    package func settle() async {
        await source.engine?.idle()
    }
}
