import Dispatch
import Logging
import Synchronization

/// A database of either engine, shared by the whole process.
///
/// Bodies run on threads of the database's own, so a slow disk or server never holds up Swift's concurrency threads.
package final class Database: Sendable {
    package let location: DatabaseLocation
    private let backend: any Backend

    /// Opens a database; it is not migrated.
    /// - Throws: ``StorageError`` with `cannotOpen` or `corrupt`.
    package init(
        _ location: DatabaseLocation, options: DatabaseOptions = .init(),
        logger: Logger = Logger(label: "perennial.storage")
    ) throws {
        self.location = location
        switch location {
        case .inMemory: backend = try SQLiteMemory(options: options)
        case .sqlite(let path): backend = try SQLiteFile(path: path, options: options, logger: logger)
        case .postgres(let url): backend = try PostgreSQLServer(url: url, options: options, logger: logger)
        }
    }

    /// Leaves the threads to finish what waits: the last reference may go away on one of them, which can't wait for itself.
    deinit { backend.refuseFurtherWork() }

    package var engine: DatabaseEngine { location.engine }

    /// Why the database accepts no further writes until the process is started again, with the cure, for the operator; nil while
    /// it accepts them. Writes fail with this error at once; reads go on.
    package var writesStopped: StorageError? { backend.writesStopped }

    /// Runs a body on a consistent snapshot of what is committed.
    /// - Throws: What the body throws, or ``StorageError``.
    package func read<Value: Sendable>(
        _ body: @escaping @Sendable (any Connection) throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            backend.submit(Work(.read, .usual, body) { continuation.resume(with: $0) })
        }
    }

    /// Runs a body in a transaction that is durable when this returns: all of it, or nothing when anything throws.
    ///
    /// The body may run again after a collision with another transaction, so it has no effects outside the database.
    /// - Parameter patience: How long its statements may take.
    /// - Throws: What the body throws, or ``StorageError``.
    @discardableResult
    package func write<Value: Sendable>(
        patience: Patience = .usual, _ body: @escaping @Sendable (any Connection) throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            backend.submit(Work(.write, patience, body) { continuation.resume(with: $0) })
        }
    }

    /// ``read(_:)`` for callers on threads of their own, which it blocks. Not for async functions, nor inside a body.
    package func readSync<Value: Sendable>(
        _ body: @escaping @Sendable (any Connection) throws -> Value
    ) throws -> Value {
        try wait(.read, .usual, body)
    }

    /// ``write(_:)`` for callers on threads of their own, which it blocks. Not for async functions, nor inside a body.
    @discardableResult
    package func writeSync<Value: Sendable>(
        patience: Patience = .usual, _ body: @escaping @Sendable (any Connection) throws -> Value
    ) throws -> Value {
        try wait(.write, patience, body)
    }

    /// Runs the migrations that this database hasn't seen, in their order.
    /// - Throws: ``StorageError`` with `newerSchema`, `differentSchema`, or what a statement throws.
    package func migrate(_ migrations: [Migration] = Migration.all) throws {
        try MigrationHistory(migrations).bringUpToDate(self)
    }

    /// SQLite's `PRAGMA synchronous` on the connection that writes: 2 is FULL. Nil on PostgreSQL.
    package func synchronousLevel() throws -> Int? {
        guard engine == .sqlite else { return nil }
        return try writeSync { try $0.first("PRAGMA synchronous") { Int(try $0.integer(0)) } }
    }

    /// Finishes the bodies that wait, ends the threads and closes the connections; later calls throw `closed`.
    ///
    /// It blocks until that is done, except when called inside a body.
    package func close() {
        backend.refuseFurtherWork()
        guard !WorkerThread.isCurrent else { return }
        backend.waitUntilFinished()
    }

    private func wait<Value: Sendable>(
        _ access: Access, _ patience: Patience, _ body: @escaping @Sendable (any Connection) throws -> Value
    ) throws -> Value {
        // A thread of the database that waits for its own queue would wait for ever.
        guard !WorkerThread.isCurrent else {
            throw StorageError(.statement, "\(location)", "A body can't start another transaction and wait for it.")
        }
        let answer = Answer<Value>()
        backend.submit(Work(access, patience, body) { answer.give($0) })
        return try answer.wait()
    }
}

/// The result of a body, handed from a thread of the database to the one that waits.
private final class Answer<Value: Sendable>: Sendable {
    private let result = Mutex<Result<Value, any Error>?>(nil)
    private let given = DispatchSemaphore(value: 0)

    func give(_ value: Result<Value, any Error>) {
        result.withLock { $0 = value }
        given.signal()
    }

    func wait() throws -> Value {
        given.wait()
        guard let result = result.withLock({ $0 }) else { preconditionFailure("An answer precedes its signal.") }
        return try result.get()
    }
}
