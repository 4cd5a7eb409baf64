/// A statement that a body is about to read with, known before the body runs.
///
/// PostgreSQL answers the announced statements of all waiting bodies in one round trip, and equal ones once. A body that asks
/// for something else asks by itself, so an announcement may be incomplete: it costs time only. SQLite takes no notice of it.
package struct AnnouncedRead: Sendable, Hashable {
    let sql: SQL
    let values: [SQLValue]

    package init(_ sql: SQL, _ values: [SQLValue] = []) {
        self.sql = sql
        self.values = values
    }

    /// Returns a value for the first row; `nil` if there is none.
    @inline(__always)
    package func first<Value>(on connection: any Connection, _ make: (any Row) throws -> Value) throws -> Value? {
        try connection.first(sql, values, make)
    }
}
