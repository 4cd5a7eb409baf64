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

    /// Returns statements that give an empty database the same tables, indexes and rows as these do.
    ///
    /// SQLite reads its whole schema again after each column that is added to a table: tables are made with all their columns here.
    /// The rest goes on as it stands, since a migration may move rows out of a column before it drops it.
    static func merged(_ statements: [String]) -> [String] {
        var merged: [String] = []
        var created: [String: Int] = [:]
        var rest: [String] = []
        let lasting = indexes(in: statements)
        for statement in statements {
            if let table = word(after: "CREATE TABLE ", in: statement) {
                created[table] = merged.count
                merged.append(statement)
            } else if let table = word(after: "ALTER TABLE ", in: statement), let place = created[table],
                case let start = "ALTER TABLE \(table) ADD COLUMN ", statement.hasPrefix(start)
            {
                merged[place] = Self.statement(merged[place], adding: statement.dropFirst(start.count))
            } else if let (name, table) = index(statement), created[table] != nil {
                guard lasting.contains(where: { $0.name == name && $0.statement == statement }) else { continue }
                merged.append(statement)
            } else if word(after: "DROP INDEX ", in: statement) == nil {
                rest.append(statement)
            }
        }
        return merged + rest
    }

    /// Returns a table's statement with one more column, behind the others and before the constraints.
    private static func statement(_ statement: String, adding column: Substring) -> String {
        guard let parts = parts(ofTable: statement) else { return statement }
        let constraint = parts.first { part in
            part.split(whereSeparator: \.isWhitespace).first.map { constraints.contains($0) } ?? false
        }
        let place = constraint?.startIndex ?? parts[parts.count - 1].endIndex
        return constraint == nil
            ? statement[..<place] + ",\n    " + column + statement[place...]
            : statement[..<place] + "\n    " + column + "," + statement[place...]
    }

    private static func index(_ statement: String) -> (name: String, table: String)? {
        for start in ["CREATE INDEX ", "CREATE UNIQUE INDEX "] {
            if let name = word(after: start, in: statement),
                let table = word(after: "\(start)\(name) ON ", in: statement)
            {
                return (name, table)
            }
        }
        return nil
    }

    /// The first words of a table's constraints, which stand behind its columns.
    private static let constraints: Set<Substring> = ["PRIMARY", "UNIQUE"]

    private static func columns(ofTable statement: String) -> [String] {
        let words = (parts(ofTable: statement) ?? []).compactMap { $0.split(whereSeparator: \.isWhitespace).first }
        return words.filter { !constraints.contains($0) }.map(String.init)
    }

    /// Returns what commas separate between the outer parentheses: columns, and constraints behind them.
    private static func parts(ofTable statement: String) -> [Substring]? {
        guard let open = statement.firstIndex(of: "("), let close = statement.lastIndex(of: ")") else { return nil }
        var parts: [Substring] = []
        var start = statement.index(after: open)
        var depth = 0
        for index in statement[start..<close].indices {
            switch statement[index] {
            case "(": depth += 1
            case ")": depth -= 1
            case "," where depth == 0:
                parts.append(statement[start..<index])
                start = statement.index(after: index)
            default: break
            }
        }
        return parts + [statement[start..<close]]
    }

    private static func word(after prefix: String, in statement: String) -> String? {
        guard statement.hasPrefix(prefix) else { return nil }
        return String(statement.dropFirst(prefix.count).prefix { $0.isLetter || $0.isNumber || $0 == "_" })
    }
}
