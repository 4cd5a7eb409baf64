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
        /// The objects of ``payment`` and ``original``, which stay the same.
        var payment: AppObject<SKPayment>
        var original: SKPaymentTransaction?

        init(_ entry: QueueEntry, originalProduct: String? = nil) {
            self.entry = entry
            payment = AppObject(object: SKPayment(order: entry.order))
            original = entry.stage.transaction?.first(ofProduct: originalProduct).map { first in
                SKPaymentTransaction(QueueEntry(id: first.transactionId, purchased: first))
            }
        }
    }

    /// ID in the queue's journal, the same over relaunches; `nil` in an object of a subclass.
    let entryID: String?
    private let state: Mutex<State>

    /// Makes a transaction without values, for subclasses.
    public override init() {
        self.entryID = nil
        let order = PaymentOrder(productIdentifier: "")
        self.state = Mutex(State(QueueEntry(id: "", order: order, stage: .waiting(key: "", isConfirmed: false))))
    }

    /// - Parameter originalProduct: Product of the original transaction; `nil` if it isn't known, or the same.
    init(_ entry: QueueEntry, originalProduct: String? = nil) {
        self.entryID = entry.id
        self.state = Mutex(State(entry, originalProduct: originalProduct))
    }

    func update(_ entry: QueueEntry, originalProduct: String? = nil) {
        let new = State(entry, originalProduct: originalProduct)
        state.withLock { state in
            if entry.order != state.entry.order { state.payment = new.payment }
            if entry.stage.transaction != state.entry.stage.transaction { state.original = new.original }
            state.entry = entry
        }
    }

    private var current: QueueEntry { state.withLock { $0.entry } }

    /// State of the transaction.
    open var transactionState: SKPaymentTransactionState { current.stage.visibleState }
    /// The payment.
    open var payment: SKPayment { state.withLock { $0.payment }.object }

    /// The ``SKError`` of a failed transaction.
    open var error: (any Error)? {
        guard case .failed(let failure) = current.stage else { return nil }
        return failure.error
    }

    /// The original of a restored transaction, and of a subscription's renewal its first one.
    open var original: SKPaymentTransaction? { state.withLock { $0.original } }

    /// Transaction ID of the original of a restored transaction, which is the purchase; `nil` for another one. The original of a renewal
    /// is another purchase.
    var restoredIdentifier: String? {
        transactionState == .restored ? original?.transactionIdentifier : nil
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

extension StoreTransaction {
    /// Returns the original of a restored transaction, and of a renewal the first transaction of its subscription, of which the store
    /// tells ID and date; `nil` for a first purchase.
    ///
    /// - Parameter product: Product of the first transaction; `nil` if it isn't known, or the same.
    fileprivate func first(ofProduct product: String?) -> StoreTransaction? {
        if let original { return original.transaction }
        guard originalTransactionId != transactionId else { return nil }
        var first = self
        first.transactionId = originalTransactionId
        first.purchaseDate = originalPurchaseDate
        first.productId = product ?? productId
        first.isFinished = true
        (first.expiresDate, first.revocationDate, first.price, first.currency) = (nil, nil, nil, nil)
        (first.transactionReceipt, first.signedTransaction, first.signedRenewalInfo) = (nil, nil, nil)
        return first
    }
}
