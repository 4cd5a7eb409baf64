import TestSupport
import Testing

@testable import PerennialStorage

struct SQLTests {
    @Test(arguments: [
        ("SELECT 1", 0),
        ("SELECT $1", 1),
        ("SELECT $1, $2, $1", 2),
        ("SELECT '$9', \"$8\" -- $7\n/* $6 */, $1", 1),
        ("SELECT 'it''s $5', $1", 1),
        ("SELECT '?', $1 - $2 / $3", 3),
    ])
    func `placeholders are counted outside strings, names and comments`(text: String, count: Int) throws {
        #expect(try SQL(text).check() == count)
    }

    @Test(arguments: [
        "SELECT $2", "SELECT $2, $1", "SELECT $1, $3", "SELECT $0", "SELECT ?", "SELECT $a", "SELECT $123456",
        "SELECT \u{0}", "BEGIN", " commit", "rollback to x",
    ])
    func `a text that the engines read differently is refused`(text: String) {
        #expect(throws: StorageError(.statement, "", "")) { try SQL(text).check() }
    }

    @Test(arguments: Engine.allCases)
    func `placeholders out of order are refused when a statement is prepared`(engine: Engine) async throws {
        let database = try engine.makeDatabase(migrations: [])
        let error = await #expect(throws: StorageError(.statement, "", "")) {
            try await database.read { try $0.first("SELECT $2, $1", [1, 2]) { try $0.integer(0) } }
        }
        #expect(error?.reason.contains("$2 appears where $1 is due") == true)
    }

    @Test func `row locks and RETURNING marks apply to PostgreSQL only`() {
        let sql: SQL = "SELECT a FROM t LIMIT 1 /*FOR UPDATE SKIP LOCKED*/"
        #expect(sql.text(for: .sqlite) == sql.text)
        #expect(sql.text(for: .postgres) == "SELECT a FROM t LIMIT 1 FOR UPDATE SKIP LOCKED")
        #expect(SQL("SELECT 1 /*FOR UPDATE*/").text(for: .postgres) == "SELECT 1 FOR UPDATE")
        let advance: SQL = "UPDATE t SET position = 1 /*RETURNING position*/"
        #expect(advance.text(for: .sqlite) == advance.text)
        #expect(advance.text(for: .postgres) == "UPDATE t SET position = 1 RETURNING position")
    }

    @Test func `a full statement cache evicts the least recently used`() {
        var cache = StatementCache<Int>(max: 4)
        let statements = (0...5).map { SQL("\($0)") }
        for number in 1...4 { #expect(cache.insert(number, for: statements[number]).isEmpty) }
        #expect(cache.find(statements[1]) == 1)
        #expect(cache.insert(5, for: statements[5]).sorted() == [2, 3])
        #expect([1, 2, 4, 5].map { cache.find(statements[$0]) } == [1, nil, 4, 5])
    }

    @Test func `a text is cached by its contents, a literal by its address`() {
        var cache = StatementCache<Int>(max: 4)
        _ = cache.insert(1, for: SQL("SELECT \(1)"))
        #expect(cache.find(SQL("SELECT \(1)")) == 1)
        let written: SQL = "SELECT 2"
        _ = cache.insert(2, for: written)
        #expect(cache.find(written) == 2)
        #expect(cache.find(SQL("SELECT \(2)")) == nil)
    }
}
