import PerennialStorage
import TestSupport
import Testing

/// A new database of SQLite gets all migrations at once.
struct NewSchemaTests {
    /// Tables with their columns, and indexes; on SQLite with their texts, whose whitespace depends on how columns came.
    static func schema(_ database: Database) async throws -> [String] {
        try await database.read { connection in
            let text: SQL =
                switch connection.engine {
                case .sqlite: "SELECT name || ' ' || sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY 1"
                case .postgres:
                    """
                    SELECT table_name || ' ' || column_name || ' ' || data_type FROM information_schema.columns
                    WHERE table_schema = current_schema() UNION
                    SELECT tablename || ' ' || indexname FROM pg_indexes WHERE schemaname = current_schema()
                    AND indexname NOT IN (SELECT conname FROM pg_constraint) ORDER BY 1
                    """
                }
            return try connection.query(text) {
                try $0.text(0).split(whereSeparator: \.isWhitespace).joined(separator: " ")
            }
        }
    }

    /// All rows, with their tables.
    private static func rows(_ database: Database) async throws -> [String] {
        try await database.read { connection in
            let tables = try connection.query(
                "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name"
            ) { try $0.text(0) }
            return try tables.flatMap { table in
                let columns = try connection.query("SELECT name FROM pragma_table_info($1)", [.text(table)]) {
                    "quote(\(try $0.text(0)))"
                }
                let row = columns.joined(separator: " || ' ' || ")
                return try connection.query(SQL("SELECT \(row) FROM \(table) ORDER BY 1")) {
                    "\(table): \(try $0.text(0))"
                }
            }
        }
    }

    @Test func `it has the schema and the rows of one that was migrated step by step`() async throws {
        let all = Migration.all
        let stepwise = try Engine.sqliteInMemory.makeDatabase(migrations: [all[0]])
        for count in 2...all.count {
            try stepwise.migrate(Array(all.prefix(count)))
            let atOnce = try Engine.sqliteInMemory.makeDatabase(migrations: Array(all.prefix(count)))
            #expect(try await Self.schema(atOnce) == Self.schema(stepwise), "\(all[count - 1].name)")
            let rows = try await Self.rows(atOnce)
            #expect(try await rows == Self.rows(stepwise), "\(all[count - 1].name)")
            #expect(rows.count >= count)
        }
    }

    @Test func `a database with a table isn't new`() async throws {
        let database = try Engine.sqliteInMemory.makeDatabase(migrations: [])
        try await database.write { try $0.execute("CREATE TABLE apps (id BIGINT)") }
        #expect(throws: StorageError(.statement, "", "")) { try database.migrate() }
        #expect(try await database.count("schema_migrations") == 0)
    }

    /// A history with the given statements, which begin with two tables.
    private static func history(_ statements: [String]) -> [Migration] {
        let tables = [
            "CREATE TABLE one (id BIGINT, name TEXT, note TEXT, PRIMARY KEY (id)) /*WITHOUT ROWID*/",
            "CREATE TABLE two (name TEXT, kind TEXT)", "CREATE INDEX two_name ON two (name)",
        ]
        return [
            Migration(number: 1, name: "tables", statements: tables),
            Migration(number: 2, name: "changes", statements: statements),
        ]
    }

    @Test(arguments: [
        ["ALTER TABLE one DROP COLUMN note"],
        ["ALTER TABLE one DROP COLUMN name", "ALTER TABLE one ADD COLUMN name BIGINT"],
        ["DROP TABLE two", "CREATE TABLE two (name BIGINT, other TEXT)"],
        [
            "UPDATE one SET name = 'x'", "INSERT INTO two (name) SELECT name FROM one",
            "ALTER TABLE one DROP COLUMN name",
        ],
        // Rows that are there in an empty database, too.
        [
            "INSERT INTO two (name) SELECT MAX(name) || 'x' FROM one", "DROP INDEX two_name",
            "ALTER TABLE two DROP COLUMN name",
        ],
        [
            "INSERT INTO one (id, name) VALUES (1, 'a')", "UPDATE one SET name = 'b'",
            "ALTER TABLE one DROP COLUMN note",
        ],
        [
            "INSERT INTO one (id, name) VALUES (1, 'a')", "INSERT INTO two (name) SELECT name FROM one",
            "ALTER TABLE one DROP COLUMN name",
        ],
        ["INSERT INTO two (name) SELECT name FROM one UNION SELECT 'x'", "ALTER TABLE one DROP COLUMN note"],
        ["INSERT INTO one (id) VALUES (1)", "ALTER TABLE one ADD COLUMN kind TEXT DEFAULT 'k'", "DROP TABLE two"],
        ["DROP INDEX two_name", "CREATE INDEX two_name ON two (name) WHERE name IS NOT NULL"],
    ])
    func `changes of any form have the effect that they have one by one`(statements: [String]) async throws {
        let all = Self.history(statements)
        let stepwise = try Engine.sqliteInMemory.makeDatabase(migrations: [all[0]])
        try stepwise.migrate(all)
        let atOnce = try Engine.sqliteInMemory.makeDatabase(migrations: all)
        #expect(try await Self.schema(atOnce) == Self.schema(stepwise))
        #expect(try await Self.rows(atOnce) == Self.rows(stepwise))
    }

    @Test func `a statement that changes rows of an empty table isn't run`() throws {
        let statements = Self.history([
            "UPDATE one SET name = NULL", "INSERT INTO two (name) SELECT name FROM one",
            "ALTER TABLE one DROP COLUMN name",
        ]).flatMap(\.statements)
        #expect(
            NewSchema(statements).statements == [
                "CREATE TABLE one (id BIGINT, note TEXT, PRIMARY KEY (id)) /*WITHOUT ROWID*/",
                "CREATE TABLE two (name TEXT, kind TEXT)", "CREATE INDEX two_name ON two (name)",
            ])
    }
}
