import PerennialStorage
import TestSupport
import Testing

struct TableStatisticsTests {
    private static let update: SQL = """
        EXPLAIN UPDATE subscriptions SET due = $1 WHERE environment = $2 AND app = $3 AND original_id = $4
        """

    private static func plan(_ database: Database) async throws -> String {
        try await database.read { connection in
            try connection.query(update, [.integer(1), .integer(2), .integer(7), .integer(5_000)]) { try $0.text(0) }
        }.joined(separator: "\n")
    }

    @Test func `a table that has just grown is read by its key`() async throws {
        let database = try Engine.postgres.makeDatabase()
        #expect(try await database.analyzeNewTables() == [])
        try await database.write(timeout: .long) { connection in
            try connection.execute(
                """
                INSERT INTO subscriptions (environment, app, original_id, account, subscription_group, due, document)
                SELECT 2, 7, n, n, 'g', n, 'document' FROM generate_series(1, 10000) AS n
                """, [])
        }
        #expect(try await database.analyzeNewTables() == ["subscriptions"])
        #expect(try await Self.plan(database).contains("subscriptions_pkey"))
        #expect(try await database.analyzeNewTables() == [], "once")
    }

    @Test(arguments: [Engine.sqlite, .sqliteInMemory])
    func `SQLite needs none`(engine: Engine) async throws {
        #expect(try await engine.makeDatabase().analyzeNewTables() == [])
    }
}
