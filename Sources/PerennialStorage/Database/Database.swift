import Dispatch
import Logging
import Synchronization

/// A database of either engine, shared by the whole process.
///
/// Bodies run on the database's own threads, so a slow disk or server never blocks Swift's concurrency threads.
package final class Database: Sendable {
    package let location: DatabaseLocation
    /// Tells of commits of this process.
    package let commits = CommitSignal()
    let logger: Logger
    private let backend: any DatabaseBackend

    /// Opens a database without migrating it.
    /// - Throws: ``StorageError`` with `cannotOpen` or `corrupt`.
    package init(
        _ location: DatabaseLocation, options: DatabaseOptions = .init(),
        logger: Logger = Logger(label: "perennial.storage")
    ) throws {
        (self.location, self.logger) = (location, logger)
        switch location {
        case .inMemory: backend = try SQLiteMemory(options: options)
        case .sqlite(let path): backend = try SQLiteFile(path: path, options: options, logger: logger)
        case .postgres(let url): backend = try PostgreSQLServer(url: url, options: options, logger: logger)
        }
    }

    /// Opens a database in memory that begins with the content of another.
    /// - Throws: ``StorageError`` with `cannotOpen`.
    package init(inMemory image: SQLiteImage, options: DatabaseOptions = .init()) throws {
        (location, logger) = (.inMemory, Logger(label: "perennial.storage"))
        backend = try SQLiteMemory(options: options, image: image)
    }

    /// Lets the threads finish queued tasks without waiting: the last reference may be released on one of them.
    deinit { backend.stopAccepting() }

    package var engine: DatabaseEngine { location.engine }

    /// The reason, with the cure, why writes fail until the process is restarted; `nil` while they are accepted.
    ///
    /// Reads go on.
    package var writesStopped: StorageError? { backend.writesStopped }

    /// Numbers the histories of commits that the process has met. It changes when a failover or a restoration may have lost commits:
    /// what was kept of the era before doesn't count any more.
    package var era: Int64 { backend.history?.era ?? 0 }

    /// Begins another era, because the database was found in an earlier state.
    package func renewEra() { backend.history?.renew() }

    /// The work on a PostgreSQL server since the database was opened; `nil` on SQLite.
    package var statistics: PostgreSQLStatistics? { backend.statistics }

    func countEndedSessions(_ count: Int) { backend.countEndedSessions(count) }

    /// Runs a body on a consistent snapshot of the committed data.
    /// - Throws: The body's error, or ``StorageError``.
    package func read<Value: Sendable>(
        _ body: @escaping @Sendable (any Connection) throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            backend.submit(DatabaseTask(.read, .standard, body) { continuation.resume(with: $0) })
        }
    }

    /// Runs ``read(_:)`` for a short body that asks for rows by their keys, most of them announced.
    ///
    /// On PostgreSQL waiting bodies of this kind share a snapshot, which is taken after they were submitted. A body that asks for
    /// what it has not announced runs a second time, so it must have no effect outside the database.
    /// - Throws: The body's error, or ``StorageError``.
    package func lookUp<Value: Sendable>(
        _ announced: [AnnouncedRead], _ body: @escaping @Sendable (any Connection) throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            backend.submit(
                DatabaseTask(.read, .standard, announced: announced, body) { continuation.resume(with: $0) })
        }
    }

    /// Runs a body that reads many rows in the order of a table, each once, such as a part of the journal.
    ///
    /// On SQLite it runs on a connection of its own, with a cache of few pages: a report of any length takes no more
    /// memory, and evicts no page that sales need from the other connections. Otherwise this is ``read(_:)``.
    /// - Throws: The body's error, or ``StorageError``.
    package func scan<Value: Sendable>(
        _ body: @escaping @Sendable (any Connection) throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            backend.submit(DatabaseTask(.scan, .standard, body) { continuation.resume(with: $0) })
        }
    }

    /// Runs a body in a transaction that is durable when this returns: all of it, or nothing if anything throws.
    ///
    /// The body may run again after a collision with another transaction, so it must have no effect outside the
    /// database. It may share its transaction with other bodies that wait, and then reads their changes.
    /// - Parameters:
    ///   - announced: The statements that it will ask first, as far as they are known. PostgreSQL runs those of all bodies that
    ///     wait in one round trip, before any of the bodies; they may lock rows.
    ///   - timeout: Of each of its statements.
    ///   - isUrgent: True for a short write that must not wait for others, such as a heartbeat. On PostgreSQL it has a
    ///     connection of its own; on SQLite it waits for its turn.
    /// - Throws: The body's error, or ``StorageError``.
    @discardableResult
    package func write<Value: Sendable>(
        announcing announced: [AnnouncedRead] = [], timeout: StatementTimeout = .standard, isUrgent: Bool = false,
        _ body: @escaping @Sendable (any Connection) throws -> Value
    ) async throws -> Value {
        let value = try await withCheckedThrowingContinuation { continuation in
            backend.submit(
                DatabaseTask(.write, timeout, isUrgent: isUrgent, announced: announced, body) {
                    continuation.resume(with: $0)
                })
        }
        commits.flush()
        return value
    }

    /// Runs ``read(_:)`` and blocks the calling thread. Not for async functions, nor inside a body.
    package func readSync<Value: Sendable>(
        _ body: @escaping @Sendable (any Connection) throws -> Value
    ) throws -> Value {
        try wait(.read, .standard, body)
    }

    /// Runs ``write(announcing:timeout:isUrgent:_:)`` and blocks the calling thread. Not for async functions, nor inside a body.
    @discardableResult
    package func writeSync<Value: Sendable>(
        timeout: StatementTimeout = .standard, _ body: @escaping @Sendable (any Connection) throws -> Value
    ) throws -> Value {
        try wait(.write, timeout, body)
    }

    /// Runs the migrations that are new to this database, in order.
    /// - Throws: ``StorageError`` with `newerSchema` or `differentSchema`, or the error of a statement.
    package func migrate(
        _ migrations: [Migration] = Migration.all, attempts: Int = 180, pause: UInt32 = 1_000
    ) throws {
        try MigrationHistory(migrations).bringUpToDate(self, attempts: attempts, pause: pause)
    }

    /// Returns SQLite's `PRAGMA synchronous` of the connection that writes: 2 is FULL. `nil` on PostgreSQL.
    package func synchronousLevel() throws -> Int? {
        guard engine == .sqlite else { return nil }
        return try writeSync { try $0.first("PRAGMA synchronous") { Int(try $0.integer(0)) } }
    }

    /// Finishes queued tasks, ends the threads and closes the connections; later calls throw `closed`.
    ///
    /// Blocks until that is done, except when called inside a body.
    package func close() {
        backend.stopAccepting()
        guard !WorkerThread.isCurrent else { return }
        backend.waitUntilFinished()
    }

    private func wait<Value: Sendable>(
        _ access: Access, _ timeout: StatementTimeout, _ body: @escaping @Sendable (any Connection) throws -> Value
    ) throws -> Value {
        // A thread of the database that waits for its own queue would wait for ever.
        guard !WorkerThread.isCurrent else {
            throw StorageError(.statement, "\(location)", "A body can't start another transaction and wait for it.")
        }
        let result = BlockingResult<Value>()
        backend.submit(DatabaseTask(access, timeout, body) { result.fulfil($0) })
        return try result.wait()
    }
}
