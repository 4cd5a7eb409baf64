/// Reads tables, columns and indexes from the text of migrations.
///
/// It knows the forms that migrations use: `CREATE TABLE`, `CREATE INDEX`, `DROP INDEX`, and `ALTER TABLE` with `ADD COLUMN` or
/// `DROP COLUMN`.
enum SchemaText {
    /// Returns the names of all tables, in the order in which they are created.
    static func tables(in statements: [String]) -> [String] {
        statements.compactMap { word(after: "CREATE TABLE ", in: $0) }
    }

    /// Returns the names of a table's columns.
    static func columns(of table: String, in statements: [String]) -> Set<String> {
        var columns: Set<String> = []
        for statement in statements {
            if word(after: "CREATE TABLE ", in: statement) == table {
                columns.formUnion(Self.columns(ofTable: statement))
            } else if let added = word(after: "ALTER TABLE \(table) ADD COLUMN ", in: statement) {
                columns.insert(added)
            } else if let dropped = word(after: "ALTER TABLE \(table) DROP COLUMN ", in: statement) {
                columns.remove(dropped)
            }
        }
        return columns
    }

    /// True if SQLite stores the table in the order of its key.
    static func isWithoutRowID(_ table: String, in statements: [String]) -> Bool {
        statements.contains { word(after: "CREATE TABLE ", in: $0) == table && $0.hasSuffix("/*WITHOUT ROWID*/") }
    }

    /// Returns the statements that make a table with its indexes.
    static func statements(defining table: String, in statements: [String]) -> [String] {
        var names: Set<String> = []
        return statements.filter { statement in
            if let (name, indexed) = index(statement), indexed == table { names.insert(name) }
            return word(after: "CREATE TABLE ", in: statement) == table
                || statement.hasPrefix("ALTER TABLE \(table) ") || index(statement)?.table == table
                || word(after: "DROP INDEX ", in: statement).map(names.contains) == true
        }
    }

    /// Returns all indexes that aren't dropped later.
    static func indexes(in statements: [String]) -> [(name: String, table: String, statement: String)] {
        var indexes: [(name: String, table: String, statement: String)] = []
        for statement in statements {
            if let (name, table) = index(statement) {
                indexes.append((name, table, statement))
            } else if let dropped = word(after: "DROP INDEX ", in: statement) {
                indexes.removeAll { $0.name == dropped }
            }
        }
        return indexes
    }

    private static func index(_ statement: String) -> (name: String, table: String)? {
        guard let name = word(after: "CREATE INDEX ", in: statement),
            let table = word(after: "CREATE INDEX \(name) ON ", in: statement)
        else { return nil }
        return (name, table)
    }

    /// Returns the first word of each part between the outer parentheses, except of constraints.
    private static func columns(ofTable statement: String) -> [String] {
        guard let open = statement.firstIndex(of: "("), let close = statement.lastIndex(of: ")") else { return [] }
        var parts = [""]
        var depth = 0
        for character in statement[statement.index(after: open)..<close] {
            if character == "(" { depth += 1 }
            if character == ")" { depth -= 1 }
            if character == ",", depth == 0 { parts.append("") } else { parts[parts.count - 1].append(character) }
        }
        let words = parts.compactMap { $0.split(whereSeparator: \.isWhitespace).first.map(String.init) }
        return words.filter { $0 != "PRIMARY" && $0 != "UNIQUE" }
    }

    private static func word(after prefix: String, in statement: String) -> String? {
        guard statement.hasPrefix(prefix) else { return nil }
        return String(statement.dropFirst(prefix.count).prefix { $0.isLetter || $0.isNumber || $0 == "_" })
    }
}
