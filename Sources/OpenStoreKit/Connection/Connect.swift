import Synchronization

private struct ProcessWide: Sendable {
    var connection: StoreConnection?
    var queue: SKPaymentQueue?
}

private let process = Mutex(ProcessWide())

/// Sets the connection of `SKPaymentQueue.default()` and of requests without a connection of their own.
///
/// Call it once at launch: `OpenStoreKit.connect(connection)`. Queues of an earlier connection keep that connection.
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

    /// The process-wide connection; `nil` before ``connect(_:)``.
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

    /// True if the customer of the process-wide connection may buy; also before the first sign-in.
    ///
    /// Source: Apple, StoreKit documentation, "canMakePayments()".
    public static func canMakePayments() -> Bool {
        StoreConnection.ofProcessIfAny?.canMakePayments ?? true
    }
}
