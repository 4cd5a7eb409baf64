/// Inserts many rows of a table with few statements: SQLite takes as long to begin and end a statement as to insert a short
/// row, and PostgreSQL is asked over a connection.
struct RowsInsert: Sendable {
    /// How many rows a statement takes; a sale has three or four postings.
    private static let sizes = [32, 16, 8, 4, 3, 2, 1]

    private let columns: Int
    private let statements: [(rows: Int, sql: SQL)]

    /// - Parameter rowsMax: Rows of one statement at most: fewer where rows are long.
    init(into table: String, _ columns: [String], rowsMax: Int = 32) {
        self.columns = columns.count
        statements = Self.sizes.filter { $0 <= rowsMax }.map { rows in
            let values = (0..<rows).map { row in
                let places = (1...columns.count).map { "$\(row * columns.count + $0)" }
                return "(\(places.joined(separator: ", ")))"
            }
            let names = columns.joined(separator: ", ")
            return (rows, SQL("INSERT /*OR FAIL*/ INTO \(table) (\(names)) VALUES \(values.joined(separator: ", "))"))
        }
    }

    /// - Parameter append: Adds a row's values, in the order of the columns.
    func run<Rows: RandomAccessCollection>(
        _ inserted: Rows, on connection: any Connection, append: (Rows.Element, inout [SQLValue]) -> Void
    ) throws {
        var rest = inserted[...]
        var values: [SQLValue] = []
        for (rows, sql) in statements {
            while rest.count >= rows {
                values.removeAll(keepingCapacity: true)
                values.reserveCapacity(rows * columns)
                for row in rest.prefix(rows) { append(row, &values) }
                try connection.execute(sql, values)
                rest = rest.dropFirst(rows)
            }
        }
    }
}
