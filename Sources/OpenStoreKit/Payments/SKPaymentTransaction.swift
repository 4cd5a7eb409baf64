import Foundation
import Perennial
import Synchronization

/// Where a transaction stands, by StoreKit's numbers.
public enum SKPaymentTransactionState: Int, Sendable, CaseIterable {
    /// Being processed; it can't be finished.
    case purchasing = 0
    /// Deliver, then finish.
    case purchased = 1
    /// See ``SKPaymentTransaction/error``, then finish.
    case failed = 2
    /// Deliver again, then finish; has an ``SKPaymentTransaction/original``.
    case restored = 3
    /// Waiting for approval; a later update decides. It can't be finished.
    case deferred = 4
}

/// A payment in the queue and what became of it.
///
/// The same object goes through all states of a payment. Its properties change on the queue's callback queue only, just
/// before the observers hear of it.
public final class SKPaymentTransaction: NSObject, Sendable {
    /// Its name in the queue's journal: stays the same over relaunches.
    let entryID: String
    private let entry: Mutex<QueueEntry>

    init(_ entry: QueueEntry) {
        self.entryID = entry.id
        self.entry = Mutex(entry)
    }

    func update(_ entry: QueueEntry) {
        self.entry.withLock { $0 = entry }
    }

    private var current: QueueEntry { entry.withLock { $0 } }

    public var transactionState: SKPaymentTransactionState { current.stage.visibleState }
    public var payment: SKPayment { SKPayment(order: current.order) }

    /// An ``SKError``, of failed transactions.
    public var error: (any Error)? {
        guard case .failed(let failure) = current.stage else { return nil }
        return failure.error
    }

    /// The transaction that is being restored.
    public var original: SKPaymentTransaction? {
        guard let original = current.stage.transaction?.original?.transaction else { return nil }
        return SKPaymentTransaction(QueueEntry(id: original.transactionId, purchased: original))
    }

    /// Of purchased and restored transactions.
    public var transactionIdentifier: String? { current.stage.transaction?.transactionId }

    /// When it was bought, or restored, by the store's clock.
    public var transactionDate: Date? { current.stage.transaction?.purchased?.date }

    /// The old form of receipt, for verifyReceipt; where it is `nil`, ``SKPaymentQueue/receipt(for:)`` asks the store.
    public var transactionReceipt: Data? {
        let transaction = current.stage.transaction
        return transaction?.transactionReceipt ?? transaction?.original?.transaction.transactionReceipt
    }

    /// Content comes from the seller's server, see ``DeliveryClient``: there are none.
    public var downloads: [SKDownload] { [] }

    /// Not StoreKit's: the end of the paid period, of subscriptions that renew.
    public var expirationDate: Date? {
        current.stage.transaction?.expiresDate.flatMap { Instant(rfc3339: $0)?.date }
    }
}
