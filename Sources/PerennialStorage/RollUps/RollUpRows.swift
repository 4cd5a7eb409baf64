import Perennial

/// Statements that the tables of roll-ups share.
enum RollUpRows {
    /// Deletes a portion of a generation's rows.
    ///
    /// - Parameters:
    ///   - table: A table whose key begins with the columns of ``RollUpKey``.
    ///   - columns: The other columns of its key.
    /// - Returns: True if none is left.
    static func erase(
        _ table: String, _ columns: String, _ key: RollUpKey, atMost limit: Int, on connection: any Connection
    ) throws -> Bool {
        let place = "environment = $1 AND app = $2 AND generation = $3"
        let deleted = try connection.execute(
            SQL(
                """
                DELETE FROM \(table) WHERE \(place)
                AND (\(columns)) IN (SELECT \(columns) FROM \(table) WHERE \(place) ORDER BY \(columns) LIMIT $4)
                """), key.values + [.integer(Int64(limit))])
        return deleted < limit
    }

    /// Splits values into pages of one length, so that the text of a statement is always the same. The last value fills the
    /// places that are left.
    static func pages<Value>(of values: [Value], length: Int) -> [[Value]] {
        stride(from: 0, to: values.count, by: length).map { start in
            let page = values[start..<min(start + length, values.count)]
            return page + page.suffix(1).flatMap { Array(repeating: $0, count: length - page.count) }
        }
    }
}
