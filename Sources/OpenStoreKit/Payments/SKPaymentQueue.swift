import Dispatch
import Foundation
import Synchronization

/// A queue of payment transactions.
///
/// * Processes payments one at a time, in order. Each is in the queue's journal on disk with an idempotency key before it is
///   sent. After a crash it is sent again under the same key, so it is never paid twice.
/// * Sends nothing without an observer. The first observer gets all unfinished transactions of the journal and of the store.
/// * Keeps a transaction until the app finishes it, over any number of launches.
/// * Calls observers on the callback queue, in order.
///
/// An app and account in a storage folder may have one queue at a time.
///
/// Source: Apple, StoreKit documentation, "SKPaymentQueue".
public final class SKPaymentQueue: NSObject, Sendable {
    /// Connection to the store.
    public let connection: StoreConnection
    let engine: QueueEngine
    let codeRedemptionSheet: (any CodeRedemptionSheet)?

    /// Makes a queue. `SKPaymentQueue.default()` returns the queue of the process-wide connection.
    ///
    /// - Parameters:
    ///   - connection: Connection to the store.
    ///   - paymentSheet: Asks the customer; the default confirms every payment.
    ///   - nonRenewingTerms: Refuses to buy a non-renewing subscription again during its term; `nil` leaves that to the store.
    ///   - codeRedemptionSheet: Asks the customer for an offer code.
    ///   - callbackQueue: Serial queue for calls of observers; the default is a queue of its own.
    public init(
        connection: StoreConnection, paymentSheet: any PaymentSheet = ImmediatePaymentSheet(),
        nonRenewingTerms: NonRenewingTermRules? = nil, codeRedemptionSheet: (any CodeRedemptionSheet)? = nil,
        callbackQueue: DispatchQueue? = nil
    ) {
        self.connection = connection
        self.codeRedemptionSheet = codeRedemptionSheet
        self.engine = QueueEngine(
            connection: connection, sheet: paymentSheet, terms: nonRenewingTerms,
            callbackQueue: callbackQueue ?? DispatchQueue(label: "org.perennial.OpenStoreKit.payments"))
        super.init()
        engine.callbacks.attach(self)
    }

    deinit {
        engine.cancel()
    }

    // MARK: Observers

    /// Adds an observer, held weakly, and gives it all unfinished transactions.
    ///
    /// Source: Apple, StoreKit documentation, "add(_:)".
    public func add(_ observer: any SKPaymentTransactionObserver) {
        engine.add(observer)
    }

    /// Removes an observer.
    public func remove(_ observer: any SKPaymentTransactionObserver) {
        engine.callbacks.remove(observer)
    }

    /// The observers.
    public var transactionObservers: [any SKPaymentTransactionObserver] { engine.callbacks.observers }

    /// Delegate, held weakly.
    public var delegate: (any SKPaymentQueueDelegate)? {
        get { engine.flags.withLock { $0.delegate.object } as? any SKPaymentQueueDelegate }
        set { engine.flags.withLock { $0.delegate.object = newValue } }
    }

    // MARK: Payments

    /// Unfinished transactions that the observers know.
    public var transactions: [SKPaymentTransaction] { engine.callbacks.transactions }

    /// Last known storefront of the customer.
    public var storefront: SKStorefront? { connection.storefront }

    /// Adds a copy of a payment, and returns when it is in the journal.
    ///
    /// A payment without a product or with an invalid quantity fails with `paymentInvalid`, where StoreKit raises an exception.
    ///
    /// Source: Apple, StoreKit documentation, "add(_:)".
    public func add(_ payment: SKPayment) {
        engine.add(payment.order)
    }

    /// Finishes a transaction that the app has delivered, and adds it to ``records``.
    ///
    /// Repeats the request until the store acknowledges it, and then removes the transaction. Has no effect on a transaction that
    /// is being purchased, where StoreKit raises an exception.
    ///
    /// Source: Apple, StoreKit documentation, "finishTransaction(_:)".
    public func finishTransaction(_ transaction: SKPaymentTransaction) {
        // The state that the app knows counts: before it knows of the purchase it can't have delivered.
        guard ![.purchasing, .deferred].contains(transaction.transactionState) else { return }
        engine.finish(transaction.entryID)
    }

    /// Returns a transaction's receipt in the old form, from the device or the store; an addition to StoreKit.
    ///
    /// - Throws: ``SKError``; `clientInvalid` for a transaction that was not purchased.
    public func receipt(for transaction: SKPaymentTransaction) async throws -> Data {
        if let receipt = transaction.transactionReceipt { return receipt }
        guard let id = transaction.original?.transactionIdentifier ?? transaction.transactionIdentifier else {
            throw SKError(.clientInvalid, message: "the transaction was not purchased")
        }
        do {
            return try await connection.store.transactionReceipt(id)
        } catch {
            throw SKError(wrapping: error)
        }
    }

    // MARK: Restoring

    /// Restores purchases. Observers get them in `updatedTransactions` as new transactions with their originals, and then the end
    /// of the restore. A second restore during one fails.
    ///
    /// Source: Apple, StoreKit documentation, "restoreCompletedTransactions()".
    public func restoreCompletedTransactions() {
        engine.restore(applicationUsername: nil)
    }

    /// Restores purchases with an application username.
    public func restoreCompletedTransactions(withApplicationUsername username: String?) {
        engine.restore(applicationUsername: username)
    }

    // MARK: Beyond StoreKit

    /// Records of finished purchases on this device.
    public var records: PurchaseRecords { engine.records }

    /// Gives observers the unfinished transactions again, fetches new ones, and sends pending requests, as StoreKit does when an app
    /// returns to the foreground. Returns when all is done and the observers were called.
    public func synchronize() async {
        await engine.synchronize()
    }

    /// Ends the queue as the end of its process does: calls no observers, sends nothing, and keeps the journal. A later queue with
    /// the same folder continues from there.
    public func close() async {
        engine.cancel()
        await engine.idle()
    }

    /// Returns when no work is left and the observers were called.
    package func settle() async {
        await engine.idle()
    }

    /// Has no effect: the client has no price consent sheet.
    public func showPriceConsentIfNeeded() {}

    // MARK: Downloads

    /// Starts downloads and gives observers their progress. Keeps them until they end.
    public func start(_ downloads: [SKDownload]) {
        downloads.forEach(engine.downloads.start)
    }

    /// Pauses downloads.
    public func pause(_ downloads: [SKDownload]) { downloads.forEach { $0.pause() } }
    /// Continues downloads, also failed ones, as ``start(_:)`` does.
    public func resume(_ downloads: [SKDownload]) { start(downloads) }
    /// Cancels downloads and deletes their received bytes.
    public func cancel(_ downloads: [SKDownload]) { downloads.forEach { $0.cancel() } }
}
