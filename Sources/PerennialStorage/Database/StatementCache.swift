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
