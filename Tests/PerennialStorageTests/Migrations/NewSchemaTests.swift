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
}
