/// Updates many rows of a table, each found by its key, with few statements on PostgreSQL.
///
/// On SQLite each row has a statement of its own, which takes less than joining a list of rows with the table.
struct BatchUpdate: Sendable {
    /// A column with its type in SQL.
    typealias Column = (name: String, type: String)

    private let single: SQL
    private let batches: RowBatches

    /// - Parameters:
    ///   - columns: The columns that are set.
    ///   - key: The columns that identify a row.
    init(_ table: String, set columns: [Column], key: [Column]) {
        let names = (columns + key).map(\.name).joined(separator: ", ")
        let keys = key.map { "\(table).\($0.name) = made.\($0.name)" }.joined(separator: " AND ")
        let changes = columns.map { "\($0.name) = made.\($0.name)" }.joined(separator: ", ")
        batches = RowBatches(columns: columns.count + key.count, types: (columns + key).map(\.type), rowsMax: 64) {
            "UPDATE \(table) SET \(changes) FROM (VALUES \($0)) AS made (\(names)) WHERE \(keys)"
        }
        let changed = columns.enumerated().map { "\($1.name) = $\($0 + 1)" }.joined(separator: ", ")
        let found = key.enumerated().map { "\($1.name) = $\(columns.count + $0 + 1)" }.joined(separator: " AND ")
        single = SQL("UPDATE \(table) SET \(changed) WHERE \(found)")
    }

    /// Updates rows. No two of them may have the same key.
    ///
    /// - Parameter append: Appends a row's values: those that are set, then the key.
    func run<Rows: RandomAccessCollection>(
        _ rows: Rows, on connection: any Connection, append: (Rows.Element, inout [SQLValue]) -> Void
    ) throws {
        guard connection.engine == .postgres, rows.count > 1 else {
            var values: [SQLValue] = []
            for row in rows {
                values.removeAll(keepingCapacity: true)
                append(row, &values)
                try connection.send(single, values)
            }
            return
        }
        try batches.run(rows, append: append) { sql, values, _ in try connection.send(sql, values) }
    }
}
