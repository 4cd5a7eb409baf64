import CPostgreSQL

/// A prepared statement, with the types that the server inferred for its placeholders.
struct PostgreSQLStatement {
    let name: String
    let types: [Oid]
}

/// The statements that a session has prepared, by their text.
struct PostgreSQLStatements {
    private var prepared: StatementCache<PostgreSQLStatement>
    private var forms: [SQL: StatementForm] = [:]
    private var count = 0
    private let max: Int
    private static let known = StatementFacts<StatementForm>()

    init(max: Int) {
        self.max = max
        prepared = StatementCache(max: max)
    }

    mutating func find(_ sql: SQL) -> PostgreSQLStatement? { prepared.find(sql) }

    mutating func form(of sql: SQL) -> StatementForm {
        if let known = forms[sql] { return known }
        if forms.count >= max { forms.removeAll(keepingCapacity: true) }
        let form = Self.known.value(of: sql) { StatementForm(sql) }
        forms[sql] = form
        return form
    }

    mutating func nextName() -> String {
        count += 1
        return "s\(count)"
    }

    /// Adds a statement.
    /// - Returns: The statements that the server may forget.
    mutating func insert(_ statement: PostgreSQLStatement, for sql: SQL) -> [PostgreSQLStatement] {
        prepared.insert(statement, for: sql)
    }
}
