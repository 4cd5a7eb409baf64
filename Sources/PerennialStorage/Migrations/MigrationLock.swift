/// PostgreSQL's advisory lock that lets one process migrate at a time. SQLite has one writer anyway.
enum MigrationLock {
    /// The lock's key: "perennia" in ASCII.
    static let key: Int64 = 0x7065_7265_6e6e_6961

    /// Waits for the lock, and holds it until the end of the transaction.
    ///
    /// A migration may take an hour, and a node that starts meanwhile waits for it: the connection's `lock_timeout`, which counts
    /// for advisory locks too, is off for this one. The migration's own statements have it again: those that wait for a table
    /// hold up all sales behind them.
    static func take(on connection: any Connection) throws {
        guard connection.engine == .postgres else { return }
        let limit = try connection.first("SELECT current_setting('lock_timeout')") { try $0.text(0) }
        try setLockTimeout("0", on: connection)
        // The function returns no value.
        _ = try connection.query("SELECT pg_advisory_xact_lock($1)", [.integer(key)]) { _ in }
        if let limit { try setLockTimeout(limit, on: connection) }
    }

    /// Sets the limit until the end of the transaction.
    private static func setLockTimeout(_ limit: String, on connection: any Connection) throws {
        _ = try connection.first("SELECT set_config('lock_timeout', $1, true)", [.text(limit)]) { try $0.text(0) }
    }
}
