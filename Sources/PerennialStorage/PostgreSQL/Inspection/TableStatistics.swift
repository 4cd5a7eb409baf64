extension Database {
    /// Gathers the planner's statistics for tables that have grown before PostgreSQL's autovacuum has seen them; it looks at a
    /// database once a minute.
    ///
    /// Without statistics all indexes that begin with the environment and the app seem alike, so the planner may read every row
    /// of an app to find one.
    /// - Returns: The tables. None on SQLite, and while another node does the same.
    /// - Throws: `StorageError`.
    @discardableResult
    package func analyzeNewTables() async throws -> [String] {
        guard engine == .postgres else { return [] }
        let found = try await read { try TableStatistics.missing(on: $0) }
        guard !found.isEmpty else { return [] }
        return try await write(timeout: .long) { connection in
            guard try TableStatistics.lock(on: connection) else { return [] }
            // Another node may have gathered them meanwhile.
            let tables = try TableStatistics.missing(on: connection)
            for table in tables { try connection.execute(SQL("ANALYZE \(table)"), []) }
            return tables
        }
    }
}

/// The tables without statistics.
private enum TableStatistics {
    /// The size from which a bad plan costs time, in bytes.
    private static let sizeMin: Int64 = 64 << 10
    /// The key of the lock; any number that no other lock of ours has.
    private static let key: Int64 = 0x50_45_52_53_54_41_54_53

    /// Returns the names, quoted where that is needed. Tables of others in the schema are theirs.
    static func missing(on connection: any Connection) throws -> [String] {
        try connection.query(
            """
            SELECT quote_ident(relname) FROM pg_class WHERE relkind = 'r' AND relpages = 0
            AND relnamespace = CAST(current_schema() AS regnamespace) AND pg_get_userbyid(relowner) = current_user
            AND pg_relation_size(oid) >= $1 ORDER BY relname
            """, [.integer(sizeMin)]
        ) { try $0.text(0) }
    }

    /// - Returns: False if another node has the lock.
    static func lock(on connection: any Connection) throws -> Bool {
        try connection.first(
            "SELECT CASE WHEN pg_try_advisory_xact_lock($1) THEN 1 ELSE 0 END", [.integer(key)]
        ) { try $0.integer(0) } == 1
    }
}
