import Synchronization

/// Prepared statements by their text. When full, it evicts the least recently used half.
struct StatementCache<Statement> {
    private var entries: [SQL: (statement: Statement, used: UInt64)] = [:]
    private var uses: UInt64 = 0
    private let max: Int

    init(max: Int) {
        self.max = max
    }

    mutating func find(_ sql: SQL) -> Statement? {
        guard let index = entries.index(forKey: sql) else { return nil }
        uses &+= 1
        entries.values[index].used = uses
        return entries.values[index].statement
    }

    /// Adds a statement.
    /// - Returns: The evicted statements.
    mutating func insert(_ statement: Statement, for sql: SQL) -> [Statement] {
        uses &+= 1
        entries[sql] = (statement, uses)
        guard entries.count > max else { return [] }
        let oldest = entries.sorted { $0.value.used < $1.value.used }.prefix(entries.count / 2)
        for entry in oldest { entries[entry.key] = nil }
        return oldest.map(\.value.statement)
    }
}

/// Values that depend on a statement's text only, worked out once in the process: each connection prepares the same statements.
final class StatementFacts<Value: Sendable>: Sendable {
    private let known = Mutex<[SQL: Value]>([:])

    /// Returns the known value, or works it out. Texts built at run time are never known: there is no end of them.
    func value(of sql: SQL, _ make: () throws -> Value) rethrows -> Value {
        guard sql.isLiteral else { return try make() }
        if let value = known.withLock({ $0[sql] }) { return value }
        let value = try make()
        known.withLock { $0[sql] = value }
        return value
    }
}
