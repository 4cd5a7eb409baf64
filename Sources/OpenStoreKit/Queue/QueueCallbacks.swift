import Dispatch
import Foundation
import Synchronization

/// Calls the observers in order, and keeps the transactions as the app knows them.
///
/// Transactions change on the callback queue, with the events: an observer that gets `purchasing` finds `purchasing`, even if the
/// store has answered since.
final class QueueCallbacks: Sendable {
    private struct State {
        var observers: [WeakObserver] = []
        var delegate = WeakDelegate()
        var transactions: [SKPaymentTransaction] = []
        /// Finished transactions that aren't removed yet. Pending updates of them are dropped.
        var finished: Set<String> = []
        var isClosed = false
        /// Number of events so far.
        var eventCount = 0
    }

    private let dispatchQueue: DispatchQueue
    private let state = Mutex(State())
    /// Gives transactions their hosted content, before the observers get them.
    private let contents: HostedContents
    /// The connection that all calls are about.
    private let connection: WeakReference<StoreConnection>

    init(dispatchQueue: DispatchQueue, contents: HostedContents, connection: StoreConnection) {
        self.dispatchQueue = dispatchQueue
        self.contents = contents
        self.connection = WeakReference(object: connection)
    }

    // MARK: Observers

    /// Adds an observer of a queue. Returns false for one that is there already.
    func add(_ observer: any SKPaymentTransactionObserver, of queue: SKPaymentQueue) -> Bool {
        let added = WeakObserver(observer, of: queue)
        return state.withLock { state in
            state.observers.removeAll(where: \.isGone)
            guard let new = added.present else { return false }
            guard !state.observers.contains(where: { $0.matches(new.observer, new.queue) }) else { return false }
            state.observers.append(added)
            return true
        }
    }

    func remove(_ observer: any SKPaymentTransactionObserver, of queue: SKPaymentQueue) {
        let removed = PresentObserver(observer: observer, queue: queue)
        state.withLock { $0.observers.removeAll { $0.isGone || $0.matches(removed.observer, removed.queue) } }
    }

    func observers(of queue: SKPaymentQueue) -> [any SKPaymentTransactionObserver] {
        observers.filter { $0.queue === queue }.map(\.observer)
    }

    /// The observers of all queues.
    var observers: [PresentObserver] { state.withLock { $0.observers.compactMap(\.present) } }

    func setDelegate(_ delegate: (any SKPaymentQueueDelegate)?, of queue: SKPaymentQueue) {
        let new = delegate.map { WeakDelegate($0, of: queue) }
        state.withLock { state in
            if let new {
                state.delegate = new
            } else if state.delegate.queue === queue {
                state.delegate = WeakDelegate()
            }
        }
    }

    var delegate: (any SKPaymentQueueDelegate)? { state.withLock { $0.delegate }.delegate }

    var transactions: [SKPaymentTransaction] { state.withLock { $0.transactions } }

    // MARK: Events

    func close() {
        state.withLock { $0.isClosed = true }
    }

    /// Waits until the observers got all events so far.
    func drain() async {
        await withCheckedContinuation { continuation in
            dispatchQueue.async { continuation.resume() }
        }
    }

    var eventCount: Int { state.withLock { $0.eventCount } }

    func notify(_ event: QueueEvent) {
        state.withLock { $0.eventCount += 1 }
        dispatchQueue.async { [self] in
            guard !state.withLock({ $0.isClosed }) else { return }
            perform(event)
        }
    }

    /// Drops all later updates of a transaction but its removal.
    func dismiss(_ id: String) {
        state.withLock { _ = $0.finished.insert(id) }
    }

    /// Gives a new observer all transactions in the queue.
    func replay(to observer: any SKPaymentTransactionObserver, of queue: SKPaymentQueue) {
        let new = PresentObserver(observer: observer, queue: queue)
        dispatchQueue.async { [self] in
            let transactions: [SKPaymentTransaction] = state.withLock { state in
                guard !state.isClosed else { return [] }
                return state.transactions.filter { $0.entryID.map { !state.finished.contains($0) } ?? false }
            }
            guard !transactions.isEmpty else { return }
            transactions.forEach(contents.attach(to:))
            call(new.queue) { new.observer.paymentQueue(new.queue, updatedTransactions: transactions) }
        }
    }

    /// Asks the delegate on the callback queue. Returns nil without a delegate.
    func ask(_ question: @escaping @Sendable (any SKPaymentQueueDelegate, SKPaymentQueue) -> Bool) async -> Bool? {
        await withCheckedContinuation { continuation in
            dispatchQueue.async { [self] in
                let asked = state.withLock { $0.delegate }
                guard let delegate = asked.delegate, let queue = asked.queue else {
                    return continuation.resume(returning: nil)
                }
                continuation.resume(returning: call(queue) { question(delegate, queue) })
            }
        }
    }

    /// Asks the observers on the callback queue. Returns true if one agrees.
    func askObservers(
        _ question: @escaping @Sendable (any SKPaymentTransactionObserver, SKPaymentQueue) -> Bool
    ) async -> Bool {
        await withCheckedContinuation { continuation in
            dispatchQueue.async { [self] in
                let agrees = observers.contains { asked in
                    call(asked.queue) { question(asked.observer, asked.queue) }
                }
                continuation.resume(returning: agrees)
            }
        }
    }

    private func perform(_ event: QueueEvent) {
        switch event {
        case .updated(let entries):
            let transactions = show(entries)
            guard !transactions.isEmpty else { return }
            tell { $0.paymentQueue($1, updatedTransactions: transactions) }
        case .removed(let ids):
            let transactions = hide(ids)
            guard !transactions.isEmpty else { return }
            tell { $0.paymentQueue($1, removedTransactions: transactions) }
        case .restoreFinished: tell { $0.paymentQueueRestoreCompletedTransactionsFinished($1) }
        case .restoreFailed(let failure):
            let error = failure.skError
            tell { $0.paymentQueue($1, restoreCompletedTransactionsFailedWithError: error) }
        case .revoked(let products): tell { $0.paymentQueue($1, didRevokeEntitlementsForProductIdentifiers: products) }
        case .storefrontChanged: tell { $0.paymentQueueDidChangeStorefront($1) }
        case .download(let download): tell { $0.paymentQueue($1, updatedDownloads: [download.object]) }
        }
    }

    /// Calls all observers.
    private func tell(_ body: (any SKPaymentTransactionObserver, SKPaymentQueue) -> Void) {
        for told in observers {
            call(told.queue) { body(told.observer, told.queue) }
        }
    }

    /// Calls the app about a queue, with the connection of this queue.
    private func call<Value>(_ queue: SKPaymentQueue, _ body: () -> Value) -> Value {
        CallerStore(connection: connection.object, followsProcess: queue.source.followsProcess).call(body)
    }

    private func show(_ entries: [QueueEntry]) -> [SKPaymentTransaction] {
        // The connection isn't released with the lock: its end closes this.
        let vault = connection.object?.vault
        let transactions: [SKPaymentTransaction] = state.withLock { state in
            entries.filter { !state.finished.contains($0.id) }.map { entry in
                let product = entry.originalProduct(in: vault)
                if let transaction = state.transactions.first(where: { $0.entryID == entry.id }) {
                    transaction.update(entry, originalProduct: product)
                    return transaction
                }
                let transaction = SKPaymentTransaction(entry, originalProduct: product)
                state.transactions.append(transaction)
                return transaction
            }
        }
        transactions.forEach(contents.attach(to:))
        return transactions
    }

    private func hide(_ ids: [String]) -> [SKPaymentTransaction] {
        state.withLock { state in
            func isHidden(_ transaction: SKPaymentTransaction) -> Bool {
                transaction.entryID.map(ids.contains) ?? false
            }
            state.finished.subtract(ids)
            let hidden = state.transactions.filter(isHidden)
            state.transactions.removeAll(where: isHidden)
            return hidden
        }
    }
}

extension QueueEntry {
    /// Returns the product of a renewal's first transaction, which is another one after an upgrade; `nil` if this device doesn't know it.
    fileprivate func originalProduct(in vault: PurchaseVault?) -> String? {
        guard let transaction = stage.transaction, transaction.originalTransactionId != transaction.transactionId,
            let id = UInt64(transaction.originalTransactionId, radix: 10)
        else { return nil }
        return vault?.contents.transaction(id)?.productID
    }
}
