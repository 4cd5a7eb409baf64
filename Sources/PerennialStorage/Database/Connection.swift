import Synchronization

/// Tells one transaction from all others of this process, and what it reads before one of its bodies changes the catalog
/// from what it reads after.
package struct ReadingNumber: Sendable, Hashable {
    private static let last = Atomic<UInt64>(0)

    private let rawValue: UInt64

    static func next() -> ReadingNumber {
        ReadingNumber(rawValue: last.add(1, ordering: .relaxed).newValue)
    }
}

/// A connection inside a transaction: synchronous, and used only inside the body it is given to.
///
/// A statement that fails dooms its body on both engines: every later statement throws the same error, and the
/// transaction is rolled back even if the body catches it. So a body tests first, or says `ON CONFLICT`.
package protocol Connection: AnyObject {
    var engine: DatabaseEngine { get }
    /// Another number for each transaction, on whichever connection: what is read of the catalog under one number stays so.
    var readingNumber: ReadingNumber { get }

    /// Says that a body changes the catalog: bodies after it in the same transaction have to look again.
    func renewReadingNumber()

    /// The journal's head that was moved last, for as long as its reading number is the connection's.
    var journalHead: JournalHead? { get set }

    /// Runs a statement for its effect.
    /// - Returns: The number of rows inserted, updated or deleted.
    @discardableResult
    func execute(_ sql: SQL, _ values: [SQLValue]) throws -> Int

    /// Runs a statement and shows its rows one by one.
    func forEachRow(_ sql: SQL, _ values: [SQLValue], _ body: (any Row) throws -> Void) throws
}

extension Connection {
    @discardableResult
    package func execute(_ sql: SQL) throws -> Int {
        try execute(sql, [])
    }

    /// Runs a statement for its rows, made into values one by one.
    ///
    /// All rows are kept: a statement that could find many carries a `LIMIT`.
    @inline(__always)
    package func query<Value>(
        _ sql: SQL, _ values: [SQLValue] = [], _ make: (any Row) throws -> Value
    ) throws -> [Value] {
        try collect(sql, values, on: self, make)
    }

    /// The first row of a result, or nil when there is none.
    @inline(__always)
    package func first<Value>(
        _ sql: SQL, _ values: [SQLValue] = [], _ make: (any Row) throws -> Value
    ) throws -> Value? {
        try collect(sql, values, on: self, make).first
    }
}

/// Generic in the values alone, not in the connection as well: so it is compiled for each type of value, and no statement
/// asks at run time what type that is.
private func collect<Value>(
    _ sql: SQL, _ values: [SQLValue], on connection: any Connection, _ make: (any Row) throws -> Value
) throws -> [Value] {
    var made: [Value] = []
    try connection.forEachRow(sql, values) { made.append(try make($0)) }
    return made
}
