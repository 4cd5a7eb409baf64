/// A connection inside a transaction: synchronous, and used only inside the body it is given to.
///
/// A statement that fails dooms its body on both engines: every later statement throws the same error, and the
/// transaction is rolled back even if the body catches it. So a body tests first, or says `ON CONFLICT`.
package protocol Connection: AnyObject {
    var engine: DatabaseEngine { get }

    /// Runs a statement for its effect.
    /// - Returns: The number of rows inserted, updated or deleted.
    @discardableResult
    func execute(_ sql: SQL, _ values: [SQLValue]) throws -> Int

    /// Runs a statement for its rows, made into values one by one.
    ///
    /// All rows are kept: a statement that could find many carries a `LIMIT`.
    func query<Value>(_ sql: SQL, _ values: [SQLValue], _ make: (any Row) throws -> Value) throws -> [Value]
}

extension Connection {
    @discardableResult
    package func execute(_ sql: SQL) throws -> Int {
        try execute(sql, [])
    }

    package func query<Value>(_ sql: SQL, _ make: (any Row) throws -> Value) throws -> [Value] {
        try query(sql, [], make)
    }

    /// The first row of a result, or nil when there is none.
    package func first<Value>(
        _ sql: SQL, _ values: [SQLValue] = [], _ make: (any Row) throws -> Value
    ) throws -> Value? {
        try query(sql, values, make).first
    }
}
