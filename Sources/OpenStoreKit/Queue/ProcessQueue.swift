import Dispatch
import Foundation
import Synchronization

/// The source of a queue that follows the process's store. Moves the queue's observers to the engine of a new one.
final class ProcessQueue: QueueSource {
    private struct State {
        var observers: [WeakObserver] = []
        var delegate = WeakDelegate()
        weak var queue: SKPaymentQueue?
        var connection: StoreConnection?
        var observation: CurrentStore.Observation?
    }

    private let state = Mutex(State())

    var connection: StoreConnection? { CurrentStore.processConnection }
    var followsProcess: Bool { true }
    var engine: QueueEngine? { connection?.queueEngine }
    var delegate: (any SKPaymentQueueDelegate)? { state.withLock { $0.delegate }.delegate }

    func add(_ observer: any SKPaymentTransactionObserver, to queue: SKPaymentQueue) {
        follow(queue)
        let new = WeakObserver(observer, of: queue)
        let engine = state.withLock { state in
            state.observers.removeAll { $0.isGone || $0.observer === new.observer }
            state.observers.append(new)
            return state.connection?.queueEngine
        }
        engine?.add(observer, of: queue)
    }

    func remove(_ observer: any SKPaymentTransactionObserver, from queue: SKPaymentQueue) {
        let removed = PresentObserver(observer: observer, queue: queue)
        let engine = state.withLock { state in
            state.observers.removeAll { $0.isGone || $0.observer === removed.observer }
            return state.connection?.queueEngine
        }
        engine?.remove(observer, of: queue)
    }

    func observers(of queue: SKPaymentQueue) -> [any SKPaymentTransactionObserver] {
        state.withLock { $0.observers.compactMap(\.present) }.map(\.observer)
    }

    func setDelegate(_ delegate: (any SKPaymentQueueDelegate)?, of queue: SKPaymentQueue) {
        follow(queue)
        let new = delegate.map { WeakDelegate($0, of: queue) } ?? WeakDelegate()
        let engine = state.withLock { state in
            state.delegate = new
            return state.connection?.queueEngine
        }
        engine?.setDelegate(delegate, of: queue)
    }

    /// Begins to follow the process's store, once.
    private func follow(_ queue: SKPaymentQueue) {
        let isFollowing = state.withLock { state in
            defer { state.queue = queue }
            return state.observation != nil
        }
        guard !isFollowing else { return }
        let observation = CurrentStore.observeChanges { [weak self] in self?.move(to: $0) }
        state.withLock { $0.observation = observation }
    }

    private func move(to connection: StoreConnection?) {
        let (before, queue, observers, delegate) = state.withLock { state in
            defer { state.connection = connection }
            return (state.connection, state.queue, state.observers.compactMap(\.present), state.delegate)
        }
        guard let queue, before !== connection else { return }
        if let engine = before?.existingPart(QueueEngine.self) {
            observers.forEach { engine.remove($0.observer, of: queue) }
            engine.callbacks.setDelegate(nil, of: queue)
        }
        guard let engine = connection?.queueEngine else { return }
        if let delegate = delegate.delegate { engine.callbacks.setDelegate(delegate, of: queue) }
        observers.forEach { engine.add($0.observer, of: queue) }
    }

    func refuse(_ order: PaymentOrder, on queue: SKPaymentQueue) {
        let entry = QueueEntry(id: "refused", order: order, stage: .failed(RecordedFailure(.noStore)))
        DispatchQueue.main.async { [self] in
            let transactions = [SKPaymentTransaction(entry)]
            observers(of: queue).forEach { $0.paymentQueue(queue, updatedTransactions: transactions) }
        }
    }

    func refuseRestore(on queue: SKPaymentQueue) {
        DispatchQueue.main.async { [self] in
            let error = StoreFailure.noStore.skError
            observers(of: queue).forEach {
                $0.paymentQueue(queue, restoreCompletedTransactionsFailedWithError: error)
            }
        }
    }

    func close() {
        state.withLock { $0.observation }?.cancel()
    }
}
