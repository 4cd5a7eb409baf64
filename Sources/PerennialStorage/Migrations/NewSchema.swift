/// Statements that give a new database of SQLite the tables, indexes and rows that its migrations give it one by one.
///
/// SQLite reads its whole schema again after each column that is added or dropped: tables are made with the columns that they
/// have in the end. Statements that move or change rows of tables without rows are left out.
package struct NewSchema {
    package private(set) var statements: [String] = []
    /// The place of each table's creation.
    private var creations: [String: Int] = [:]
    private var tablesWithRows: Set<String> = []

    /// - Parameter migrations: The statements of all migrations, in order.
    package init(_ migrations: [String]) {
        for statement in migrations where !isDone(by: statement) {
            if let table = SchemaText.word(after: "CREATE TABLE ", in: statement) {
                creations[table] = statements.count
            } else if let table = SchemaText.word(after: "INSERT INTO ", in: statement) {
                tablesWithRows.insert(table)
            }
            statements.append(statement)
        }
        statements.removeAll(where: \.isEmpty)
    }

    /// Returns true if the statement changes nothing, or once the statements before it have its effect.
    private mutating func isDone(by statement: String) -> Bool {
        if let table = SchemaText.word(after: "ALTER TABLE ", in: statement) {
            return alter(table, statement.dropFirst("ALTER TABLE \(table) ".count))
        }
        if let table = SchemaText.word(after: "DROP TABLE ", in: statement), let place = emptyTable(table) {
            remove(place) { $0.table == table }
            creations[table] = nil
            return true
        }
        if let index = SchemaText.word(after: "DROP INDEX ", in: statement) {
            remove { $0.name == index }
            return true
        }
        if let table = SchemaText.word(after: "UPDATE ", in: statement) { return emptyTable(table) != nil }
        return SchemaText.source(ofMove: statement).map { emptyTable($0) != nil } ?? false
    }

    private mutating func alter(_ table: String, _ change: Substring) -> Bool {
        if let place = creations[table], change.hasPrefix("ADD COLUMN ") {
            statements[place] = SchemaText.table(statements[place], adding: change.dropFirst("ADD COLUMN ".count))
            return true
        }
        guard let place = emptyTable(table), change.hasPrefix("DROP COLUMN ") else { return false }
        let column = change.dropFirst("DROP COLUMN ".count)
        statements[place] = SchemaText.table(statements[place], dropping: String(column))
        return true
    }

    /// Returns where a table is created that has no rows; `nil` if it may have some.
    private func emptyTable(_ table: String) -> Int? { tablesWithRows.contains(table) ? nil : creations[table] }

    /// Removes indexes, and a table's creation. The places of the other statements stay.
    private mutating func remove(_ place: Int? = nil, indexes: ((name: String, table: String)) -> Bool) {
        for (index, statement) in statements.enumerated() {
            let isOne = index == place || SchemaText.index(statement).map(indexes) ?? false
            if isOne { statements[index] = "" }
        }
    }
}
