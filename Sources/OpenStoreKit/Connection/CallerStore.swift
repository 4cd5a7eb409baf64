/// The store that a part of the app uses, for later calls of that part from other threads and queues.
struct CallerStore: Sendable {
    /// The connection; `nil` without a store.
    let connection: StoreConnection?
    /// True if the part of the app follows the process's store, without a connection of its own.
    let followsProcess: Bool

    /// Makes the store of calls about one connection.
    init(connection: StoreConnection?, followsProcess: Bool) {
        self.connection = connection
        self.followsProcess = followsProcess
    }

    /// Makes the store of the present caller.
    ///
    /// - Parameter own: Connection of the object that is called; `nil` for the one of the task or process.
    init(own: StoreConnection? = nil) {
        let own = own ?? CurrentStore.taskConnection
        self.init(connection: own ?? CurrentStore.processConnection, followsProcess: own == nil)
    }

    /// Calls the app with the connection as that of its task: API without a connection then uses this store, also while a newer
    /// session lives.
    ///
    /// Sets nothing if the app follows the process's store and that hasn't changed, so that `SKPaymentQueue.default()` stays the queue
    /// with the app's observers.
    func call<Value>(_ body: () throws -> Value) rethrows -> Value {
        guard let connection, !followsProcess || CurrentStore.processConnection !== connection else {
            return try body()
        }
        return try CurrentStore.$taskConnection.withValue(connection, operation: body)
    }
}
