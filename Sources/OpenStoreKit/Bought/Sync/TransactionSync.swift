import Foundation
import Perennial
import Synchronization

/// Keeps the vault of a connection up to date with the store's changes, and tells listeners.
package final class TransactionSync: Sendable {
    /// Age of an answer of the store up to which reads don't ask again.
    private static let freshness = Int64.seconds(30)
    /// Age of a failed attempt up to which reads don't try again.
    private static let retryInterval = Int64.seconds(5)
    /// Longest wait of a read for a store that doesn't answer, if the device can say something without it.
    private static let readLimit = Duration.seconds(3)
    /// Answers in a row that were out of date when they arrived, before a fetch gives up.
    private static let maximumOutdated = 20
    /// Replayed answers in a row before a fetch gives up. One may be of a request that another one has overtaken.
    private static let maximumReplays = 3

    private struct State {
        /// Number of the last request to be up to date.
        var wanted = 1
        /// Number of the last one that was tried, successfully or not.
        var tried = 0
        var triedAt: Instant?
        var hasFailed = false
        var lastFailure: StoreFailure?
        /// True after the store's first answer in this run of the app.
        var hasFetched = false
        var pollsForChanges: Bool
        /// Time from which the store's last answer may be out of date without an event.
        var validUntil: Instant?
    }

    let store: StoreProtocolClient
    package let vault: PurchaseVault
    let verification: SignedDataVerification
    let simulatedErrors: SimulatedErrors
    let receipts: ReceiptFile
    let dependencies: DeviceDependencies
    let connection: WeakReference<StoreConnection>
    /// Transactions for `Transaction.updates`.
    let transactions = UpdateHub<VerificationResult<Transaction>>()
    /// Statuses for `Product.SubscriptionInfo.Status.updates`.
    let statuses = UpdateHub<Product.SubscriptionInfo.Status>()
    /// Number of queues with observers, and of listeners for messages.
    let otherListeners = Mutex(0)
    /// Waits for the time from which the last answer may be out of date, while there are listeners.
    let validityTimer = Mutex<Task<Void, Never>?>(nil)
    let results = ResultCache()
    /// Held while the vault changes and listeners are told, so that each gets everything once and in order.
    let delivery = Mutex(PurchasesUnderWay())
    /// Number of times that the store was emptied. Changes under the lock of `delivery`.
    let clearings = Mutex(0)
    let poll = Mutex<Task<Void, Never>?>(nil)
    private let isRemote: Bool
    private let lock = AsyncLock()
    private let state: Mutex<State>

    init(_ connection: StoreConnection) {
        store = connection.store
        vault = connection.vault
        verification = connection.verification
        simulatedErrors = connection.simulatedErrors
        receipts = connection.receipts
        dependencies = connection.dependencies
        self.connection = WeakReference(object: connection)
        isRemote = connection.store.http.transport.isRemote
        state = Mutex(State(pollsForChanges: isRemote))
    }

    deinit {
        poll.withLock { $0?.cancel() }
        validityTimer.withLock { $0?.cancel() }
    }

    /// True if a request for changes is kept open while there are listeners. A session that reports each change doesn't need it.
    package var pollsForChanges: Bool {
        get { state.withLock { $0.pollsForChanges } }
        set {
            state.withLock { $0.pollsForChanges = newValue }
            listenersChanged()
        }
    }

    // MARK: Up to date

    /// Brings the vault up to date, and tells listeners. Never throws: without an answer the vault stays as it is.
    package func synchronize() async {
        await bringUpToDate(
            state.withLock { state in
                state.wanted += 1
                return state.wanted
            })
    }

    /// Marks the vault as out of date: the next read waits for the store.
    package func invalidate() {
        let number = state.withLock { state in
            state.wanted += 1
            return state.wanted
        }
        Task { await self.bringUpToDate(number) }
    }

    /// Waits until the vault is up to date. Returns at once if the store answered lately, or can't be reached.
    func waitUntilCurrent() async {
        await vault.prepare()
        let now = dependencies.now()
        let number: Int? = state.withLock { state in
            if state.tried < state.wanted { return state.wanted }
            guard let triedAt = state.triedAt else { return state.wanted }
            let age = now - triedAt
            let isOutdated = state.validUntil.map { $0 <= now && triedAt < $0 } ?? false
            guard isOutdated || age < 0 || age > (state.hasFailed ? Self.retryInterval : Self.freshness) else {
                return nil
            }
            state.wanted += 1
            return state.wanted
        }
        guard let number else { return }
        guard knowsPurchases else { return await bringUpToDate(number) }
        await withLimit { await self.bringUpToDate(number) }
    }

    /// Time from which the store's last answer may be out of date without an event, as win-back offers come and go; `nil` for never.
    private(set) var validUntil: Instant? {
        get { state.withLock { $0.validUntil } }
        set { state.withLock { $0.validUntil = newValue } }
    }

    /// True if the store ever listed the purchases on this device.
    var hasAnswer: Bool { vault.contents.revision != nil }

    /// True if the device knows what it can say without the store: by the store's answer, or by an imported backup.
    var knowsPurchases: Bool {
        let contents = vault.contents
        return contents.revision != nil || !contents.transactions.isEmpty
    }

    /// Runs a request whose answer isn't needed, up to ``readLimit`` for a store over a network, which may not answer at all. It goes on
    /// after that.
    func withLimit(_ body: @escaping @Sendable () async -> Void) async {
        guard isRemote else { return await body() }
        await dependencies.withLimit(Self.readLimit, body)
    }

    /// Error of the last attempt; `nil` after a success.
    var lastFailure: StoreFailure? { state.withLock { $0.lastFailure } }

    /// True if the store has listed its purchases in this run of the app: an earlier list may be of a store that was emptied since.
    var hasFetched: Bool { state.withLock { $0.hasFetched } }

    /// True if the last attempt to reach the store failed.
    package var isOffline: Bool { state.withLock { $0.hasFailed } }

    /// Time by the store's clock, as far as this device knows it.
    var storeTime: Instant { vault.storeTime }

    private func bringUpToDate(_ number: Int) async {
        try? await lock.withLock { [self] in
            guard let covered = state.withLock({ $0.tried >= number ? nil : $0.wanted }) else { return }
            do {
                try await fetchChanges()
                noteAttempt(covered, failure: nil)
            } catch {
                // Another task's read makes its own attempt.
                if Task.isCancelled { return }
                noteAttempt(covered, failure: StoreFailure(wrapping: error))
            }
        }
    }

    private func noteAttempt(_ covered: Int, failure: StoreFailure?) {
        let now = dependencies.now()
        state.withLock { state in
            state.tried = max(state.tried, covered)
            state.triedAt = now
            state.hasFailed = failure != nil
            state.lastFailure = failure
            state.hasFetched = state.hasFetched || failure == nil
        }
    }

    /// Fetches all pages of what the vault doesn't know, then sends what the store doesn't know: a store that was emptied may have sold
    /// something else under the ID of a finished transaction, which is known by its pages.
    private func fetchChanges() async throws {
        try await verification.prepare()
        try await fetch(after: vault.contents.revision)
        try await sendFinished()
    }

    private func fetch(after start: String?) async throws {
        var pages = PageProgress(after: start)
        var (outdated, replays) = (0, 0)
        while true {
            let request = requestState
            let page = try await store.changes(after: pages.revision)
            do {
                guard try apply(page, requestedIn: request) else {
                    outdated += 1
                    guard outdated < Self.maximumOutdated else {
                        throw StoreFailure(.unknown, message: "the purchases change all the time")
                    }
                    pages = PageProgress(after: vault.contents.revision)
                    continue
                }
            } catch is ReplayedChanges {
                replays += 1
                guard replays < Self.maximumReplays else { throw Self.replayed }
                continue
            }
            guard page.hasMore else { return }
            try pages.advance(to: page.revision, entries: page.transactions.count)
        }
    }

    /// Applies the answer to a request that was held open, unless the vault has newer ones.
    ///
    /// - Parameter request: State at the request, whose revision it had.
    /// - Returns: False if the page says nothing new.
    func take(_ page: ChangesAnswer, requestedIn request: RequestState) async throws -> Bool {
        try await lock.withLock { [self] in
            let revision = request.base.contents.revision
            do {
                guard vault.contents.revision == revision, try apply(page, requestedIn: request) else { return true }
            } catch is ReplayedChanges {
                throw Self.replayed
            }
            if page.hasMore { try await fetch(after: page.revision) }
            noteAttempt(0, failure: nil)
            return page.revision != revision && !(page.transactions.isEmpty && page.subscriptions.isEmpty)
        }
    }

    private static var replayed: StoreFailure {
        StoreFailure(.unknown, message: "the store's answer is older than an earlier one")
    }

    /// Applies a page. Returns false, with nothing changed, if it is out of date: the store was emptied since the request, a backup was
    /// imported, or another process has written.
    private func apply(_ page: ChangesAnswer, requestedIn request: RequestState) throws -> Bool {
        let now = dependencies.now()
        let date = page.date.flatMap { Instant(rfc3339: $0) }
        do {
            guard
                try apply(
                    VaultChanges(
                        transactions: page.transactions.map { change($0.signedTransaction, isFinished: $0.isFinished) },
                        subscriptions: page.subscriptions.compactMap { change($0) }, revision: page.revision,
                        isComplete: page.isComplete, hasMore: page.hasMore, confirmedAt: date ?? now, base: request.base
                    ),
                    requestedIn: request.clearing)
            else { return false }
            // By this device's clock, which may be another one.
            let validUntil = page.validUntil.flatMap { Instant(rfc3339: $0) }.map { $0 + (now - (date ?? now)) }
            self.validUntil = validUntil
            setValidityTimer()
            return true
        } catch is OutdatedChanges {
            // Listeners hear at once what another process has written.
            try apply(VaultChanges())
            return false
        }
    }

    /// State of this device at a request for changes, whose answer says nothing of what comes after that, as a purchase.
    struct RequestState: Sendable {
        let clearing: Int
        let base: VaultBase
    }

    var requestState: RequestState {
        // In this order: a state of before a clearing goes with its number.
        let clearing = clearings.withLock { $0 }
        return RequestState(clearing: clearing, base: vault.base)
    }
}

extension StoreConnection {
    /// Keeps the vault up to date.
    package var transactionSync: TransactionSync {
        part { TransactionSync($0) }
    }

    /// Brings everything that is computed from the store's answers up to date: the vault, sequences, statuses, the observers of
    /// StoreKit 1. Never throws.
    package func synchronize() async {
        await transactionSync.synchronize()
        await synchronizeQueue()
        await refreshMessages()
    }

    /// Forgets all purchases and balances, as of a store that was emptied. Answers to earlier requests bring nothing back.
    package func forgetPurchases() {
        transactionSync.forgetPurchases()
        receipts.remove()
        engines.all.forEach { $0.forgetAll() }
    }

    /// Marks everything as out of date, and begins to fetch it. Doesn't wait: reads do.
    package func invalidate() {
        transactionSync.invalidate()
        wakeQueue()
    }
}
