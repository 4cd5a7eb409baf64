import Foundation
import Logging

/// The migrations that this program knows, in order.
struct MigrationHistory {
    private let migrations: [Migration]

    /// - Throws: ``StorageError`` with `differentSchema` if the numbers don't count from 1.
    init(_ migrations: [Migration]) throws {
        self.migrations = migrations.sorted { $0.number < $1.number }
        guard self.migrations.map(\.number) == Array(1...migrations.count + 1).dropLast() else {
            let numbers = self.migrations.map { "\($0.number)" }.joined(separator: ", ")
            throw StorageError(.differentSchema, "migrations", "They are numbered from 1 without gaps, not \(numbers).")
        }
    }

    /// Runs the migrations that are new to a database, each in a transaction of its own.
    ///
    /// - Parameters:
    ///   - attempts: How often a migration is tried whose tables others use.
    ///   - pause: The milliseconds between two attempts.
    func bringUpToDate(_ database: Database, attempts: Int, pause: UInt32) throws {
        if database.engine == .sqlite { try database.writeSync(timeout: .long) { try self.createAtOnce($0) } }
        var isFirst = true
        var failures = 0
        while true {
            do {
                let hasRun = try database.writeSync(timeout: .long) { [isFirst] connection in
                    guard let next = try self.next(connection, isFirst: isFirst) else { return false }
                    try Self.run(next, on: connection)
                    return true
                }
                guard hasRun else { break }
                (isFirst, failures) = (false, 0)
            } catch let error as StorageError where error.code == .busy && database.engine == .postgres {
                failures += 1
                if failures == 1 || failures >= attempts {
                    let reason = try Self.blocked(error, in: database)
                    guard failures < attempts else { throw reason }
                    database.logger.warning(
                        "a migration waits for a table that others use, and is repeated",
                        metadata: ["error": "\(reason)"])
                }
                usleep(pause * 1_000)
            }
        }
        guard database.engine == .sqlite else { return }
        try database.writeSync { try SQLiteStatistics.complete(on: $0) }
    }

    /// Runs all migrations on a database of SQLite that is new, in one transaction and by fewer statements
    /// (``NewSchema``).
    private func createAtOnce(_ connection: any Connection) throws {
        let known = try connection.first("SELECT 1 FROM sqlite_schema LIMIT 1") { _ in true }
        guard known == nil else { return }
        try Self.prepare(connection)
        for statement in NewSchema(migrations.flatMap(\.statements)).statements {
            try connection.execute(SQL(statement))
        }
        // No conversion: there are no documents to change.
        for migration in migrations { try Self.record(migration, on: connection) }
    }

    private static func prepare(_ connection: any Connection) throws {
        try connection.execute(
            "CREATE TABLE IF NOT EXISTS schema_migrations (number BIGINT PRIMARY KEY, name TEXT NOT NULL)")
        try SchemaVersions.prepare(on: connection)
    }

    /// Returns the first migration that is new to the database.
    ///
    /// It is found and run in one transaction, so that of two processes that start at once only one runs it.
    private func next(_ connection: any Connection, isFirst: Bool) throws -> Migration? {
        try MigrationLock.take(on: connection)
        try Self.prepare(connection)
        let seen = try connection.query("SELECT number, name FROM schema_migrations ORDER BY number") {
            (number: try $0.integer(0), name: try $0.text(1))
        }
        // A node of the version before goes on beside migrations that only add.
        let unknown = seen.dropFirst(migrations.count)
        if let refusing = try SchemaVersions.refusing(programWith: migrations.count, on: connection) {
            throw StorageError(
                .newerSchema, "migration \(refusing.number) (\(refusing.name))",
                """
                A newer version of this program has migrated the database, in a way that this one can't work beside: it \
                knows \(migrations.count) migrations. Start that version or a newer one instead.
                """)
        }
        for (number, (recorded, known)) in zip(seen, migrations).enumerated() {
            guard recorded.number == Int64(number + 1), recorded.name == known.name else {
                throw StorageError(
                    .differentSchema, "migration \(recorded.number) (\(recorded.name))",
                    "This program's migration \(known.number) is called \(known.name).")
            }
        }
        if isFirst, let newest = seen.last, newest.number <= EarlySchema.lastMigration,
            migrations.count > EarlySchema.lastMigration
        {
            try EarlySchema(migrations.prefix(seen.count), on: connection).repair()
        }
        guard unknown.isEmpty, let next = migrations.dropFirst(seen.count).first else { return nil }
        if !next.allowsEarlierNodes { try refuseBesideEarlierNodes(next, on: connection) }
        return next
    }

    /// Adds who is in the way to an error.
    private static func blocked(_ error: StorageError, in database: Database) throws -> StorageError {
        guard let other = try database.writeSync({ try MigrationLock.oldestTransaction(on: $0) }) else { return error }
        return StorageError(
            .busy, error.subject,
            """
            \(error.reason) A transaction is open: \(other). Start again when it has ended, or end it with \
            pg_terminate_backend: a backup or a report holds the tables that it reads.
            """)
    }

    private static func run(_ migration: Migration, on connection: any Connection) throws {
        try MigrationLock.hurrying(on: connection) {
            for statement in migration.statements { try connection.execute(SQL(statement)) }
        }
        try migration.conversion?.run(on: connection)
        try record(migration, on: connection)
    }

    private static func record(_ migration: Migration, on connection: any Connection) throws {
        try connection.execute(
            "INSERT INTO schema_migrations (number, name) VALUES ($1, $2)",
            [.integer(Int64(migration.number)), .text(migration.name)])
        if migration.allowsEarlierNodes { try SchemaVersions.allowEarlierNodes(migration.number, on: connection) }
    }

    /// Refuses a migration that earlier versions can't work beside, while nodes of such a version are registered.
    ///
    /// Nodes that died without a word were removed before (``SchemaVersions/earlierNodes(than:on:)``).
    private func refuseBesideEarlierNodes(_ next: Migration, on connection: any Connection) throws {
        guard connection.engine == .postgres, next.number > Migration.nodes.number else { return }
        // A node that registers meanwhile is among them, or finds the migration when this is committed.
        try NodesTable.lockRegistrations(on: connection)
        let nodes = try SchemaVersions.earlierNodes(than: next.number, on: connection)
        guard let first = nodes.first else { return }
        let names = nodes.map { "\($0.id) (\($0.host), process \($0.process), version \($0.version))" }
        throw StorageError(
            .earlierNodes, "migration \(next.number) (\(next.name))",
            """
            Version \(first.version) can't work beside it. Stop these nodes first: \(names.joined(separator: ", ")). \
            `perennial nodes list` shows them.
            """)
    }
}
