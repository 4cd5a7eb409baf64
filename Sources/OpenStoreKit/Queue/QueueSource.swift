/// The store's side of a payment queue: an engine that stays, or that of the process's present store.
protocol QueueSource: Sendable {
    /// The engine; `nil` without a store.
    var engine: QueueEngine? { get }
    /// The connection; `nil` without a store.
    var connection: StoreConnection? { get }
    /// True if the queue follows the process's store.
    var followsProcess: Bool { get }
    var delegate: (any SKPaymentQueueDelegate)? { get }
    func add(_ observer: any SKPaymentTransactionObserver, to queue: SKPaymentQueue)
    func remove(_ observer: any SKPaymentTransactionObserver, from queue: SKPaymentQueue)
    func observers(of queue: SKPaymentQueue) -> [any SKPaymentTransactionObserver]
    func setDelegate(_ delegate: (any SKPaymentQueueDelegate)?, of queue: SKPaymentQueue)
    /// Fails a payment without a store.
    func refuse(_ order: PaymentOrder, on queue: SKPaymentQueue)
    /// Fails a restore without a store.
    func refuseRestore(on queue: SKPaymentQueue)
    /// Ends the source with its queue.
    func close()
}

/// The source of a queue with a connection of its own.
final class ConnectionQueue: QueueSource {
    /// The connection; `nil` if it owns this queue itself.
    private let ownConnection: StoreConnection?
    private let presentEngine: QueueEngine
    /// True if the engine ends with the queue.
    private let ownsEngine: Bool

    /// Makes the source of a queue with its own engine.
    init(connection: StoreConnection, engine: QueueEngine) {
        (ownConnection, presentEngine, ownsEngine) = (connection, engine, true)
    }

    /// Makes the source of a connection's default queue, which the connection keeps with the engine.
    init(engine: QueueEngine) {
        (ownConnection, presentEngine, ownsEngine) = (nil, engine, false)
    }

    var followsProcess: Bool { false }
    var engine: QueueEngine? { presentEngine }
    var connection: StoreConnection? { ownConnection ?? presentEngine.connection }
    var delegate: (any SKPaymentQueueDelegate)? { presentEngine.callbacks.delegate }

    func add(_ observer: any SKPaymentTransactionObserver, to queue: SKPaymentQueue) {
        presentEngine.add(observer, of: queue)
    }

    func remove(_ observer: any SKPaymentTransactionObserver, from queue: SKPaymentQueue) {
        presentEngine.remove(observer, of: queue)
    }

    func observers(of queue: SKPaymentQueue) -> [any SKPaymentTransactionObserver] {
        presentEngine.callbacks.observers(of: queue)
    }

    func setDelegate(_ delegate: (any SKPaymentQueueDelegate)?, of queue: SKPaymentQueue) {
        presentEngine.setDelegate(delegate, of: queue)
    }

    func refuse(_ order: PaymentOrder, on queue: SKPaymentQueue) {}
    func refuseRestore(on queue: SKPaymentQueue) {}

    func close() {
        if ownsEngine { presentEngine.cancel() }
    }
}
