/// Inserts many rows of a table with few statements.
///
/// On SQLite a statement's beginning and end take as long as inserting a short row; on PostgreSQL each is a round trip.
struct BatchInsert: Sendable {
    /// Row counts of the prepared statements; a sale has three or four postings.
    private static let sizes = [32, 16, 8, 4, 3, 2, 1]

    private let columns: Int
    private let statements: [(rows: Int, sql: SQL)]

    /// - Parameters:
    ///   - rowsMax: The most rows of one statement: fewer if rows are long.
    ///   - conflict: The `ON CONFLICT` clause. No two rows of one call may then have the same key.
    init(into table: String, _ columns: [String], rowsMax: Int = 32, conflict: String? = nil) {
        self.columns = columns.count
        statements = Self.sizes.filter { $0 <= rowsMax }.map { rows in
            let values = (0..<rows).map { row in
                let places = (1...columns.count).map { "$\(row * columns.count + $0)" }
                return "(\(places.joined(separator: ", ")))"
            }
            let names = columns.joined(separator: ", ")
            let insert = conflict == nil ? "INSERT /*OR FAIL*/ INTO" : "INSERT INTO"
            let text = "\(insert) \(table) (\(names)) VALUES \(values.joined(separator: ", "))"
            return (rows, SQL(conflict.map { "\(text) \($0)" } ?? text))
        }
    }

    /// Inserts rows.
    /// - Parameter append: Appends a row's values, in the order of the columns.
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
