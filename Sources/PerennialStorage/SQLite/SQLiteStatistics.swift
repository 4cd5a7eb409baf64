/// Estimates of table sizes for SQLite's planner (sqlite.org/fileformat2.html, "The sqlite_stat1 table").
///
/// Without statistics the planner assumes that the first column of an index narrows the rows to ten. Our first columns are
/// environment and app, which narrow them very little: a customer's rows would be looked for among all of the app's.
/// `ANALYZE` would have to run again as a store grows; its results of an empty store are no help.
enum SQLiteStatistics {
    private struct Index {
        var table: String
        /// The name in the table of statistics: of a table without row IDs, the table's.
        var name: String
        var isUnique: Bool
        /// True for an index of some of the rows. It counts as small: otherwise the planner would rather read all rows in the
        /// order of their key than the few of the index.
        var isPartial: Bool
        var columns: [String?]

        private static let partialShare = 100

        /// The number of rows, then the rows left when the first column is known, the first two, and so on.
        var estimate: String {
            var left = 1_000_000
            var numbers = [left]
            for column in columns {
                switch column {
                case "environment": left = min(left, 500_000)
                case "app": left = min(left, 200_000)
                default: left = left >= 1000 ? 50 : max(1, left / 4)
                }
                numbers.append(left)
            }
            if isUnique { numbers[numbers.count - 1] = 1 }
            let share = isPartial ? Self.partialShare : 1
            return numbers.map { String(max(1, $0 / share)) }.joined(separator: " ")
        }
    }

    /// Writes estimates for all indexes if any has none, and makes the planner read them.
    static func complete(on connection: any Connection) throws {
        let indexes = try indexes(on: connection)
        guard try known(on: connection) != Set(indexes.map(\.name)) else { return }
        // Only ANALYZE creates the table of statistics.
        try connection.execute("ANALYZE schema_migrations")
        try connection.execute("DELETE FROM sqlite_stat1")
        for index in indexes {
            try connection.execute(
                "INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES ($1, $2, $3)",
                [.text(index.table), .text(index.name), .text(index.estimate)])
        }
        try connection.execute("ANALYZE sqlite_schema")
    }

    private static func known(on connection: any Connection) throws -> Set<String> {
        let table = try connection.first("SELECT 1 FROM sqlite_schema WHERE name = 'sqlite_stat1'") { _ in true }
        guard table == true else { return [] }
        return Set(try connection.query("SELECT idx FROM sqlite_stat1") { try $0.text(0) })
    }

    private static func indexes(on connection: any Connection) throws -> [Index] {
        var indexes: [Index] = []
        try connection.forEachRow(
            """
            SELECT t.name, CASE WHEN i.origin = 'pk' AND t.sql LIKE '%WITHOUT ROWID%' THEN t.name ELSE i.name END,
            i."unique", i.partial, c.name FROM sqlite_schema t JOIN pragma_index_list(t.name) i JOIN pragma_index_info(i.name) c
            WHERE t.type = 'table' ORDER BY t.name, i.name, c.seqno
            """, []
        ) { row in
            let (table, name) = (try row.text(0), try row.text(1))
            if indexes.last?.name != name {
                indexes.append(
                    Index(
                        table: table, name: name, isUnique: try row.bool(2), isPartial: try row.bool(3), columns: []))
            }
            indexes[indexes.count - 1].columns.append(try row.optionalText(4))
        }
        return indexes
    }
}
