/// The migrations that this program knows, in their order.
struct MigrationHistory {
    private let migrations: [Migration]

    /// The number of PostgreSQL's advisory lock that lets one process migrate at a time: "perennia" in ASCII.
    private static let lock: Int64 = 0x7065_7265_6e6e_6961

    /// - Throws: ``StorageError`` with `differentSchema` when the numbers don't count from 1.
    init(_ migrations: [Migration]) throws {
        self.migrations = migrations.sorted { $0.number < $1.number }
        guard self.migrations.map(\.number) == Array(1...migrations.count + 1).dropLast() else {
            let numbers = self.migrations.map { "\($0.number)" }.joined(separator: ", ")
            throw StorageError(.differentSchema, "migrations", "They are numbered from 1 without gaps, not \(numbers).")
        }
    }

    func bringUpToDate(_ database: Database) throws {
        while try database.writeSync(
            patience: .long,
            { connection in
                guard let next = try self.next(connection) else { return false }
                try Self.run(next, on: connection)
                return true
            })
        {}
        guard database.engine == .sqlite else { return }
        try database.writeSync { try SQLiteStatistics.complete(on: $0) }
    }

    /// The first migration that the database hasn't seen. Reading and running it happens in one transaction, so that
    /// of two processes that start at once only one runs it.
    private func next(_ connection: any Connection) throws -> Migration? {
        if connection.engine == .postgres {
            // Until the end of the transaction. The function gives back nothing that we could read.
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
        return migrations.dropFirst(seen.count).first
    }

    private static func run(_ migration: Migration, on connection: any Connection) throws {
        for statement in migration.statements { try connection.execute(SQL(statement)) }
        try connection.execute(
            "INSERT INTO schema_migrations (number, name) VALUES ($1, $2)",
            [.integer(Int64(migration.number)), .text(migration.name)])
    }
}
