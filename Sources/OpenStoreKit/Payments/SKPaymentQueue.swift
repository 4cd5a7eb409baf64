import Dispatch
import Foundation
import Synchronization

/// Where payments are made, and where what became of them is heard.
///
/// * Payments are processed one at a time, in the order of their adding. Each is in the queue's journal on disk, with
///   a key of its own, before it is sent: after a crash it is sent again with the same key, and never paid twice.
/// * Nothing is sent while no observer is attached. When the first one is, it hears of all unfinished transactions,
///   those in the journal and those the store knows.
/// * A transaction stays in the queue until the app finishes it, over any number of launches.
/// * Observers are called one after the other on the callback queue, in order.
///
/// At most one queue at a time may work for an app and account in a storage folder.
public final class SKPaymentQueue: NSObject, Sendable {
    /// The customer and the store.
    public let connection: StoreConnection
    let engine: QueueEngine
    let codeRedemptionSheet: (any CodeRedemptionSheet)?

    /// Makes a queue; `SKPaymentQueue.default()` has the one of the process-wide connection.
    ///
    /// - Parameters:
    ///   - paymentSheet: Asks the customer; by default every payment is confirmed.
    ///   - nonRenewingTerms: Refuses, before anything is paid, a non-renewing subscription that still runs. `nil`
    ///     leaves it to the store.
    ///   - codeRedemptionSheet: Asks the customer for an offer code.
    ///   - callbackQueue: Where observers are called; it must be serial. By default a queue of its own.
    public init(
        connection: StoreConnection, paymentSheet: any PaymentSheet = ImmediatePaymentSheet(),
        nonRenewingTerms: NonRenewingTerms? = nil, codeRedemptionSheet: (any CodeRedemptionSheet)? = nil,
        callbackQueue: DispatchQueue? = nil
    ) {
        self.connection = connection
        self.codeRedemptionSheet = codeRedemptionSheet
        self.engine = QueueEngine(
            connection: connection, sheet: paymentSheet, terms: nonRenewingTerms,
            callbackQueue: callbackQueue ?? DispatchQueue(label: "org.perennial.OpenStoreKit.payments"))
        super.init()
        engine.callbacks.tellInNameOf(self)
    }

    deinit {
        engine.cancel()
    }

    // MARK: Observers

    /// Attaches an observer, which is told at once of all unfinished transactions. It is held weakly.
    public func add(_ observer: any SKPaymentTransactionObserver) {
        engine.add(observer)
    }

    public func remove(_ observer: any SKPaymentTransactionObserver) {
        engine.callbacks.remove(observer)
    }

    public var transactionObservers: [any SKPaymentTransactionObserver] { engine.callbacks.observers }

    /// Held weakly.
    public var delegate: (any SKPaymentQueueDelegate)? {
        get { engine.flags.withLock { $0.delegate.object } as? any SKPaymentQueueDelegate }
        set { engine.flags.withLock { $0.delegate.object = newValue } }
    }

    // MARK: Payments

    /// The unfinished transactions, as the observers were told of them.
    public var transactions: [SKPaymentTransaction] { engine.callbacks.transactions }

    /// The customer's storefront, as the store said last.
    public var storefront: SKStorefront? { connection.storefront }

    /// Takes a copy of the payment in, and returns when it is in the journal.
    ///
    /// Where StoreKit raises an exception (no product, a quantity below 1), the transaction fails with
    /// `paymentInvalid`.
    public func add(_ payment: SKPayment) {
        engine.add(payment.order)
    }

    /// Says that the app has delivered what was bought. The purchase is in ``records`` from here on.
    ///
    /// Remembered on the device and repeated until the store has acknowledged it; then the transaction leaves the
    /// queue. Where StoreKit raises an exception (the transaction is being purchased) this has no effect.
    public func finishTransaction(_ transaction: SKPaymentTransaction) {
        // What the app has seen counts, even where the store has answered meanwhile: it can't have delivered yet.
        guard ![.purchasing, .deferred].contains(transaction.transactionState) else { return }
        engine.finish(transaction.entryID)
    }

    /// Not StoreKit's: the old form of a transaction's receipt, from the store where the device doesn't have it.
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

    /// Asks for all purchases that can be restored. They come to `updatedTransactions` as new transactions with their
    /// originals; then the restore is said to have finished. A second restore while one is under way fails.
    public func restoreCompletedTransactions() {
        engine.restore(applicationUsername: nil)
    }

    /// The same, for what was bought with this application username.
    public func restoreCompletedTransactions(withApplicationUsername username: String?) {
        engine.restore(applicationUsername: username)
    }

    // MARK: Beyond StoreKit

    /// What the device remembers of finished purchases.
    public var records: PurchaseRecords { engine.records }

    /// What StoreKit does when an app returns from the background: unfinished transactions are delivered again, the
    /// store is asked for new ones, and what was kept back is sent. Returns when all is done, and the observers have
    /// heard of it.
    public func synchronize() async {
        await engine.synchronize()
    }

    /// Ends the queue as the end of its process would: no more calls, nothing more sent, the journal left as it
    /// stands. A queue made afterwards from the same connection or folder goes on from there.
    public func close() async {
        engine.cancel()
        await engine.idle()
    }

    /// Returns when nothing is left to do for now, and the observers have heard of it.
    package func settle() async {
        await engine.idle()
    }

    /// Does nothing: Perennial's store raises no prices of running subscriptions.
    public func showPriceConsentIfNeeded() {}

    // MARK: Downloads

    /// Starts downloads, and tells observers of their progress. The queue holds them until they end.
    public func start(_ downloads: [SKDownload]) {
        downloads.forEach(engine.downloads.start)
    }

    public func pause(_ downloads: [SKDownload]) { downloads.forEach { $0.pause() } }
    /// The same as ``start(_:)``: what failed is tried again.
    public func resume(_ downloads: [SKDownload]) { start(downloads) }
    public func cancel(_ downloads: [SKDownload]) { downloads.forEach { $0.cancel() } }
}
