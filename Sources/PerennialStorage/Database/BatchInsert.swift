/// Inserts many rows of a table with few statements.
struct BatchInsert: Sendable {
    private let batches: RowBatches

    /// - Parameters:
    ///   - rowsMax: The most rows of one statement: fewer if rows are long.
    ///   - conflict: The `ON CONFLICT` clause. No two rows of one call may then have the same key.
    init(into table: String, _ columns: [String], rowsMax: Int = 32, conflict: String? = nil) {
        let names = columns.joined(separator: ", ")
        let insert = conflict == nil ? "INSERT /*OR FAIL*/ INTO" : "INSERT INTO"
        batches = RowBatches(columns: columns.count, rowsMax: rowsMax) { rows in
            let text = "\(insert) \(table) (\(names)) VALUES \(rows)"
            return conflict.map { "\(text) \($0)" } ?? text
        }
    }

    /// Inserts rows.
    /// - Parameter append: Appends a row's values, in the order of the columns.
    func run<Rows: RandomAccessCollection>(
        _ inserted: Rows, on connection: any Connection, append: (Rows.Element, inout [SQLValue]) -> Void
    ) throws {
        try run(inserted, append: append) { sql, values, _ in try connection.send(sql, values) }
    }

    /// Passes the statements that insert rows to a closure, each with its values and its rows.
    func run<Rows: RandomAccessCollection>(
        _ inserted: Rows, append: (Rows.Element, inout [SQLValue]) -> Void,
        send: (SQL, [SQLValue], Rows.SubSequence.SubSequence) throws -> Void
    ) throws {
        try batches.run(inserted, append: append, send: send)
    }
}
