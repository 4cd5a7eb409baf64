import Dispatch
import PerennialStorage
import Synchronization
import TestSupport
import Testing

struct TransactionTests {
    private static let schema = [
        Migration(
            number: 1, name: "counters",
            statements: [
                "CREATE TABLE counters (id BIGINT PRIMARY KEY, value BIGINT NOT NULL CHECK (value >= 0), name TEXT UNIQUE)",
                "CREATE TABLE marks (id BIGINT PRIMARY KEY, counter BIGINT NOT NULL REFERENCES counters (id))",
                "INSERT INTO counters (id, value, name) VALUES (1, 0, 'first')",
            ])
    ]

    private struct Refused: Error, Equatable {}

    @Test(arguments: Engine.allCases)
    func `a body that throws is rolled back, and its error is thrown`(engine: Engine) async throws {
        let database = try engine.makeDatabase(migrations: Self.schema)
        await #expect(throws: Refused()) {
            try await database.write { connection in
                try connection.execute("INSERT INTO counters (id, value) VALUES (2, 2)")
                throw Refused()
            }
        }
        #expect(try await database.count("counters") == 1)
    }

    @Test(
        arguments: Engine.allCases,
        [
            "INSERT INTO counters (id, value) VALUES (1, 1)",
            "INSERT INTO counters (id, value, name) VALUES (3, 1, 'first')",
            "INSERT INTO counters (id, value) VALUES (3, -1)",
            "INSERT INTO counters (id) VALUES (3)",
            "INSERT INTO marks (id, counter) VALUES (1, 99)",
            "DELETE FROM counters WHERE id = 2",
        ] as [SQL])
    func `a broken constraint is an error and rolls the body back`(engine: Engine, sql: SQL) async throws {
        let database = try engine.makeDatabase(migrations: Self.schema)
        try await database.write { connection in
            try connection.execute("INSERT INTO counters (id, value) VALUES (2, 0)")
            try connection.execute("INSERT INTO marks (id, counter) VALUES (5, 2)")
        }
        await #expect(throws: StorageError(.constraint, "", "")) {
            try await database.write { connection in
                try connection.execute("UPDATE counters SET value = 77")
                try connection.execute(sql)
            }
        }
        let sum = try await database.read { try $0.first("SELECT SUM(value) FROM counters") { try $0.integer(0) } }
        #expect(sum == 0)
    }

    @Test(arguments: Engine.allCases)
    func `a body that catches a statement's error still fails`(engine: Engine) async throws {
        let database = try engine.makeDatabase(migrations: Self.schema)
        await #expect(throws: StorageError(.constraint, "", "")) {
            try await database.write { connection in
                try connection.execute("UPDATE counters SET value = 5")
                _ = try? connection.execute("INSERT INTO counters (id, value) VALUES (1, 1)")
                #expect(throws: StorageError(.constraint, "", "")) { try connection.execute("SELECT 1") }
            }
        }
        // The connection isn't doomed with it.
        try await database.write { try $0.execute("UPDATE counters SET value = value + 1") }
        let value = try await database.read { try $0.first("SELECT value FROM counters") { try $0.integer(0) } }
        #expect(value == 1)
    }

    @Test(arguments: Engine.allCases)
    func `nonsense is a statement error`(engine: Engine) async throws {
        let database = try engine.makeDatabase(migrations: Self.schema)
        for sql: SQL in ["SELEC 1", "SELECT nothing FROM counters", "", "SELECT 1; SELECT 2", "COMMIT"] {
            await #expect(throws: StorageError(.statement, "", ""), "\(sql.text)") {
                try await database.write { try $0.execute(sql) }
            }
        }
    }

    @Test(arguments: Engine.allCases)
    func `a read can't change anything`(engine: Engine) async throws {
        let database = try engine.makeDatabase(migrations: Self.schema)
        await #expect(throws: StorageError(.readOnly, "", "")) {
            try await database.read { try $0.execute("UPDATE counters SET value = 1") }
        }
        #expect(try await database.read { try $0.first("SELECT value FROM counters") { try $0.integer(0) } } == 0)
    }

    @Test(arguments: Engine.lasting)
    func `a read sees one snapshot despite concurrent commits`(engine: Engine) async throws {
        let database = try engine.makeDatabase(migrations: Self.schema)
        let (hasBegun, hasChanged) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let select: SQL = "SELECT value FROM counters"
        async let seen = database.read { connection in
            let before = try connection.first(select) { try $0.integer(0) }
            hasBegun.signal()
            hasChanged.wait()
            return [before, try connection.first(select) { try $0.integer(0) }]
        }
        try await database.write { connection in
            hasBegun.wait()
            try connection.execute("UPDATE counters SET value = 9")
        }
        hasChanged.signal()
        #expect(try await seen == [0, 0])
        #expect(try await database.read { try $0.first(select) { try $0.integer(0) } } == 9)
    }

    @Test(arguments: Engine.allCases)
    func `a thousand increments from sixteen tasks are a thousand`(engine: Engine) async throws {
        let database = try engine.makeDatabase(migrations: Self.schema)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<16 {
                group.addTask {
                    for _ in 0..<(1000 / 16 + (task < 1000 % 16 ? 1 : 0)) {
                        try await database.write { connection in
                            let value = try connection.first("SELECT value FROM counters WHERE id = 1 /*FOR UPDATE*/") {
                                try $0.integer(0)
                            }
                            let next = SQLValue.integer((value ?? 0) + 1)
                            try connection.execute("UPDATE counters SET value = $1 WHERE id = 1", [next])
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await database.read { try $0.first("SELECT value FROM counters") { try $0.integer(0) } } == 1000)
    }

    @Test(arguments: Engine.allCases)
    func `synchronous callers can read and write`(engine: Engine) throws {
        let database = try engine.makeDatabase(migrations: Self.schema)
        #expect(try database.writeSync { try $0.execute("UPDATE counters SET value = 3") } == 1)
        #expect(try database.readSync { try $0.first("SELECT value FROM counters") { try $0.integer(0) } } == 3)
        #expect(throws: StorageError(.statement, "", "")) {
            try database.writeSync { _ in try database.readSync { _ in } }
        }
    }

    @Test(arguments: Engine.allCases)
    func `closing finishes queued tasks and refuses new ones`(engine: Engine) async throws {
        let database = try engine.makeDatabase(migrations: Self.schema)
        let (hasBegun, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        async let last = database.write { connection in
            hasBegun.signal()
            mayEnd.wait()
            return try connection.execute("UPDATE counters SET value = 4")
        }
        await onOwnThread {
            hasBegun.wait()
            mayEnd.signal()
            database.close()
        }
        #expect(try await last == 1)
        await #expect(throws: StorageError(.closed, "", "")) { try await database.read { _ in } }
        await #expect(throws: StorageError(.closed, "", "")) { try await database.write { _ in } }
        database.close()
    }

    @Test(arguments: Engine.lasting)
    func `written data is there after closing and opening`(engine: Engine) async throws {
        let location = try engine.makeLocation()
        let first = try Database(location)
        try first.migrate(Self.schema)
        try await first.write { try $0.execute("UPDATE counters SET value = 6") }
        first.close()
        let second = try Database(location)
        #expect(try await second.read { try $0.first("SELECT value FROM counters") { try $0.integer(0) } } == 6)
    }

    @Test(arguments: Engine.allCases)
    func `tasks beyond the queue's limit are refused`(engine: Engine) async throws {
        var options = DatabaseOptions.forTests
        options.waitingMax = 2
        options.connections = 1
        let database = try engine.makeDatabase(migrations: Self.schema, options: options)
        let (hasBegun, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        async let first: Void = database.write { _ in
            hasBegun.signal()
            mayEnd.wait()
        }
        await onOwnThread { hasBegun.wait() }
        let refused = await withTaskGroup(of: StorageError?.self) { group in
            for _ in 0..<5 {
                group.addTask {
                    do {
                        try await database.write { _ in }
                        return nil
                    } catch { return error as? StorageError }
                }
            }
            // Three come back at once; the others wait for the first body.
            var errors: [StorageError?] = []
            for _ in 0..<3 { if let error = await group.next() { errors.append(error) } }
            mayEnd.signal()
            for await error in group { errors.append(error) }
            return errors
        }
        try await first
        let overloaded = StorageError(.overloaded, "", "")
        #expect(refused == [overloaded, overloaded, overloaded, nil, nil])
    }

    @Test(arguments: Engine.allCases)
    func `a fault before the commit rolls back, one after it loses the answer`(engine: Engine) async throws {
        let fault = Mutex<FaultPoint?>(nil)
        var options = DatabaseOptions.forTests
        options.faults = { point in if fault.withLock({ $0 }) == point { throw Refused() } }
        let database = try engine.makeDatabase(migrations: Self.schema, options: options)
        for (point, value) in [(FaultPoint.beforeCommit, Int64(0)), (.afterCommit, 1)] {
            fault.withLock { $0 = point }
            await #expect(throws: Refused()) {
                try await database.write { try $0.execute("UPDATE counters SET value = value + 1") }
            }
            let read = try await database.read { try $0.first("SELECT value FROM counters") { try $0.integer(0) } }
            #expect(read == value)
        }
    }
}

extension Database {
    func count(_ table: String) async throws -> Int64? {
        try await read { try $0.first(SQL("SELECT COUNT(*) FROM \(table)")) { try $0.integer(0) } }
    }
}
