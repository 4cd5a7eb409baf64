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

    /// Returns the statement of a table with one more column, behind the others and before the constraints.
    static func table(_ statement: String, adding column: Substring) -> String {
        guard let parts = parts(ofTable: statement) else { return statement }
        guard let constraint = parts.first(where: isConstraint) else {
            let end = parts[parts.count - 1].endIndex
            return statement[..<end] + ",\n    " + column + statement[end...]
        }
        return statement[..<constraint.startIndex] + "\n    " + column + "," + statement[constraint.startIndex...]
    }

    /// Returns the statement of a table without a column.
    static func table(_ statement: String, dropping column: String) -> String {
        guard let parts = parts(ofTable: statement), let first = parts.first else { return statement }
        let kept = parts.filter { isConstraint($0) || name($0) != Substring(column) }
        return statement[..<first.startIndex] + kept.joined(separator: ",")
            + statement[parts[parts.count - 1].endIndex...]
    }

    /// Returns the table whose rows, unchanged in number, a statement copies to another: none are copied of an empty one.
    ///
    /// - Returns: `nil` for other statements, and where the columns are computed: a sum of no rows is a row.
    static func source(ofMove statement: String) -> String? {
        guard statement.hasPrefix("INSERT INTO "), let select = statement.firstRange(of: "SELECT "),
            let from = statement[select.upperBound...].firstRange(of: " FROM "),
            !statement[select.upperBound..<from.lowerBound].contains("("), !statement.contains("UNION")
        else { return nil }
        return String(statement[from.upperBound...].prefix(while: isOfName))
    }

    static func index(_ statement: String) -> (name: String, table: String)? {
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
        (parts(ofTable: statement) ?? []).filter { !isConstraint($0) }.compactMap(name).map(String.init)
    }

    private static func isConstraint(_ part: Substring) -> Bool { name(part).map(constraints.contains) ?? false }

    private static func name(_ part: Substring) -> Substring? { part.split(whereSeparator: \.isWhitespace).first }

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

    static func word(after prefix: String, in statement: String) -> String? {
        guard statement.hasPrefix(prefix) else { return nil }
        return String(statement.dropFirst(prefix.count).prefix(while: isOfName))
    }

    private static func isOfName(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || character == "_"
    }
}
