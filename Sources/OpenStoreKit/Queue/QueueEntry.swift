import Foundation

/// A payment in the queue's journal, with its stage.
struct QueueEntry: Codable, Sendable, Equatable {
    enum Stage: Codable, Sendable, Equatable {
        /// Waiting for the store's answer. The idempotency key ensures that it is paid once.
        case waiting(key: String, isConfirmed: Bool)
        /// Waiting for approval.
        case deferred
        case purchased(StoreTransaction)
        case restored(StoreTransaction)
        case failed(RecordedFailure)
        /// Finished by the app, and not acknowledged by the store.
        case finishing(StoreTransaction)

        var visibleState: SKPaymentTransactionState {
            switch self {
            case .waiting: .purchasing
            case .deferred: .deferred
            case .purchased: .purchased
            case .restored: .restored
            case .failed: .failed
            case .finishing(let transaction): transaction.original == nil ? .purchased : .restored
            }
        }

        var transaction: StoreTransaction? {
            switch self {
            case .waiting, .deferred, .failed: nil
            case .purchased(let transaction), .restored(let transaction), .finishing(let transaction): transaction
            }
        }
    }

    /// ID in the journal: the payment's first idempotency key, or the transaction ID.
    let id: String
    var order: PaymentOrder
    var stage: Stage
    /// Country of the customer's storefront when the payment was added; `nil` if unknown.
    var countryCode: String?
    /// True if the key is that of an earlier, equal payment without an answer.
    var repeatsKey = false
    /// Idempotency key of a payment that waits for approval; `nil` in journals of earlier versions.
    var deferredKey: String?

    init(id: String, order: PaymentOrder, stage: Stage, countryCode: String? = nil, repeatsKey: Bool = false) {
        self.id = id
        self.order = order
        self.stage = stage
        self.countryCode = countryCode
        self.repeatsKey = repeatsKey
    }

    /// Makes an entry for a purchase that is new to this queue.
    init(id: String, purchased transaction: StoreTransaction) {
        self.init(id: id, order: PaymentOrder(transaction), stage: .purchased(transaction))
    }

    /// True if the payment's key may have been sent to the store, also for an earlier payment.
    var mayHaveBeenSent: Bool {
        if case .waiting(_, let isConfirmed) = stage { isConfirmed || repeatsKey } else { false }
    }

    /// True if the app can finish the entry.
    var isFinishable: Bool {
        switch stage {
        case .waiting, .deferred, .finishing: false
        case .purchased, .restored, .failed: true
        }
    }

    /// True for a purchase that the app can deliver, which may have content to download.
    var mayHaveDownloads: Bool { isFinishable && stage.transaction != nil }

    /// True if the first observer gets the entry: not if only the store's acknowledgement is missing.
    var isShownAtStart: Bool {
        if case .finishing = stage { false } else { true }
    }
}

extension PaymentOrder {
    /// Makes the payment of a transaction.
    init(_ transaction: StoreTransaction) {
        self.init(
            productIdentifier: transaction.productId, quantity: transaction.quantity,
            applicationUsername: transaction.applicationUsername)
    }
}

extension QueueEvent {
    /// Returns the event without transactions that the app has finished since; `nil` if nothing is left.
    func current(in state: QueueState) -> QueueEvent? {
        guard case .updated(let entries) = self else { return self }
        let present = entries.compactMap { state.entry($0.id) }.filter(\.isShownAtStart)
        return present.isEmpty ? nil : .updated(present)
    }
}

/// An event for the observers.
enum QueueEvent: Sendable {
    case updated([QueueEntry])
    case removed([String])
    case restoreFinished
    case restoreFailed(StoreFailure)
    case revoked(products: [String])
    case storefrontChanged
    case download(AppObject<SKDownload>)
}
