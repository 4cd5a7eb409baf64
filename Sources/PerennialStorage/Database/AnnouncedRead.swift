/// A statement whose rows a body is about to ask for, known before the body runs.
///
/// PostgreSQL runs the announced statements of all waiting bodies in one round trip, and equal ones once. A body that asks
/// for something else asks by itself, so an announcement may be incomplete: it costs time only. SQLite takes no notice of it.
///
/// A body that writes may announce an `INSERT` with `RETURNING`, too. Its transaction is rolled back if the body then fails.
package struct AnnouncedRead: Sendable {
    let sql: SQL
    let values: [SQLValue]
    let owner: Owner?

    /// The number to which all rows belong that a statement reads of a table.
    ///
    /// Statements that are marked to change only rows of another number (`/*only $3*/`) don't outdate its answer.
    package struct Owner: Sendable {
        let table: String
        /// The number's column in the result.
        let column: Int

        package init(inTable table: String, column: Int) { (self.table, self.column) = (table, column) }
    }

    package init(_ sql: SQL, _ values: [SQLValue] = [], owner: Owner? = nil) {
        self.sql = sql
        self.values = values
        self.owner = owner
    }

    /// Returns a value for the first row; `nil` if there is none.
    @inline(__always)
    package func first<Value>(on connection: any Connection, _ make: (any Row) throws -> Value) throws -> Value? {
        try connection.first(sql, values, make)
    }
}

extension AnnouncedRead {
    /// Orders statements by their values, so that all groups lock the same rows in the same order.
    func precedes(_ other: AnnouncedRead) -> Bool {
        for (one, other) in zip(values, other.values) {
            switch (one, other) {
            case (.integer(let one), .integer(let other)) where one != other: return one < other
            case (.blob(let one), .blob(let other)) where one != other: return one.lexicographicallyPrecedes(other)
            case (.integer, .blob): return true
            case (.blob, .integer): return false
            default: continue
            }
        }
        return false
    }
}

extension AnnouncedRead: Hashable {
    /// Compares the statements: a body asks for one without saying whose it is.
    package static func == (one: Self, other: Self) -> Bool { one.sql == other.sql && one.values == other.values }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(sql)
        hasher.combine(values)
    }
}
