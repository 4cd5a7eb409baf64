/// A session of one of the store's nodes that held locks in the middle of a request, and was ended for it.
///
/// PostgreSQL begins with a request before all of it has arrived, and waits for the rest without a limit: none of `lock_timeout`,
/// `statement_timeout` and `idle_in_transaction_session_timeout` counts in the middle of a request. A node that stops or is cut
/// off between two parts of its request would hold a journal's head until its connection ends, behind a proxy for hours.
///
/// Source: PostgreSQL's source, `PostgresMain` and `SocketBackend`: the limits begin with `ReadyForQuery`, or with a statement.
package struct StalledSession: Hashable, Sendable {
    /// The number of the server's process.
    package var process: Int64
    /// The address of the client, or of the proxy before it; `local` for a socket of the server's machine.
    package var client: String
    /// The tables whose rows it held.
    package var tables: String
}

extension Database {
    /// Ends the sessions of the store's nodes that hold locks in the middle of a request whose rest doesn't come.
    ///
    /// Sessions of other programs under the same role go on: they have another `application_name`. So does a copy of a table,
    /// which waits for its client as well.
    ///
    /// - Parameter milliseconds: The time since the last part of the request.
    /// - Returns: The ended sessions. None on SQLite.
    /// - Throws: ``StorageError``.
    package func endStalledSessions(after milliseconds: Int64 = 3_000) async throws -> [StalledSession] {
        guard engine == .postgres else { return [] }
        let ended = try await write(isUrgent: true) { connection in
            try connection.send("SELECT set_config('statement_timeout', '1000', true)")
            // Nearly always there is none, and the server's locks needn't be listed.
            let isFound = try connection.first(.findStalled, [.integer(milliseconds)]) { _ in true } ?? false
            guard isFound else { return [StalledSession]() }
            return try connection.query(.endStalled, [.integer(milliseconds)]) { row in
                StalledSession(process: try row.integer(0), client: try row.text(1), tables: try row.text(2))
            }
        }
        countEndedSessions(ended.count)
        return ended
    }
}

extension SQL {
    /// A copy (`COPY … FROM STDIN`) is told from a request by its statement, which is the session's last one.
    private static let isStalled = """
        datname = current_database() AND usename = current_user AND pid <> pg_backend_pid()
        AND application_name = current_setting('application_name') AND application_name <> ''
        AND state = 'active' AND wait_event_type = 'Client' AND wait_event = 'ClientRead' AND query NOT ILIKE 'COPY%'
        AND state_change < clock_timestamp() - CAST($1 AS DOUBLE PRECISION) * INTERVAL '1 millisecond'
        """

    fileprivate static let findStalled = SQL("SELECT 1 FROM pg_stat_activity WHERE \(isStalled) LIMIT 1")

    /// A transaction that has locked rows of a table keeps a lock of one of these modes on the table until its end.
    fileprivate static let endStalled = SQL(
        """
        SELECT CAST(pid AS BIGINT), COALESCE(host(client_addr), 'local'), tables,
            CASE WHEN pg_terminate_backend(pid) THEN 1 ELSE 0 END
        FROM pg_stat_activity, LATERAL (
            SELECT string_agg(DISTINCT relname, ', ' ORDER BY relname) AS tables
            FROM pg_locks JOIN pg_class ON pg_class.oid = pg_locks.relation
            WHERE pg_locks.pid = pg_stat_activity.pid AND granted AND locktype = 'relation'
                AND pg_locks.database = pg_stat_activity.datid AND mode IN ('RowShareLock', 'RowExclusiveLock')
                AND relation IN (to_regclass('journal_heads'), to_regclass('leases'), to_regclass('customers'))
        ) AS held
        WHERE tables IS NOT NULL AND \(isStalled)
        """)
}
