/// The versions of the program that may work on a database at the same time.
///
/// A migration says whether it allows the version before to go on (``Migration/allowsEarlierNodes``), and the database keeps
/// that: a program that doesn't know a migration finds there whether it may work.
package enum SchemaVersions {
    /// Creates the list of migrations that allow earlier nodes.
    static func prepare(on connection: any Connection) throws {
        try connection.execute("CREATE TABLE IF NOT EXISTS schema_additions (number BIGINT PRIMARY KEY)")
    }

    static func allowEarlierNodes(_ migration: Int, on connection: any Connection) throws {
        try connection.execute("INSERT INTO schema_additions (number) VALUES ($1)", [.integer(Int64(migration))])
    }

    /// Returns the first migration of the database that a program may not work beside.
    ///
    /// - Parameter count: The number of migrations that the program knows.
    /// - Returns: `nil` if the program may work.
    package static func refusing(
        programWith count: Int, on connection: any Connection
    ) throws -> (number: Int64, name: String)? {
        try connection.first(
            """
            SELECT number, name FROM schema_migrations
            WHERE number > $1 AND number NOT IN (SELECT number FROM schema_additions) ORDER BY number LIMIT 1
            """, [.integer(Int64(count))]
        ) { (number: try $0.integer(0), name: try $0.text(1)) }
    }

    /// Returns the registered nodes whose program doesn't know a migration.
    package static func earlierNodes(
        than migration: Int, on connection: any Connection
    ) throws -> [NodesTable.Node] {
        try NodesTable.all(on: connection).filter { $0.migrations < migration }
    }

    /// Returns the number of migrations that the database has, and the first one to come that allows no earlier nodes.
    package static func pending(
        _ migrations: [Migration] = Migration.all, on connection: any Connection
    ) throws -> Migration? {
        // A database without the list is new, or older than nodes.
        guard try hasNodes(on: connection) else { return nil }
        let last = try connection.first("SELECT MAX(number) FROM schema_migrations") { try $0.optionalInteger(0) }
        return migrations.first { Int64($0.number) > (last ?? nil) ?? 0 && !$0.allowsEarlierNodes }
    }

    /// Returns true if the database has the table of nodes.
    package static func hasNodes(on connection: any Connection) throws -> Bool {
        let sql: SQL =
            switch connection.engine {
            case .sqlite: "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'nodes'"
            case .postgres: "SELECT 1 WHERE to_regclass('nodes') IS NOT NULL"
            }
        return try connection.first(sql) { _ in true } ?? false
    }
}
