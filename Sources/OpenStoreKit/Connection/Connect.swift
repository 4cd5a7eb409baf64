import Synchronization

private struct ProcessWide: Sendable {
    var connection: StoreConnection?
    var queue: SKPaymentQueue?
}

private let process = Mutex(ProcessWide())

/// Sets the connection behind `SKPaymentQueue.default()` and behind requests that are made without one.
///
/// Call it once, at launch: `OpenStoreKit.connect(connection)`. A default queue made for an earlier connection lives
/// on for those who hold it.
public func connect(_ connection: StoreConnection) {
    process.withLock { $0 = ProcessWide(connection: connection, queue: nil) }
}

extension StoreConnection {
    /// The process-wide connection.
    ///
    /// - Precondition: ``connect(_:)`` was called.
    static var ofProcess: StoreConnection {
        guard let connection = process.withLock({ $0.connection }) else {
            preconditionFailure("call OpenStoreKit.connect(_:) at launch, before anything of StoreKit's is used")
        }
        return connection
    }

    /// The same, where there may be none.
    static var ofProcessIfAny: StoreConnection? { process.withLock { $0.connection } }
}

extension SKPaymentQueue {
    /// The queue of the process-wide connection.
    ///
    /// - Precondition: ``connect(_:)`` was called.
    public static func `default`() -> SKPaymentQueue {
        let connection = StoreConnection.ofProcess
        return process.withLock { process in
            if let queue = process.queue, queue.connection === connection { return queue }
            let queue = SKPaymentQueue(connection: connection)
            process.queue = queue
            return queue
        }
    }

    /// Whether the customer of the process-wide connection may buy; `true` until the store has said otherwise.
    public static func canMakePayments() -> Bool {
        StoreConnection.ofProcessIfAny?.canMakePayments ?? true
    }
}
