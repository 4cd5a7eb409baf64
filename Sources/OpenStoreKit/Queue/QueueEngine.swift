import Dispatch
import Foundation
import Perennial
import Synchronization

/// The work of a payment queue between the app's calls, the journal and the store.
///
/// Three workers: payments one at a time and then the store's unfinished transactions; finished transactions; restores. Each step
/// is in the journal before the next one, so that the work can stop at any point and continue after a relaunch.
final class QueueEngine: Sendable {
    /// Attempts to finish transactions in a row; the next activity of the queue begins again.
    static let maximumFinishRounds = 20
    /// Attempts to read the device's files in a row; the next activity of the queue begins again.
    static let maximumReadings = 20

    struct Flags {
        var isStarted = false
        /// True after the device's files were read.
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
    let terms: NonRenewingTermRules?
    let flags = Mutex(Flags())
    /// Transactions acknowledged since the last request for unfinished ones, whose answer may still list them.
    let acknowledged = Mutex<Set<String>>([])
    private let payments = CoalescingWorker()
    private let finishes = CoalescingWorker()
    private let restores = CoalescingWorker()

    init(
        connection: StoreConnection, sheet: any PaymentSheet, terms: NonRenewingTermRules?, callbackQueue: DispatchQueue
    ) {
        self.connection = connection
        self.sheet = sheet
        self.terms = terms
        self.callbacks = QueueCallbacks(dispatchQueue: callbackQueue)
        self.downloads = QueueDownloads(callbacks: callbacks)
        let storage = AuthenticatedStorage(owner: connection.owner, files: connection.files, connection.dependencies)
        self.journal = QueueJournal(storage, callbacks: callbacks)
        self.records = PurchaseRecords(storage)
        _ = readFiles()
        connection.store.observeStorefront { [weak callbacks] in
            callbacks?.notify(.storefrontChanged)
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
            // Otherwise `readFiles()` announces the entries.
            if isReady { announceEntries() }
        } else {
            callbacks.replay(to: observer)
        }
        wake()
    }

    func add(_ order: PaymentOrder) {
        let key = connection.dependencies.uniqueName()
        let country = connection.storefront?.countryCode
        do {
            if let objection = order.objection { throw objection }
            _ = readFiles()
            try journal.write { $0.add(order, newKey: key, countryCode: country) }
        } catch {
            // Not sent, so not in the journal; observers get it as a failed transaction.
            let failure = RecordedFailure(SKError(wrapping: error))
            callbacks.notify(.updated([QueueEntry(id: key, order: order, stage: .failed(failure))]))
        }
        wake()
    }

    func finish(_ id: String) {
        if let transaction = journal.state.entry(id)?.stage.transaction {
            remember(transaction)
        } else if journal.state.entry(id) == nil {
            // Failed before it was in the journal.
            callbacks.dismiss(id)
            callbacks.notify(.removed([id]))
        }
        journal.record { state in
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
            return callbacks.notify(.restoreFailed(SKError(.unknown, message: "a restore is under way already")))
        }
        restores.wake { [weak self] in await self?.restoreNow(RestoreQuery(applicationUsername: applicationUsername)) }
    }

    /// Gives observers the unfinished transactions again, and fetches new ones.
    func synchronize() async {
        if readFiles() { announceEntries() }
        flags.withLock { $0.isSynchronizationWanted = true }
        wake()
        await idle()
    }

    /// Cancels all work. Keeps the journal.
    func cancel() {
        journal.close()
        callbacks.close()
        downloads.close()
        for worker in [payments, finishes, restores] { worker.cancel() }
    }

    /// Waits until no work is left and the observers were called, also for work that they cause.
    func idle() async {
        let workers = [restores, payments, finishes]
        while true {
            let count = callbacks.eventCount
            for worker in workers { await worker.idle() }
            await callbacks.drain()
            if callbacks.eventCount == count, workers.allSatisfy(\.isIdle) { return }
        }
    }

    // MARK: Parts

    func wake() {
        guard !callbacks.observers.isEmpty else { return }
        payments.wake { [weak self] in await self?.processPayments() }
        wakeFinishes()
    }

    private func wakeFinishes() {
        guard !journal.state.finishing.isEmpty else { return }
        finishes.wake { [weak self] in await self?.processFinishes() }
    }

    /// Reads the device's files if they weren't read yet. No work begins before that.
    ///
    /// - Returns: True if both files are read.
    private func readFiles() -> Bool {
        guard journal.load(), records.load() else { return false }
        let isLate = flags.withLock { flags in
            defer { flags.isReady = true }
            return !flags.isReady && flags.isStarted
        }
        if isLate { announceEntries() }
        return true
    }

    /// Waits until the device's files are read. Returns false after ``maximumReadings`` attempts.
    func waitForFiles() async -> Bool {
        for reading in 1...Self.maximumReadings {
            if readFiles() { return true }
            do {
                try await connection.dependencies.sleep(
                    RetryPolicy(firstDelay: .seconds(1)).delay(afterFailures: reading))
            } catch {
                return false
            }
        }
        return false
    }

    private func announceEntries() {
        journal.notify { state in
            let entries = state.entries.filter(\.isShownAtStart)
            return entries.isEmpty ? [] : [.updated(entries)]
        }
    }

    private func remember(_ transaction: StoreTransaction) {
        if let record = PurchaseRecord(finished: transaction) { records.add(record) }
    }
}
