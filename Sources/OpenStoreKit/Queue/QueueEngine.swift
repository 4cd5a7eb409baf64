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
    /// How often the device's files are tried in a row, where they can't be read; then again at the queue's next activity.
    static let maximumReadings = 20

    struct Flags {
        var isStarted = false
        /// Whether the device's files were read.
        var isReady = false
        var isSynchronizationWanted = false
        var isRestoring = false
        var hasMoreUnfinished = false
        var delegate = WeakReference<AnyObject>()
    }

    let connection: StoreConnection
    let callbacks: QueueCallbacks
    let downloads: QueueDownloads
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
        self.downloads = QueueDownloads(callbacks: callbacks)
        let storage = SealedStorage(owner: connection.owner, files: connection.files, connection.surroundings)
        self.journal = QueueJournal(storage, callbacks: callbacks)
        self.records = PurchaseRecords(storage)
        _ = readFiles()
        connection.store.observeStorefront { [weak callbacks] in
            callbacks?.tell(.storefrontChanged)
            return callbacks != nil
        }
    }

    // MARK: The app's calls

    func add(_ observer: any SKPaymentTransactionObserver) {
        guard callbacks.add(observer) else { return }
        let isReady = readFiles()
        let isFirst = flags.withLock { flags in
            defer { flags.isStarted = true }
            flags.isSynchronizationWanted = flags.isSynchronizationWanted || !flags.isStarted
            return !flags.isStarted
        }
        if isFirst {
            // Otherwise it is told when the files are read.
            if isReady { tellWhatIsThere() }
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
            _ = readFiles()
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
            callbacks.dismiss(id)
            callbacks.tell(.removed([id]))
        }
        journal.note { state in
            if state.entry(id)?.isFinishable == true { callbacks.dismiss(id) }
            return state.finish(id)
        }
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
        if readFiles() { tellWhatIsThere() }
        flags.withLock { $0.isSynchronizationWanted = true }
        wake()
        await idle()
    }

    /// Ends all work, in the middle if need be; what is in the journal stays there.
    func cancel() {
        journal.close()
        callbacks.close()
        downloads.close()
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

    /// Reads the device's files where that wasn't possible before: nothing is done while they say nothing.
    ///
    /// - Returns: Whether both are read.
    private func readFiles() -> Bool {
        guard journal.load(), records.load() else { return false }
        let isLate = flags.withLock { flags in
            defer { flags.isReady = true }
            return !flags.isReady && flags.isStarted
        }
        if isLate { tellWhatIsThere() }
        return true
    }

    /// Waits, for a while, until the device's files are read.
    func waitForFiles() async -> Bool {
        for reading in 1...Self.maximumReadings {
            if readFiles() { return true }
            do {
                try await connection.surroundings.sleep(
                    RetryPolicy(firstDelay: .seconds(1)).delay(afterFailures: reading))
            } catch {
                return false
            }
        }
        return false
    }

    private func tellWhatIsThere() {
        journal.tell { state in
            let entries = state.entries.filter(\.isShownAtStart)
            return entries.isEmpty ? [] : [.updated(entries)]
        }
    }

    private func remember(_ transaction: StoreTransaction) {
        if let record = PurchaseRecord(finished: transaction) { records.add(record) }
    }
}
