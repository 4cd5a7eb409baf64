import Perennial
import Synchronization

/// Identifies the snapshot of the catalog that a transaction reads: unique in the process.
package struct SnapshotID: Sendable, Hashable {
    private static let last = Atomic<UInt64>(0)

    private let rawValue: UInt64

    static func next() -> SnapshotID {
        SnapshotID(rawValue: last.add(1, ordering: .relaxed).newValue)
    }
}

/// A connection inside a transaction: synchronous, and valid only inside the body that receives it.
///
/// On both engines a statement that fails also fails its body: every later statement throws the same error, and the
/// transaction is rolled back even if the body catches the error. So a body tests first, or uses `ON CONFLICT`.
package protocol Connection: AnyObject {
    var engine: DatabaseEngine { get }
    /// The present snapshot. A catalog that was read under one ID is valid for as long as the ID stays the same.
    var snapshotID: SnapshotID { get }

    /// The history of commits that the connection belongs to (``Database/era``).
    var era: Int64 { get }

    /// True if the catalog that the transaction reads may have changes that aren't committed.
    var hasChangedCatalog: Bool { get }

    /// Starts a new snapshot, because the transaction has changed the catalog.
    func invalidateSnapshot()

    /// The journal sequence incremented last; valid while its snapshot is the connection's.
    var journalHead: JournalHead? { get set }

    /// Runs a statement for its effect.
    /// - Returns: The number of rows inserted, updated or deleted.
    @discardableResult
    func execute(_ sql: SQL, _ values: [SQLValue]) throws -> Int

    /// Runs a statement for its effect, whose number of rows doesn't matter.
    ///
    /// PostgreSQL's answer isn't awaited: the statement goes out with the next one that is, or with the commit, and its
    /// error appears there. A statement with a provisional position in the journal runs at the end of the transaction.
    func send(_ sql: SQL, _ values: [SQLValue]) throws

    /// Inserts rows with positions in the journal into a table that the transaction may read before the positions are known.
    ///
    /// - Parameter correction: The statements that write the positions into rows that had to be inserted without them.
    func send(
        _ sql: SQL, _ values: [SQLValue], correction: @autoclosure () throws -> [(sql: SQL, values: [SQLValue])]
    ) throws

    /// Runs the statements that wait, so that their errors appear here. On PostgreSQL this may lock a journal until the commit.
    func runWaiting() throws

    /// Reserves consecutive positions at the end of an app's journal, which get their numbers when the transaction ends.
    ///
    /// - Returns: The last of them, as a provisional position; `nil` if positions are numbered at once, as on SQLite.
    func reservePositions(_ count: Int64, app: Int64, _ environment: StoreEnvironment.ID) throws -> Int64?

    /// Runs a statement and passes its rows to a closure one by one.
    func forEachRow(_ sql: SQL, _ values: [SQLValue], _ body: (any Row) throws -> Void) throws
}

extension Connection {
    package var era: Int64 { 0 }

    package func send(_ sql: SQL, _ values: [SQLValue]) throws { try execute(sql, values) }

    package func send(
        _ sql: SQL, _ values: [SQLValue], correction: @autoclosure () throws -> [(sql: SQL, values: [SQLValue])]
    ) throws {
        try execute(sql, values)
    }

    package func runWaiting() throws {}

    package func reservePositions(_ count: Int64, app: Int64, _ environment: StoreEnvironment.ID) throws -> Int64? {
        nil
    }
}

extension Connection {
    @discardableResult
    package func execute(_ sql: SQL) throws -> Int {
        try execute(sql, [])
    }

    package func send(_ sql: SQL) throws { try send(sql, []) }

    /// Runs a statement and returns a value for each of its rows.
    ///
    /// All values are held in memory: a statement that may find many rows needs a `LIMIT`.
    @inline(__always)
    package func query<Value>(
        _ sql: SQL, _ values: [SQLValue] = [], _ make: (any Row) throws -> Value
    ) throws -> [Value] {
        try collect(sql, values, on: self, make)
    }

    /// Returns a value for the first row of a result; `nil` if there is none.
    @inline(__always)
    package func first<Value>(
        _ sql: SQL, _ values: [SQLValue] = [], _ make: (any Row) throws -> Value
    ) throws -> Value? {
        try collect(sql, values, on: self, make).first
    }
}

/// Collects the rows of a statement.
///
/// Generic in the value only, not in the connection: the compiler specialises it for each type of value, so that no
/// statement looks up that type's metadata at run time.
private func collect<Value>(
    _ sql: SQL, _ values: [SQLValue], on connection: any Connection, _ make: (any Row) throws -> Value
) throws -> [Value] {
    var made: [Value] = []
    try connection.forEachRow(sql, values) { made.append(try make($0)) }
    return made
}
