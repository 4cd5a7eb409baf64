import Foundation

/// The state of the payment queue and its transitions, without I/O. The journal stores it.
struct QueueState: Codable, Sendable, Equatable {
    /// A failed payment without an answer of the store, which may have been carried out.
    struct Unanswered: Codable, Sendable, Equatable {
        var key: String
        var order: PaymentOrder
    }

    /// Maximum unanswered payments; the oldest are dropped.
    static let maximumUnanswered = 100

    private(set) var entries: [QueueEntry] = []
    private(set) var unanswered: [Unanswered] = []
    /// The store's revision up to which the app knows revocations; `nil` before the first answer.
    var revocations: String?

    init() {}

    func entry(_ id: String) -> QueueEntry? {
        entries.first { $0.id == id }
    }

    /// The next payment to process, in the order of their adding.
    var nextPayment: QueueEntry? {
        entries.first { if case .waiting = $0.stage { true } else { false } }
    }

    /// Finished transactions without an acknowledgement, oldest first.
    var finishing: [QueueEntry] {
        entries.filter { if case .finishing = $0.stage { true } else { false } }
    }

    // MARK: Payments

    /// Adds a payment.
    ///
    /// Uses the key of an equal payment that ended without an answer: if that one was carried out, the answer is its transaction,
    /// and nothing is paid twice.
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

    /// Records the customer's confirmation.
    mutating func confirm(_ id: String) {
        change(id) { entry in
            if case .waiting(let key, _) = entry.stage { entry.stage = .waiting(key: key, isConfirmed: true) }
        }
    }

    /// Replaces a key that an earlier payment has used.
    mutating func replaceKey(of id: String, by key: String) {
        change(id) { entry in
            entry.stage = .waiting(key: key, isConfirmed: true)
            entry.repeatsKey = false
        }
    }

    /// Fails a payment.
    ///
    /// - Parameter isDecided: True if the store sells nothing under the payment's key. Otherwise keeps a key that may have been
    ///   sent for the next equal payment.
    mutating func fail(_ id: String, with error: StoreFailure, isDecided: Bool) -> [QueueEvent] {
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

    /// Payments that wait for approval, with their keys.
    var deferred: [(id: String, key: String)] {
        entries.filter { $0.stage == .deferred }.map { ($0.id, $0.deferredKey ?? $0.id) }
    }

    mutating func purchased(_ id: String, _ transaction: StoreTransaction) -> [QueueEvent] {
        if knows(transaction) {
            // Received with the unfinished transactions.
            entries.removeAll { $0.id == id }
            return [.removed([id])]
        }
        return forgetEarlierStore([transaction]) + move(id, to: .purchased(transaction))
    }

    // MARK: Transactions of the store

    /// Adds new ones among the store's unfinished transactions.
    ///
    /// - Parameter isFinished: Returns true for a transaction that this device has finished.
    mutating func merge(_ transactions: [StoreTransaction], isFinished: (StoreTransaction) -> Bool) -> [QueueEvent] {
        var updated: [QueueEntry] = []
        let forgotten = forgetEarlierStore(transactions)
        for transaction in transactions where !knows(transaction) {
            if isFinished(transaction) || transaction.revocationDate != nil {
                // Nothing to deliver: only finish it at the store.
                let entry = QueueEntry(
                    id: transaction.transactionId, order: PaymentOrder(transaction), stage: .finishing(transaction))
                entries.append(entry)
                continue
            }
            let entry = QueueEntry(id: transaction.transactionId, purchased: transaction)
            entries.append(entry)
            updated.append(entry)
        }
        return forgotten + (updated.isEmpty ? [] : [.updated(updated)])
    }

    /// Adds restored transactions.
    mutating func restored(_ transactions: [StoreTransaction]) -> [QueueEvent] {
        let forgotten = forgetEarlierStore(transactions)
        let new = transactions.filter { !knows($0) }.map {
            QueueEntry(id: $0.transactionId, order: PaymentOrder($0), stage: .restored($0))
        }
        entries += new
        return forgotten + (new.isEmpty ? [] : [.updated(new)])
    }

    /// Removes the entries of an earlier store, which was emptied, that have the IDs of this one's transactions: nothing of them is to be
    /// finished, which would finish the others.
    mutating func forgetEarlierStore(_ transactions: [StoreTransaction]) -> [QueueEvent] {
        let present = Dictionary(transactions.map { ($0.transactionId, $0) }, uniquingKeysWith: { $1 })
        let earlier = entries.filter { entry in
            guard let known = entry.stage.transaction, let other = present[known.transactionId] else { return false }
            return !known.isPurchase(of: other)
        }
        guard !earlier.isEmpty else { return [] }
        let ids = earlier.map(\.id)
        entries.removeAll { ids.contains($0.id) }
        return [.removed(ids)]
    }

    // MARK: Finishing

    /// Finishes a transaction. A failed one leaves the queue at once, others after the store's acknowledgement.
    ///
    /// Has no effect on transactions that are being purchased, wait for approval or are finished.
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

    /// Removes a purchase, and reports nothing else of it.
    mutating func remove(_ id: String) -> [QueueEvent] {
        entries.removeAll { $0.id == id }
        return [.removed([id])]
    }

    /// Removes transactions that were finished without the queue.
    mutating func forget(_ transactionIDs: [String]) -> [QueueEvent] {
        let forgotten = entries.filter {
            $0.stage.transaction.map { transactionIDs.contains($0.transactionId) } ?? false
        }
        guard !forgotten.isEmpty else { return [] }
        let ids = forgotten.map(\.id)
        entries.removeAll { ids.contains($0.id) }
        return [.removed(ids)]
    }

    // MARK: Parts

    func knows(_ transaction: StoreTransaction) -> Bool {
        entries.contains { $0.stage.transaction?.isPurchase(of: transaction) ?? false }
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
