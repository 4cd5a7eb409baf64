import Dispatch
import Foundation
import Perennial
import Synchronization

/// What a payment queue does, between the app's calls, the journal and the store.
///
/// Three workers: payments one at a time, then the store's unfinished transactions; finished transactions; restores.
/// Each step is in the journal before the next is taken, so that the queue can be dropped at any point and made again.
final class QueueEngine: Sendable {
    /// How often a finished transaction is offered to the store in a row; then again at the queue's next activity.
    static let maximumFinishRounds = 20

    struct Flags {
        var isStarted = false
        var isSynchronizationWanted = false
        var isRestoring = false
        var hasMoreUnfinished = false
        var delegate = WeakReference<AnyObject>()
    }

    let connection: StoreConnection
    let callbacks: QueueCallbacks
    let journal: QueueJournal
    let records: PurchaseRecords
    let sheet: any PaymentSheet
    let terms: NonRenewingTerms?
    let flags = Mutex(Flags())
    /// What the store acknowledged since the unfinished transactions were last asked for: an answer under way may still
    /// list it.
    let acknowledged = Mutex<Set<String>>([])
    private let payments = Worker()
    private let finishes = Worker()
    private let restores = Worker()

    init(
        connection: StoreConnection, sheet: any PaymentSheet, terms: NonRenewingTerms?, callbackQueue: DispatchQueue
    ) {
        self.connection = connection
        self.sheet = sheet
        self.terms = terms
        self.callbacks = QueueCallbacks(dispatchQueue: callbackQueue)
        let key = try? DeviceKey(in: connection.files, connection.surroundings)
        func sealed<Value: Codable & Sendable>(_ name: String, _: Value.Type) -> SealedFile<Value>? {
            key.map { SealedFile(name: name, owner: connection.owner, files: connection.files, key: $0) }
        }
        self.journal = QueueJournal(sealed("queue", QueueState.self), callbacks: callbacks)
        self.records = PurchaseRecords(sealed("purchases", [PurchaseRecord].self))
    }

    // MARK: The app's calls

    func add(_ observer: any SKPaymentTransactionObserver) {
        guard callbacks.add(observer) else { return }
        let isFirst = flags.withLock { flags in
            defer { flags.isStarted = true }
            flags.isSynchronizationWanted = flags.isSynchronizationWanted || !flags.isStarted
            return !flags.isStarted
        }
        if isFirst {
            tellWhatIsThere()
        } else {
            callbacks.replay(to: observer)
        }
        wake()
    }

    func add(_ order: PaymentOrder) {
        let key = connection.surroundings.uniqueName()
        let country = connection.storefront?.countryCode
        do {
            if let objection = order.objection { throw objection }
            try journal.write { $0.add(order, newKey: key, countryCode: country) }
        } catch {
            // Never sent, so it needs no journal; it is there to be seen until it is finished.
            let failure = RecordedFailure(SKError(wrapping: error))
            callbacks.tell(.updated([QueueEntry(id: key, order: order, stage: .failed(failure))]))
        }
        wake()
    }

    func finish(_ id: String) {
        if let transaction = journal.state.entry(id)?.stage.transaction {
            remember(transaction)
        } else if journal.state.entry(id) == nil {
            // Failed before it came into the journal.
            callbacks.tell(.removed([id]))
        }
        journal.note { $0.finish(id) }
        wakeFinishes()
    }

    func restore(applicationUsername: String?) {
        let begins = flags.withLock { flags in
            defer { flags.isRestoring = true }
            return !flags.isRestoring
        }
        guard begins else {
            return callbacks.tell(.restoreFailed(SKError(.unknown, message: "a restore is under way already")))
        }
        restores.wake { [weak self] in await self?.restoreNow(RestoreQuery(applicationUsername: applicationUsername)) }
    }

    /// Tells of the unfinished again, and asks the store for more.
    func synchronize() async {
        tellWhatIsThere()
        flags.withLock { $0.isSynchronizationWanted = true }
        wake()
        await idle()
    }

    /// Ends all work, in the middle if need be; what is in the journal stays there.
    func cancel() {
        journal.close()
        callbacks.close()
        for worker in [payments, finishes, restores] { worker.cancel() }
    }

    /// Returns when nothing is left to do and the observers have heard of it: what they do then is work again.
    func idle() async {
        let workers = [restores, payments, finishes]
        while true {
            let told = callbacks.told
            for worker in workers { await worker.idle() }
            await callbacks.drain()
            if callbacks.told == told, workers.allSatisfy(\.isIdle) { return }
        }
    }

    // MARK: Parts

    func wake() {
        guard !callbacks.observers.isEmpty else { return }
        payments.wake { [weak self] in await self?.workOnPayments() }
        wakeFinishes()
    }

    private func wakeFinishes() {
        guard !journal.state.finishing.isEmpty else { return }
        finishes.wake { [weak self] in await self?.workOnFinishes() }
    }

    private func tellWhatIsThere() {
        let entries = journal.state.entries.filter(\.isShownAtStart)
        if !entries.isEmpty { callbacks.tell(.updated(entries)) }
    }

    private func remember(_ transaction: StoreTransaction) {
        if let record = PurchaseRecord(transaction.original?.transaction ?? transaction) { records.add(record) }
    }
}
