/// PostgreSQL's advisory lock that lets one process migrate at a time. SQLite has one writer anyway.
enum MigrationLock {
    /// The lock's key: "perennia" in ASCII.
    static let key: Int64 = 0x7065_7265_6e6e_6961

    /// Waits for the lock, and holds it until the end of the transaction.
    ///
    /// A migration may take an hour, and a node that starts meanwhile waits for it: the connection's `lock_timeout`, which counts
    /// for advisory locks too, is off for this one.
    static func take(on connection: any Connection) throws {
        guard connection.engine == .postgres else { return }
        let limit = try connection.first("SELECT current_setting('lock_timeout')") { try $0.text(0) }
        try setLockTimeout("0", on: connection)
        // The function returns no value.
        _ = try connection.query("SELECT pg_advisory_xact_lock($1)", [.integer(key)]) { _ in }
        if let limit { try setLockTimeout(limit, on: connection) }
    }

    /// Milliseconds that a statement of a migration waits for a table: all sales that need the table wait behind it.
    private static let tableWaitMilliseconds = 500

    /// Runs statements that lock tables. They give up soon beside a backup or a long report, whose end the caller waits for
    /// between attempts.
    ///
    /// - Throws: ``StorageError`` `.busy`.
    static func hurrying(on connection: any Connection, _ statements: () throws -> Void) throws {
        guard connection.engine == .postgres else { return try statements() }
        let limits = try connection.first(
            """
            SELECT current_setting('lock_timeout'), CAST(LEAST(NULLIF(CAST(setting AS BIGINT), 0), $1) AS TEXT)
            FROM pg_settings WHERE name = 'lock_timeout'
            """, [.integer(Int64(tableWaitMilliseconds))]
        ) { (try $0.text(0), try $0.text(1)) }
        if let limits { try setLockTimeout(limits.1, on: connection) }
        try statements()
        if let limits { try setLockTimeout(limits.0, on: connection) }
    }

    /// Describes the session whose transaction has lasted longest, which most likely holds the table; `nil` if there is none.
    static func oldestTransaction(on connection: any Connection) throws -> String? {
        try connection.first(
            """
            SELECT CAST(pid AS TEXT), application_name, CAST(date_trunc('second', now() - xact_start) AS TEXT)
            FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
            AND xact_start IS NOT NULL ORDER BY xact_start LIMIT 1
            """
        ) { "process \(try $0.text(0)) (\(try $0.text(1))), for \(try $0.text(2))" }
    }

    /// Sets the limit until the end of the transaction.
    private static func setLockTimeout(_ limit: String, on connection: any Connection) throws {
        _ = try connection.first("SELECT set_config('lock_timeout', $1, true)", [.text(limit)]) { try $0.text(0) }
    }
}
