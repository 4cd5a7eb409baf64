import Dispatch
import PerennialStorage

/// Holds locks of a PostgreSQL database until it is released, and then rolls back: for tests of transactions that meet.
package final class LockHolder: Sendable {
    private struct Released: Error {}

    private let mayEnd: DispatchSemaphore
    private let task: Task<Void, any Error>

    /// Opens a connection of its own, and waits until it has the locks.
    ///
    /// - Parameter lock: Locks rows, or inserts those that others will insert.
    package init(at location: DatabaseLocation, _ lock: @escaping @Sendable (any Connection) throws -> Void)
        async throws
    {
        var options = DatabaseOptions.forTests
        // The machine may be busy while it holds them.
        options.idleTransactionMilliseconds = 600_000
        let database = try Database(location, options: options)
        let (mayEnd, (locked, tell)) = (DispatchSemaphore(value: 0), AsyncStream.makeStream(of: Void.self))
        self.mayEnd = mayEnd
        task = Task {
            defer {
                tell.finish()
                database.close()
            }
            do {
                try await database.write { connection in
                    try lock(connection)
                    tell.yield()
                    mayEnd.wait()
                    throw Released()
                }
            } catch is Released {}
        }
        for await _ in locked { break }
    }

    deinit { mayEnd.signal() }

    /// Gives the locks back.
    package func release() async throws {
        mayEnd.signal()
        try await task.value
    }
}

extension DatabaseLocation {
    package struct ConnectionsStayOpen: Error {}

    /// Returns the number of deadlocks that PostgreSQL has resolved in a database whose connections are closed.
    ///
    /// - Throws: ``ConnectionsStayOpen`` if they are not.
    package func deadlocks() async throws -> Int64? {
        var options = DatabaseOptions.forTests
        // A second connection would be counted among the others.
        options.readConnections = 1
        let database = try Database(self, options: options)
        defer { database.close() }
        // A connection counts its deadlocks when it ends, which is a moment after it is closed.
        let end = ContinuousClock.now + .seconds(60)
        while try await database.read({ connection in
            try connection.first(
                """
                SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
                AND backend_type = 'client backend'
                """
            ) { try $0.integer(0) }
        }) ?? 0 > 0 {
            guard ContinuousClock.now < end else { throw ConnectionsStayOpen() }
            await Task.yield()
        }
        return try await database.read { connection in
            try connection.first("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()") {
                try $0.integer(0)
            }
        }
    }
}
