/// Journal positions of rows that were inserted before the positions had their numbers.
extension TransactionsTable {
    /// Divides rows by app, because the rows of an app are corrected together.
    static func sameApp(_ rows: [(row: PendingRow, position: Int64)]) -> [[(row: PendingRow, position: Int64)]] {
        guard let first = rows.first, rows.contains(where: { $0.row.key != first.row.key }) else { return [rows] }
        return Dictionary(grouping: rows.indices) { rows[$0].row.key }.values
            .sorted { $0[0] < $1[0] }.map { places in places.map { rows[$0] } }
    }

    /// Returns the statements that write the real positions, once they are known, over the provisional ones.
    static func corrections(
        of rows: [(row: PendingRow, position: Int64)]
    ) -> [(sql: SQL, values: [SQLValue])] {
        // Rows that are numbered together are moved by the same difference, which the place of the first one tells.
        Dictionary(grouping: rows) { ProvisionalPositions.group(of: $0.position) }.values.map { rows in
            (
                moves[rows.count] ?? move(rows.count),
                [.integer(-rows[0].position), .integer(rows[0].position)] + rows[0].row.key + rows.map(\.row.id)
            )
        }
    }

    private static let moves = Dictionary(uniqueKeysWithValues: (1...16).map { ($0, move($0)) })

    private static func move(_ count: Int) -> SQL {
        let places = (0..<count).map { "$\($0 + 5)" }.joined(separator: ", ")
        return SQL(
            """
            UPDATE transactions SET journal_position = journal_position + $1 + $2
            WHERE environment = $3 AND app = $4 AND id IN (\(places))
            """)
    }
}
