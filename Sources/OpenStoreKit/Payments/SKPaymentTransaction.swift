import Foundation
import Perennial
import Synchronization

/// The state of a transaction, with StoreKit's raw values.
///
/// Source: Apple, StoreKit documentation, "SKPaymentTransactionState".
public enum SKPaymentTransactionState: Int, Sendable, CaseIterable {
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
public final class SKPaymentTransaction: NSObject, Sendable {
    /// ID in the queue's journal, the same over relaunches.
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

    /// State of the transaction.
    public var transactionState: SKPaymentTransactionState { current.stage.visibleState }
    /// The payment.
    public var payment: SKPayment { SKPayment(order: current.order) }

    /// The ``SKError`` of a failed transaction.
    public var error: (any Error)? {
        guard case .failed(let failure) = current.stage else { return nil }
        return failure.error
    }

    /// The original of a restored transaction.
    public var original: SKPaymentTransaction? {
        guard let original = current.stage.transaction?.original?.transaction else { return nil }
        return SKPaymentTransaction(QueueEntry(id: original.transactionId, purchased: original))
    }

    /// Transaction ID of a purchased or restored transaction.
    public var transactionIdentifier: String? { current.stage.transaction?.transactionId }

    /// Date of the purchase or restore, by the store's clock.
    public var transactionDate: Date? { current.stage.transaction?.purchased?.date }

    /// Receipt in the old form; `nil` if the device doesn't have it, see ``SKPaymentQueue/receipt(for:)``.
    public var transactionReceipt: Data? {
        let transaction = current.stage.transaction
        return transaction?.transactionReceipt ?? transaction?.original?.transaction.transactionReceipt
    }

    /// Always empty: content comes from the seller's content server, see ``DeliveryClient``.
    public var downloads: [SKDownload] { [] }

    /// End of an auto-renewable subscription's period; an addition to StoreKit.
    public var expirationDate: Date? {
        current.stage.transaction?.expiresDate.flatMap { Instant(rfc3339: $0)?.date }
    }
}
