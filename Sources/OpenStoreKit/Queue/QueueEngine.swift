import Dispatch
import Foundation
import Perennial
import Synchronization

/// The work of a payment queue between the app's calls, the journal and the store.
///
/// Four workers: payments one at a time and then the store's unfinished transactions; finished transactions; restores; consent to
/// prices. Each step is in the journal before the next one, so that the work can stop at any point and continue after a relaunch.
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
        /// True if the entries are announced when the list of the products with content was fetched.
        var isAnnouncementWanted = false
        var isRestoring = false
        var hasMoreUnfinished = false
        /// Transactions that the store has acknowledged in this run. A list of nothing else isn't worth another one.
        var finished: Set<String> = []
        /// Number of times that the store was emptied.
        var clearings = 0
    }

    /// Polls that ask a store over a network for news.
    private struct Listening {
        let storefronts: StorefrontPoll.Listening
        let purchases: TransactionSync.NewsListening

        init(_ connection: StoreConnection) {
            storefronts = connection.storefrontPoll.begin()
            purchases = connection.transactionSync.listenForNews()
        }
    }

    let store: StoreProtocolClient
    let dependencies: DeviceDependencies
    let receipts: ReceiptFile
    let knownProducts: KnownProducts
    let contents: HostedContents
    let callbacks: QueueCallbacks
    let downloads: QueueDownloads
    let journal: QueueJournal
    /// Finished purchases on this device.
    let records: PurchaseVault
    let sheet: any StoreConnection.PaymentSheet
    let terms: NonRenewingTermRules?
    /// Price increases that wait for the customer's consent.
    let priceConsents: PriceConsents
    let flags = Mutex(Flags())
    /// Transactions acknowledged since the last request for unfinished ones, whose answer may still list them.
    let acknowledged = Mutex<Set<String>>([])
    private let owner: Mutex<WeakReference<StoreConnection>>
    /// Present while there are observers.
    private let listening = Mutex<Listening?>(nil)
    private let payments = CoalescingWorker()
    private let finishes = CoalescingWorker()
    private let restores = CoalescingWorker()
    private let consents = CoalescingWorker()
    private let newConsents = CoalescingWorker()
    private var workers: [CoalescingWorker] { [restores, payments, finishes, consents, newConsents] }

    /// Makes an engine. Doesn't keep the connection, which may own it.
    init(connection: StoreConnection, terms: NonRenewingTermRules?, callbackQueue: DispatchQueue) {
        self.owner = Mutex(WeakReference(object: connection))
        self.store = connection.store
        self.dependencies = connection.dependencies
        self.receipts = connection.receipts
        self.knownProducts = connection.knownProducts
        self.sheet = connection.paymentSheet
        self.terms = terms
        self.priceConsents = PriceConsents(connection: connection)
        self.contents = connection.hostedContents
        self.callbacks = QueueCallbacks(
            dispatchQueue: callbackQueue, contents: contents, connection: connection)
        self.downloads = QueueDownloads(callbacks: callbacks)
        self.journal = QueueJournal(connection.vault, callbacks: callbacks)
        self.records = connection.vault
        _ = readFiles()
        connection.engines.add(self)
        store.storefrontWatch.observe { [weak callbacks] _, _ in
            callbacks?.notify(.storefrontChanged)
            return callbacks != nil
        }
    }

    deinit {
        cancel()
    }

    /// The connection; `nil` after its end.
    var connection: StoreConnection? { owner.withLock { $0.object } }

    /// Last known storefront of the customer.
    var storefront: SKStorefront? { store.storefront.map { SKStorefront($0) } }

    // MARK: The app's calls

    func add(_ observer: any SKPaymentTransactionObserver, of queue: SKPaymentQueue) {
        guard callbacks.add(observer, of: queue) else { return }
        listen()
        // Without observers nothing was fetched.
        let wasUnheard = callbacks.observers.count == 1
        let isReady = readFiles()
        let isFirst = flags.withLock { flags in
            defer { flags.isStarted = true }
            // Of two first observers that are added at once, each finds the other.
            flags.isSynchronizationWanted = flags.isSynchronizationWanted || wasUnheard || !flags.isStarted
            return !flags.isStarted
        }
        if isFirst {
            // Otherwise `readFiles()` announces the entries.
            if isReady { announceEntries() }
        } else {
            callbacks.replay(to: observer, of: queue)
        }
        wake()
    }

    func remove(_ observer: any SKPaymentTransactionObserver, of queue: SKPaymentQueue) {
        callbacks.remove(observer, of: queue)
        guard callbacks.observers.isEmpty else { return }
        stopListening()
        // An observer that was added meanwhile has found the listening that ended.
        if !callbacks.observers.isEmpty { listen() }
    }

    func add(_ order: PaymentOrder) {
        let key = dependencies.uniqueName()
        let country = store.storefront?.countryCode
        do {
            if let objection = order.objection { throw objection }
            _ = readFiles()
            try journal.write { $0.add(order, newKey: key, countryCode: country) }
        } catch {
            // Not sent, so not in the journal; observers get it as a failed transaction.
            let failure = RecordedFailure(StoreFailure(wrapping: error))
            callbacks.notify(.updated([QueueEntry(id: key, order: order, stage: .failed(failure))]))
        }
        wake()
    }

    func finish(_ id: String) {
        if let transaction = journal.state.entry(id)?.stage.transaction {
            remember(transaction)
            contents.discard(transaction.transactionId)
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
            return callbacks.notify(.restoreFailed(StoreFailure(.unknown, message: "a restore is under way already")))
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

    /// Fetches new transactions, and returns when the observers got them.
    func fetchNew() async {
        wantNew()
        await idle()
    }

    /// Begins to fetch new transactions.
    func wantNew() {
        flags.withLock { $0.isSynchronizationWanted = true }
        wake()
    }

    /// Removes transactions that were finished without this queue.
    func forget(_ transactionIDs: [String]) {
        acknowledged.withLock { $0.formUnion(transactionIDs) }
        transactionIDs.forEach(contents.discard)
        journal.record { $0.forget(transactionIDs) }
    }

    /// Forgets all payments and transactions, as of a store that was emptied. Lists of before bring nothing back.
    func forgetAll() {
        flags.withLock { flags in
            flags.clearings += 1
            flags.finished = []
        }
        acknowledged.withLock { $0 = [] }
        journal.record { state in
            let ids = state.entries.map(\.id)
            state = QueueState()
            return ids.isEmpty ? [] : [.removed(ids)]
        }
    }

    /// Shows pending price increases on their sheet.
    func showPriceConsent() {
        consents.wake { [priceConsents] in await priceConsents.showAll() }
    }

    /// Sets the delegate of a queue, and asks it about price increases that wait.
    func setDelegate(_ delegate: (any SKPaymentQueueDelegate)?, of queue: SKPaymentQueue) {
        callbacks.setDelegate(delegate, of: queue)
        if delegate != nil { askAboutPriceIncreases() }
    }

    /// Asks the delegate about new price increases, and shows them on their sheet. Payments don't wait for it: the sheet waits for the
    /// customer.
    func askAboutPriceIncreases() {
        guard !callbacks.observers.isEmpty else { return }
        newConsents.wake { [priceConsents, callbacks] in await priceConsents.showNew(callbacks) }
    }

    /// Cancels all work. Keeps the journal.
    func cancel() {
        journal.close()
        callbacks.close()
        downloads.close()
        stopListening()
        for worker in workers { worker.cancel() }
    }

    /// Waits until no work is left and the observers were called, also for work that they cause.
    func idle() async {
        while true {
            let count = callbacks.eventCount
            for worker in workers { await worker.idle() }
            await callbacks.drain()
            if callbacks.eventCount == count, workers.allSatisfy(\.isIdle) { return }
        }
    }

    // MARK: Parts

    /// Begins to listen for news, unless it has begun.
    private func listen() {
        guard listening.withLock({ $0 == nil }), let connection else { return }
        // Made and released without the lock.
        let new = Listening(connection)
        listening.withLock { $0 = $0 ?? new }
    }

    private func stopListening() {
        // Released without the lock.
        let ended = listening.withLock { listening in
            defer { listening = nil }
            return listening
        }
        _ = ended
    }

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
            await records.prepare()
            if readFiles() { return true }
            do {
                try await dependencies.sleep(
                    RetryPolicy(firstDelay: .seconds(1)).delay(afterFailures: reading))
            } catch {
                return false
            }
        }
        return false
    }

    /// Gives observers the entries, purchases with their downloads: those of a content server after its list was fetched.
    private func announceEntries() {
        guard contents.isExpected, journal.state.entries.contains(where: \.mayHaveDownloads) else {
            return announceNow()
        }
        flags.withLock { $0.isAnnouncementWanted = true }
    }

    /// Announces entries that wait for the list of the products with content.
    func announceWithContents() async {
        let isWanted = flags.withLock { flags in
            defer { flags.isAnnouncementWanted = false }
            return flags.isAnnouncementWanted
        }
        guard isWanted else { return }
        await contents.refresh()
        announceNow()
    }

    /// Fetches the list of the products with content if it is unknown, and announces purchases again that have downloads by it.
    func announceLateContents() async {
        guard contents.isUnknown, journal.state.entries.contains(where: \.mayHaveDownloads) else { return }
        await contents.refresh()
        guard !contents.isUnknown else { return }
        journal.notify { state in
            let entries = state.entries.filter { $0.mayHaveDownloads && contents.hasContent(for: $0) }
            return entries.isEmpty ? [] : [.updated(entries)]
        }
    }

    private func announceNow() {
        journal.notify { state in
            let entries = state.entries.filter(\.isShownAtStart)
            return entries.isEmpty ? [] : [.updated(entries)]
        }
    }

    private func remember(_ transaction: StoreTransaction) {
        if let record = PurchaseRecord(finished: transaction) { records.add(record) }
    }
}
