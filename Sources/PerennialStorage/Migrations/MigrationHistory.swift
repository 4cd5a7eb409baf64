/// The migrations that this program knows, in order.
struct MigrationHistory {
    private let migrations: [Migration]

    /// The key of PostgreSQL's advisory lock that lets one process migrate at a time: "perennia" in ASCII.
    private static let lock: Int64 = 0x7065_7265_6e6e_6961

    /// - Throws: ``StorageError`` with `differentSchema` if the numbers don't count from 1.
    init(_ migrations: [Migration]) throws {
        self.migrations = migrations.sorted { $0.number < $1.number }
        guard self.migrations.map(\.number) == Array(1...migrations.count + 1).dropLast() else {
            let numbers = self.migrations.map { "\($0.number)" }.joined(separator: ", ")
            throw StorageError(.differentSchema, "migrations", "They are numbered from 1 without gaps, not \(numbers).")
        }
    }

    /// Runs the migrations that are new to a database, each in a transaction of its own.
    func bringUpToDate(_ database: Database) throws {
        var isFirst = true
        while try database.writeSync(
            timeout: .long,
            { [isFirst] connection in
                guard let next = try self.next(connection, isFirst: isFirst) else { return false }
                try Self.run(next, on: connection)
                return true
            })
        { isFirst = false }
        guard database.engine == .sqlite else { return }
        try database.writeSync { try SQLiteStatistics.complete(on: $0) }
    }

    /// Returns the first migration that is new to the database.
    ///
    /// It is found and run in one transaction, so that of two processes that start at once only one runs it.
    private func next(_ connection: any Connection, isFirst: Bool) throws -> Migration? {
        if connection.engine == .postgres {
            // Held until the end of the transaction. The function returns no value.
            _ = try connection.query("SELECT pg_advisory_xact_lock($1)", [.integer(Self.lock)]) { _ in }
        }
        try connection.execute(
            "CREATE TABLE IF NOT EXISTS schema_migrations (number BIGINT PRIMARY KEY, name TEXT NOT NULL)")
        let seen = try connection.query("SELECT number, name FROM schema_migrations ORDER BY number") {
            (number: try $0.integer(0), name: try $0.text(1))
        }
        if let newest = seen.last, newest.number > migrations.count {
            throw StorageError(
                .newerSchema, "migration \(newest.number) (\(newest.name))",
                "A newer version of this program has migrated the database; this one knows \(migrations.count) migrations."
            )
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
        return migrations.dropFirst(seen.count).first
    }

    private static func run(_ migration: Migration, on connection: any Connection) throws {
        for statement in migration.statements { try connection.execute(SQL(statement)) }
        try migration.conversion?.run(on: connection)
        try connection.execute(
            "INSERT INTO schema_migrations (number, name) VALUES ($1, $2)",
            [.integer(Int64(migration.number)), .text(migration.name)])
    }
}
