/// Statements with a list of rows as their values, for several numbers of rows: many rows take few statements.
///
/// On SQLite a statement's beginning and end take as long as inserting a short row; on PostgreSQL each is a round trip.
struct RowBatches: Sendable {
    /// Row counts of the prepared statements; a sale has three or four postings.
    private static let sizes = [128, 64, 32, 16, 8, 4, 3, 2, 1]

    private let columns: Int
    private let statements: [(rows: Int, sql: SQL)]

    /// - Parameters:
    ///   - types: The type to which a column's value is cast in the first row, by column. In a list of rows that is no
    ///     `INSERT` PostgreSQL takes a column's type from there.
    ///   - rowsMax: The most rows of one statement: fewer if rows are long.
    ///   - text: Returns the statement with the list of rows, such as `($1, $2), ($3, $4)`.
    init(columns: Int, types: [String?] = [], rowsMax: Int, text: (_ rows: String) -> String) {
        self.columns = columns
        statements = Self.sizes.filter { $0 <= rowsMax }.map { rows in
            (rows, SQL(text(Self.list(rows, columns: columns, types: types))))
        }
    }

    /// Returns a list of rows of placeholders.
    static func list(_ rows: Int, columns: Int, types: [String?] = []) -> String {
        let values = (0..<rows).map { row in
            let places = (0..<columns).map { column in
                let place = "$\(row * columns + column + 1)"
                guard row == 0, types.indices.contains(column), let type = types[column] else { return place }
                return "CAST(\(place) AS \(type))"
            }
            return "(\(places.joined(separator: ", ")))"
        }
        return values.joined(separator: ", ")
    }

    /// Passes the statements for some rows to a closure, each with its values and its rows.
    ///
    /// - Parameter append: Appends a row's values, in the order of the columns.
    func run<Rows: RandomAccessCollection>(
        _ rows: Rows, append: (Rows.Element, inout [SQLValue]) -> Void,
        send: (SQL, [SQLValue], Rows.SubSequence.SubSequence) throws -> Void
    ) rethrows {
        var rest = rows[...]
        var values: [SQLValue] = []
        for (count, sql) in statements {
            while rest.count >= count {
                values.removeAll(keepingCapacity: true)
                values.reserveCapacity(count * columns)
                for row in rest.prefix(count) { append(row, &values) }
                try send(sql, values, rest.prefix(count))
                rest = rest.dropFirst(count)
            }
        }
    }
}
