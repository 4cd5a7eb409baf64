import Dispatch
import Synchronization

extension StoreConnection {
    /// The engine behind queues without a connection of their own.
    var queueEngine: QueueEngine {
        part { QueueEngine(connection: $0, terms: $0.nonRenewingTerms, callbackQueue: .main) }
    }

    /// The payment queue of this connection, which is `SKPaymentQueue.default()` in tasks with it. Calls observers on the main queue.
    public var paymentQueue: SKPaymentQueue {
        part { DefaultQueue(SKPaymentQueue(source: ConnectionQueue(engine: $0.queueEngine))) }.queue
    }

    private final class DefaultQueue: Sendable {
        let queue: SKPaymentQueue

        init(_ queue: SKPaymentQueue) {
            self.queue = queue
        }
    }

    // MARK: The queue and StoreKit 2

    /// Removes transactions that StoreKit 2 has finished from the queues.
    package func noteFinished(_ transactionIDs: [String]) {
        engines.all.forEach { $0.forget(transactionIDs) }
    }

    /// Fetches what is new for the observers of StoreKit 1, and returns when they were called. Does nothing without observers.
    package func synchronizeQueue() async {
        for engine in engines.all { await engine.fetchNew() }
    }

    /// Begins to ask for the outcomes of payments that wait for approval, if there are any.
    package func askForDeferredPayments() {
        for engine in engines.all where !engine.journal.state.deferred.isEmpty { engine.wantNew() }
    }

    /// Begins to fetch what is new for the observers of StoreKit 1.
    package func wakeQueue() {
        engines.all.forEach { $0.wantNew() }
    }
}

/// The running engines of a connection.
final class QueueEngines: Sendable {
    private let engines = Mutex<[WeakReference<QueueEngine>]>([])

    var all: [QueueEngine] { engines.withLock { $0.compactMap(\.object) } }

    func add(_ engine: QueueEngine) {
        engines.withLock { engines in
            engines.removeAll { $0.object == nil }
            engines.append(WeakReference(object: engine))
        }
    }
}
