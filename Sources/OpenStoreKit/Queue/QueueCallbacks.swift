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
        var transactions: [SKPaymentTransaction] = []
        /// Finished transactions that aren't removed yet. Pending updates of them are dropped.
        var finished: Set<String> = []
        var isClosed = false
        /// Number of events so far.
        var eventCount = 0
    }

    private struct WeakObserver {
        weak var observer: (any SKPaymentTransactionObserver)?
    }

    private let dispatchQueue: DispatchQueue
    private let state = Mutex(State())
    private let queue = Mutex(WeakReference<SKPaymentQueue>())

    init(dispatchQueue: DispatchQueue) {
        self.dispatchQueue = dispatchQueue
    }

    func attach(_ queue: SKPaymentQueue) {
        self.queue.withLock { $0.object = queue }
    }

    // MARK: Observers

    /// Adds an observer. Returns false for one that is there already.
    func add(_ observer: any SKPaymentTransactionObserver) -> Bool {
        state.withLock { state in
            state.observers.removeAll { $0.observer == nil }
            guard !state.observers.contains(where: { $0.observer === observer }) else { return false }
            state.observers.append(WeakObserver(observer: observer))
            return true
        }
    }

    func remove(_ observer: any SKPaymentTransactionObserver) {
        state.withLock { $0.observers.removeAll { $0.observer === observer || $0.observer == nil } }
    }

    var observers: [any SKPaymentTransactionObserver] {
        state.withLock { $0.observers.compactMap(\.observer) }
    }

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
            guard let queue = queue.withLock({ $0.object }), !state.withLock({ $0.isClosed }) else { return }
            perform(event, queue)
        }
    }

    /// Drops all later updates of a transaction but its removal.
    func dismiss(_ id: String) {
        state.withLock { _ = $0.finished.insert(id) }
    }

    /// Gives a new observer all transactions in the queue.
    func replay(to observer: any SKPaymentTransactionObserver) {
        dispatchQueue.async { [self] in
            guard let queue = queue.withLock({ $0.object }), !state.withLock({ $0.isClosed }) else { return }
            let transactions = state.withLock { state in
                state.transactions.filter { !state.finished.contains($0.entryID) }
            }
            guard !transactions.isEmpty else { return }
            observer.paymentQueue(queue, updatedTransactions: transactions)
        }
    }

    /// Asks the delegate on the callback queue.
    func ask(_ question: @escaping @Sendable (SKPaymentQueue) -> Bool) async -> Bool {
        await withCheckedContinuation { continuation in
            dispatchQueue.async { [self] in
                continuation.resume(returning: queue.withLock { $0.object }.map(question) ?? true)
            }
        }
    }

    private func perform(_ event: QueueEvent, _ queue: SKPaymentQueue) {
        switch event {
        case .updated(let entries):
            let transactions = show(entries)
            guard !transactions.isEmpty else { return }
            observers.forEach { $0.paymentQueue(queue, updatedTransactions: transactions) }
        case .removed(let ids):
            let transactions = hide(ids)
            guard !transactions.isEmpty else { return }
            observers.forEach { $0.paymentQueue(queue, removedTransactions: transactions) }
        case .restoreFinished:
            observers.forEach { $0.paymentQueueRestoreCompletedTransactionsFinished(queue) }
        case .restoreFailed(let error):
            observers.forEach { $0.paymentQueue(queue, restoreCompletedTransactionsFailedWithError: error) }
        case .revoked(let products):
            observers.forEach {
                $0.paymentQueue(queue, didRevokeEntitlementsForProductIdentifiers: products)
            }
        case .storefrontChanged:
            observers.forEach { $0.paymentQueueDidChangeStorefront(queue) }
        case .downloads(let downloads):
            observers.forEach { $0.paymentQueue(queue, updatedDownloads: downloads) }
        }
    }

    private func show(_ entries: [QueueEntry]) -> [SKPaymentTransaction] {
        state.withLock { state in
            entries.filter { !state.finished.contains($0.id) }.map { entry in
                if let transaction = state.transactions.first(where: { $0.entryID == entry.id }) {
                    transaction.update(entry)
                    return transaction
                }
                let transaction = SKPaymentTransaction(entry)
                state.transactions.append(transaction)
                return transaction
            }
        }
    }

    private func hide(_ ids: [String]) -> [SKPaymentTransaction] {
        state.withLock { state in
            state.finished.subtract(ids)
            let hidden = state.transactions.filter { ids.contains($0.entryID) }
            state.transactions.removeAll { ids.contains($0.entryID) }
            return hidden
        }
    }
}
