/// Merges the inserts with which the bodies of a transaction have waited for their journal positions: each table gets the rows
/// of all with few statements, while the journal is locked.
struct MergedInserts {
    /// Inserts whose rows can share a statement.
    private struct Kind: Hashable {
        let rows: InsertedRows
        /// The columns with provisional positions, each followed by its slot: ``NumberedStatements`` makes one text for all
        /// rows with the same ones.
        let positions: [Int]
    }

    /// Values of one statement: what the rows of a sale have times the purchases of a group.
    private static let valuesMax = 1024

    private var batches: [InsertedRows: RowBatches] = [:]

    /// Returns statements with the same effect. The inserts into a table keep their order, and other statements their place
    /// among the inserts.
    mutating func merge(
        _ statements: [PendingChanges.Statement], _ positions: ProvisionalPositions, form: (SQL) -> StatementForm
    ) -> [PendingChanges.Statement] {
        guard statements.count > 1 else { return statements }
        var merged: [PendingChanges.Statement] = []
        var gathered: [(kind: Kind, rows: [ArraySlice<SQLValue>])] = []
        var places: [Kind: Int] = [:]
        for statement in statements {
            guard let inserted = form(statement.sql).rows, statement.values.count.isMultiple(of: inserted.columns)
            else {
                append(gathered, to: &merged)
                gathered.removeAll()
                places.removeAll()
                merged.append(statement)
                continue
            }
            for start in stride(from: 0, to: statement.values.count, by: inserted.columns) {
                let row = statement.values[start..<start + inserted.columns]
                let kind = Kind(rows: inserted, positions: Self.positions(in: row, positions))
                if let place = places[kind] {
                    gathered[place].rows.append(row)
                } else {
                    places[kind] = gathered.count
                    gathered.append((kind, [row]))
                }
            }
        }
        append(gathered, to: &merged)
        return merged
    }

    private mutating func append(
        _ gathered: [(kind: Kind, rows: [ArraySlice<SQLValue>])], to merged: inout [PendingChanges.Statement]
    ) {
        for (kind, rows) in gathered {
            let known = batches[kind.rows] ?? kind.rows.batches(valuesMax: Self.valuesMax)
            batches[kind.rows] = known
            known.run(rows, append: { $1 += $0 }) { sql, values, _ in merged.append((sql, values)) }
        }
    }

    private static func positions(in row: ArraySlice<SQLValue>, _ positions: ProvisionalPositions) -> [Int] {
        var found: [Int] = []
        for (column, value) in row.enumerated() {
            if let slot = positions.slot(of: value) { found += [column, slot] }
        }
        return found
    }
}

/// An `INSERT` of rows of values: its text up to the rows, and the number of values in each.
struct InsertedRows: Hashable {
    private let beginning: String
    let columns: Int

    /// Returns `nil` if the rows have anything but placeholders, or if anything follows them.
    init?(_ text: String) {
        let values = "VALUES "
        guard let start = text.firstRange(of: values)?.upperBound else { return nil }
        let rows = text[start...]
        let places = { (text: Substring) in text.utf8.count { $0 == UInt8(ascii: "$") } }
        columns = places(rows.prefix { $0 != ")" })
        beginning = String(text[..<start])
        guard columns > 0, rows == RowBatches.list(places(rows) / columns, columns: columns) else { return nil }
    }

    /// - Parameter valuesMax: The most values of a statement of several rows.
    func batches(valuesMax: Int) -> RowBatches {
        RowBatches(columns: columns, rowsMax: max(1, valuesMax / columns)) { beginning + $0 }
    }
}
