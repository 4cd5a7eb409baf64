import Foundation

/// The payment queue as a value: what its journal keeps, and what becomes of it. No I/O here.
struct QueueState: Codable, Sendable, Equatable {
    /// A payment that ended without the store's word on it: it may have been carried out.
    struct Unanswered: Codable, Sendable, Equatable {
        var key: String
        var order: PaymentOrder
    }

    /// More unanswered payments than anyone makes; the oldest are forgotten beyond it.
    static let maximumUnanswered = 100

    private(set) var entries: [QueueEntry] = []
    private(set) var unanswered: [Unanswered] = []
    /// Up to where the app was told of revoked purchases: the store's revision; `nil` before the first answer.
    var revocations: String?

    init() {}

    func entry(_ id: String) -> QueueEntry? {
        entries.first { $0.id == id }
    }

    /// The payment whose turn it is: one at a time, in the order of their adding.
    var nextPayment: QueueEntry? {
        entries.first { if case .waiting = $0.stage { true } else { false } }
    }

    /// What the store is to be told: finished transactions, oldest first.
    var finishing: [QueueEntry] {
        entries.filter { if case .finishing = $0.stage { true } else { false } }
    }

    // MARK: Payments

    /// Takes a payment in.
    ///
    /// The same payment as one that ended without an answer takes over its key: if that one was carried out after all,
    /// this brings its transaction, and nothing is paid twice.
    mutating func add(_ order: PaymentOrder, newKey: String, countryCode: String?) -> [QueueEvent] {
        var key = newKey
        var repeatsKey = false
        if let index = unanswered.firstIndex(where: { $0.order == order }) {
            key = unanswered.remove(at: index).key
            repeatsKey = true
        }
        let entry = QueueEntry(
            id: newKey, order: order, stage: .waiting(key: key, isConfirmed: false), countryCode: countryCode,
            repeatsKey: repeatsKey)
        entries.append(entry)
        return [.updated([entry])]
    }

    /// The customer has said yes.
    mutating func confirm(_ id: String) {
        change(id) { entry in
            if case .waiting(let key, _) = entry.stage { entry.stage = .waiting(key: key, isConfirmed: true) }
        }
    }

    /// The key was used up by an earlier payment: this one needs its own.
    mutating func replaceKey(of id: String, by key: String) {
        change(id) { entry in
            entry.stage = .waiting(key: key, isConfirmed: true)
            entry.repeatsKey = false
        }
    }

    /// - Parameter isDecided: Whether the store has said that nothing is sold under the payment's key. Otherwise a key
    ///   that may have been sent is kept for the same payment.
    mutating func fail(_ id: String, with error: SKError, isDecided: Bool) -> [QueueEvent] {
        guard let entry = entry(id) else { return [] }
        if !isDecided, entry.mayHaveBeenSent, case .waiting(let key, _) = entry.stage {
            unanswered.append(Unanswered(key: key, order: entry.order))
            unanswered.removeFirst(max(0, unanswered.count - Self.maximumUnanswered))
        }
        return move(id, to: .failed(RecordedFailure(error)))
    }

    mutating func deferPayment(_ id: String) -> [QueueEvent] {
        change(id) { entry in
            if case .waiting(let key, _) = entry.stage { entry.deferredKey = key }
        }
        return move(id, to: .deferred)
    }

    /// Payments that wait for approval, each with its key.
    var deferred: [(id: String, key: String)] {
        entries.filter { $0.stage == .deferred }.map { ($0.id, $0.deferredKey ?? $0.id) }
    }

    mutating func purchased(_ id: String, _ transaction: StoreTransaction) -> [QueueEvent] {
        if knows(transaction.transactionId) {
            // It came on another way meanwhile.
            entries.removeAll { $0.id == id }
            return [.removed([id])]
        }
        return move(id, to: .purchased(transaction))
    }

    // MARK: What the store knows

    /// Takes in the store's unfinished transactions that are new here.
    ///
    /// - Parameter isFinished: Whether this device has finished a transaction already.
    mutating func merge(_ transactions: [StoreTransaction], isFinished: (String) -> Bool) -> [QueueEvent] {
        var updated: [QueueEntry] = []
        for transaction in transactions where !knows(transaction.transactionId) {
            if isFinished(transaction.transactionId) || transaction.revocationDate != nil {
                // Nothing for the app to deliver; only the store has to hear of it (again).
                let entry = QueueEntry(
                    id: transaction.transactionId, order: PaymentOrder(transaction), stage: .finishing(transaction))
                entries.append(entry)
                continue
            }
            let entry = QueueEntry(id: transaction.transactionId, purchased: transaction)
            entries.append(entry)
            updated.append(entry)
        }
        return updated.isEmpty ? [] : [.updated(updated)]
    }

    /// Takes in what a restore brought.
    mutating func restored(_ transactions: [StoreTransaction]) -> [QueueEvent] {
        let new = transactions.filter { !knows($0.transactionId) }.map {
            QueueEntry(id: $0.transactionId, order: PaymentOrder($0), stage: .restored($0))
        }
        entries += new
        return new.isEmpty ? [] : [.updated(new)]
    }

    // MARK: Finishing

    /// The app has delivered. What failed leaves the queue at once; the rest when the store has acknowledged it.
    ///
    /// Without effect on transactions that are being purchased or wait for approval, and on what is finished already.
    mutating func finish(_ id: String) -> [QueueEvent] {
        guard let entry = entry(id) else { return [] }
        switch entry.stage {
        case .waiting, .deferred, .finishing: return []
        case .failed:
            entries.removeAll { $0.id == id }
            return [.removed([id])]
        case .purchased(let transaction), .restored(let transaction):
            change(id) { $0.stage = .finishing(transaction) }
            return []
        }
    }

    /// There is nothing more to tell of it but that.
    mutating func remove(_ id: String) -> [QueueEvent] {
        entries.removeAll { $0.id == id }
        return [.removed([id])]
    }

    // MARK: Parts

    func knows(_ transactionID: String) -> Bool {
        entries.contains { $0.stage.transaction?.transactionId == transactionID }
    }

    private mutating func move(_ id: String, to stage: QueueEntry.Stage) -> [QueueEvent] {
        change(id) { $0.stage = stage }
        return entry(id).map { [.updated([$0])] } ?? []
    }

    private mutating func change(_ id: String, _ body: (inout QueueEntry) -> Void) {
        guard let index = entries.firstIndex(where: { $0.id == id }) else { return }
        body(&entries[index])
    }
}
