import Foundation

/// A payment in the queue's journal, and how far it has come.
struct QueueEntry: Codable, Sendable, Equatable {
    enum Stage: Codable, Sendable, Equatable {
        /// Not yet answered by the store. The key makes sure that it is paid once, however often it is sent.
        case waiting(key: String, isConfirmed: Bool)
        /// Somebody else has to approve it.
        case deferred
        case purchased(StoreTransaction)
        case restored(StoreTransaction)
        case failed(RecordedFailure)
        /// The app has finished it; the store hasn't acknowledged that yet.
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

    /// Its name in the journal: a payment's first key, or the store's transaction ID.
    let id: String
    var order: PaymentOrder
    var stage: Stage
    /// The customer's country when the payment was added, if it was known.
    var countryCode: String?
    /// Whether the key was used before, for the same payment, which ended without an answer.
    var repeatsKey = false
    /// The key under which the store was asked, of payments that wait for approval. Earlier versions didn't keep it.
    var deferredKey: String?

    init(id: String, order: PaymentOrder, stage: Stage, countryCode: String? = nil, repeatsKey: Bool = false) {
        self.id = id
        self.order = order
        self.stage = stage
        self.countryCode = countryCode
        self.repeatsKey = repeatsKey
    }

    /// A purchase that the store knows of and this queue didn't.
    init(id: String, purchased transaction: StoreTransaction) {
        self.init(id: id, order: PaymentOrder(transaction), stage: .purchased(transaction))
    }

    /// Whether the payment's key may have been sent to the store, now or for an earlier payment.
    var mayHaveBeenSent: Bool {
        if case .waiting(_, let isConfirmed) = stage { isConfirmed || repeatsKey } else { false }
    }

    /// Whether the app's finishing it has an effect.
    var isFinishable: Bool {
        switch stage {
        case .waiting, .deferred, .finishing: false
        case .purchased, .restored, .failed: true
        }
    }

    /// Whether an app that starts hears of it: what is only left to acknowledge is no longer its business.
    var isShownAtStart: Bool {
        if case .finishing = stage { false } else { true }
    }
}

extension PaymentOrder {
    /// The payment that a transaction must have come from.
    init(_ transaction: StoreTransaction) {
        self.init(
            productIdentifier: transaction.productId, quantity: transaction.quantity,
            applicationUsername: transaction.applicationUsername)
    }
}

extension QueueEvent {
    /// The event as it is still true: without transactions that the app has finished meanwhile; `nil` where nothing is
    /// left of it.
    func current(in state: QueueState) -> QueueEvent? {
        guard case .updated(let entries) = self else { return self }
        let present = entries.compactMap { state.entry($0.id) }.filter(\.isShownAtStart)
        return present.isEmpty ? nil : .updated(present)
    }
}

/// What the observers are to hear, in order.
enum QueueEvent: Sendable {
    case updated([QueueEntry])
    case removed([String])
    case restoreFinished
    case restoreFailed(SKError)
    case revoked(products: [String])
    case storefrontChanged
    case downloads([SKDownload])
}
