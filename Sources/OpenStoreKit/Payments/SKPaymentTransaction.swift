import Foundation
import Perennial
import Synchronization

/// The state of a transaction, with StoreKit's raw values.
///
/// Source: Apple, StoreKit documentation, "SKPaymentTransactionState".
public enum SKPaymentTransactionState: Int, Sendable {
    /// Being processed; can't be finished.
    case purchasing = 0
    /// Purchased: deliver it, then finish it.
    case purchased = 1
    /// Failed with an ``SKPaymentTransaction/error``: finish it.
    case failed = 2
    /// Restored from an ``SKPaymentTransaction/original``: deliver it, then finish it.
    case restored = 3
    /// Waiting for approval, which a later update decides; can't be finished.
    case deferred = 4
}

/// A payment in the queue, with its state.
///
/// One object has all states of a payment. Its properties change on the callback queue, before the call of the observers.
///
/// Source: Apple, StoreKit documentation, "SKPaymentTransaction".
open class SKPaymentTransaction: NSObject, @unchecked Sendable {
    private struct State {
        var entry: QueueEntry
        var downloads: [SKDownload]?
    }

    /// ID in the queue's journal, the same over relaunches; `nil` in an object of a subclass.
    let entryID: String?
    private let state: Mutex<State>

    /// Makes a transaction without values, for subclasses.
    public override init() {
        self.entryID = nil
        let order = PaymentOrder(productIdentifier: "")
        self.state = Mutex(State(entry: QueueEntry(id: "", order: order, stage: .waiting(key: "", isConfirmed: false))))
    }

    init(_ entry: QueueEntry) {
        self.entryID = entry.id
        self.state = Mutex(State(entry: entry))
    }

    func update(_ entry: QueueEntry) {
        state.withLock { $0.entry = entry }
    }

    private var current: QueueEntry { state.withLock { $0.entry } }

    /// State of the transaction.
    open var transactionState: SKPaymentTransactionState { current.stage.visibleState }
    /// The payment.
    open var payment: SKPayment { SKPayment(order: current.order) }

    /// The ``SKError`` of a failed transaction.
    open var error: (any Error)? {
        guard case .failed(let failure) = current.stage else { return nil }
        return failure.error
    }

    /// The original of a restored transaction.
    open var original: SKPaymentTransaction? {
        guard let original = current.stage.transaction?.original?.transaction else { return nil }
        return SKPaymentTransaction(QueueEntry(id: original.transactionId, purchased: original))
    }

    /// Transaction ID of a purchased or restored transaction.
    open var transactionIdentifier: String? { current.stage.transaction?.transactionId }

    /// Date of the purchase or restore, by the store's clock.
    open var transactionDate: Date? { current.stage.transaction?.purchased?.date }

    /// Receipt in the old form; `nil` if the device doesn't have it, see ``StoreConnection/receipt(for:)``.
    open var transactionReceipt: Data? {
        let transaction = current.stage.transaction
        return transaction?.transactionReceipt ?? transaction?.original?.transaction.transactionReceipt
    }

    /// Content of the purchased product, with a content server: start these with the queue, and finish the transaction when they
    /// have ended.
    open var downloads: [SKDownload] { state.withLock { $0.downloads ?? [] } }

    /// Sets the content of the product, once.
    ///
    /// - Parameter make: Makes the downloads; returns `nil` if there are none, or none are known yet.
    func setDownloads(_ make: (StoreTransaction) -> [SKDownload]?) {
        guard let transaction = current.stage.transaction else { return }
        state.withLock { state in
            if state.downloads == nil { state.downloads = make(transaction) }
        }
    }

    /// End of an auto-renewable subscription's period.
    package var expirationDate: Date? {
        current.stage.transaction?.expiresDate.flatMap { Instant(rfc3339: $0)?.date }
    }
}
