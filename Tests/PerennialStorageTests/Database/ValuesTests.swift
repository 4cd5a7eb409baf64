import PerennialStorage
import TestSupport
import Testing

struct ValuesTests {
    private static let schema = [
        Migration(number: 1, name: "values", statements: ["CREATE TABLE t (id BIGINT, i BIGINT, s TEXT, b BYTEA)"])
    ]

    @Test(arguments: Engine.allCases)
    func `values are read as they were written`(engine: Engine) async throws {
        let integers: [Int64] = [.min, -1, 0, 1, 1 << 31, 1 << 53 + 1, .max]
        let texts = [
            "", "a", "it's", "e\u{301} é 👩‍👩‍👧‍👦 \u{10FFFF}", "line\r\n\ttab", String(repeating: "x", count: 100_000),
        ]
        let blobs: [[UInt8]] = [[], [0], Array(0...255), Array(repeating: 0, count: 70_000)]
        let database = try engine.makeDatabase(migrations: Self.schema)
        let sql: SQL = "INSERT INTO t (i, s, b) VALUES ($1, $2, $3)"
        try await database.write { connection in
            try integers.forEach { try connection.execute(sql, [.integer($0), nil, nil]) }
            try texts.forEach { try connection.execute(sql, [nil, .text($0), nil]) }
            try blobs.forEach { try connection.execute(sql, [nil, nil, .blob($0)]) }
        }
        try await database.read { connection in
            let read = try connection.query("SELECT i FROM t WHERE i IS NOT NULL ORDER BY i") { try $0.integer(0) }
            #expect(read == integers)
            for text in texts {
                let found = try connection.first("SELECT s FROM t WHERE s = $1", [.text(text)]) { try $0.text(0) }
                #expect(found.map { Array($0.utf8) } == Array(text.utf8))
            }
            for blob in blobs {
                let found = try connection.first("SELECT b FROM t WHERE b = $1", [.blob(blob)]) { try $0.blob(0) }
                #expect(found == blob)
            }
        }
    }

    @Test(arguments: Engine.allCases)
    func `null is nil where nil is allowed`(engine: Engine) async throws {
        let database = try engine.makeDatabase(migrations: Self.schema)
        try await database.write { connection in
            try connection.execute("INSERT INTO t (id, i, s, b) VALUES ($1, $2, $3, $4)", [1, nil, nil, nil])
            // The statement was first prepared with nulls; now it takes values.
            try connection.execute("INSERT INTO t (id, i, s, b) VALUES ($1, $2, $3, $4)", [2, 5, "s", [9]])
            let nulls = try connection.first("SELECT i, s, b FROM t WHERE id = 1") {
                (try $0.optionalInteger(0), try $0.optionalText(1), try $0.optionalBlob(2))
            }
            #expect(nulls != nil && nulls?.0 == nil && nulls?.1 == nil && nulls?.2 == nil)
            let some = try connection.first("SELECT i, s, b, i > 4, i > 5 FROM t WHERE id = 2") { row in
                #expect(try row.bool(3) && !row.bool(4))
                return (try row.optionalInteger(0), try row.optionalText(1), try row.optionalBlob(2))
            }
            #expect(some?.0 == 5 && some?.1 == "s" && some?.2 == [9])
            for read: (any Row) throws -> Any in [{ try $0.integer(0) }, { try $0.text(1) }, { try $0.blob(2) }] {
                #expect(throws: StorageError(.wrongType, "", "")) {
                    try connection.first("SELECT i, s, b FROM t WHERE id = 1", [], read)
                }
            }
        }
    }

    @Test(arguments: Engine.allCases)
    func `a column of another type, or no column, is an error`(engine: Engine) async throws {
        let database = try engine.makeDatabase(migrations: Self.schema)
        try await database.write { connection in
            try connection.execute("INSERT INTO t (i, s, b) VALUES ($1, $2, $3)", [1, "1", [1]])
            let wrong: [(any Row) throws -> Any] = [
                { try $0.text(0) }, { try $0.blob(0) }, { try $0.integer(1) }, { try $0.blob(1) },
                { try $0.integer(2) }, { try $0.text(2) }, { try $0.integer(3) }, { try $0.text(-1) },
                { try $0.optionalBlob(.max) as Any }, { try $0.bool(1) },
            ]
            for read in wrong {
                #expect(throws: StorageError(.wrongType, "", "")) {
                    try connection.first("SELECT i, s, b FROM t", [], read)
                }
            }
        }
    }

    @Test(arguments: Engine.allCases)
    func `sums, counts and lengths are integers`(engine: Engine) async throws {
        let database = try engine.makeDatabase(migrations: Self.schema)
        try await database.write { connection in
            for value: Int64 in [10_000, -20_001, 4_000_000_000_000_000_000, 0] {
                try connection.execute("INSERT INTO t (i, s) VALUES ($1, $2)", [.integer(value), "abc"])
            }
            let read = try connection.first("SELECT SUM(i), COUNT(*), SUM(i - i), MAX(LENGTH(s)), MIN(i) FROM t") {
                row in
                try (0..<5).map { try row.integer($0) }
            }
            #expect(read == [3_999_999_999_999_989_999, 4, 0, 3, -20_001])
            let round = try connection.first("SELECT SUM(i) FROM t WHERE i = 10000") { try $0.integer(0) }
            #expect(round == 10_000)
        }
    }

    @Test(arguments: Engine.allCases)
    func `a text with NUL is refused, bytes with NUL are accepted`(engine: Engine) async throws {
        let database = try engine.makeDatabase(migrations: Self.schema)
        let error = await #expect(throws: StorageError(.invalidText, "", "")) {
            try await database.write { try $0.execute("INSERT INTO t (s) VALUES ($1)", ["a\u{0}b"]) }
        }
        #expect(error?.subject == "$1")
        try await database.write { try $0.execute("INSERT INTO t (b) VALUES ($1)", [[0, 1, 0]]) }
    }

    @Test(arguments: Engine.allCases, [[SQLValue](), [1], [1, 2, 3]])
    func `each placeholder needs a value`(engine: Engine, values: [SQLValue]) async throws {
        let database = try engine.makeDatabase(migrations: Self.schema)
        await #expect(throws: StorageError(.statement, "", "")) {
            try await database.write { try $0.execute("INSERT INTO t (id, i) VALUES ($1, $2)", values) }
        }
    }

    @Test(arguments: Engine.allCases)
    func `execute returns the number of changed rows`(engine: Engine) async throws {
        let database = try engine.makeDatabase(migrations: Self.schema)
        try await database.write { connection in
            #expect(try connection.execute("INSERT INTO t (i) VALUES (1), (2), (3)") == 3)
            #expect(try connection.execute("UPDATE t SET s = $1 WHERE i > 1", ["x"]) == 2)
            #expect(try connection.execute("UPDATE t SET s = $1 WHERE i > 9", ["x"]) == 0)
            #expect(try connection.execute("CREATE TABLE u (i BIGINT PRIMARY KEY)") == 0)
            #expect(try connection.execute("SELECT i FROM t") == 0)
            #expect(try connection.execute("INSERT INTO u (i) VALUES (1) ON CONFLICT (i) DO NOTHING") == 1)
            #expect(try connection.execute("INSERT INTO u (i) VALUES (1) ON CONFLICT (i) DO NOTHING") == 0)
            #expect(try connection.execute("DELETE FROM t WHERE i < 3") == 2)
            let kept = try connection.query("INSERT INTO t (i) VALUES (7), (8) RETURNING i") { try $0.integer(0) }
            #expect(kept == [7, 8])
        }
    }

    @Test(arguments: Engine.allCases)
    func `a query may run inside another's row, even the same one`(engine: Engine) async throws {
        let database = try engine.makeDatabase(migrations: Self.schema)
        try await database.write { connection in
            try connection.execute("INSERT INTO t (i) VALUES (1), (2), (3)")
            let sql: SQL = "SELECT i FROM t WHERE i >= $1 ORDER BY i"
            let pairs = try connection.query(sql, [1]) { outer in
                let value = try outer.integer(0)
                return try connection.query(sql, [.integer(value)]) { try $0.integer(0) }
            }
            #expect(pairs == [[1, 2, 3], [2, 3], [3]])
        }
    }
}
