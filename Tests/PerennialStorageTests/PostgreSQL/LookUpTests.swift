import Dispatch
import Perennial
import PerennialStorage
import Synchronization
import TestSupport
import Testing

/// Reads whose statements are announced.
struct LookUpTests {
    private struct Odd: Error {}

    private static let schema = [
        Migration(
            number: 1, name: "numbers",
            statements: ["CREATE TABLE numbers (n BIGINT PRIMARY KEY, name TEXT)"])
    ]

    private static func reading(_ number: Int64) -> AnnouncedRead {
        AnnouncedRead("SELECT name FROM numbers WHERE n = $1", [.integer(number)])
    }

    private static func name(_ number: Int64, on connection: any Connection) throws -> String? {
        try reading(number).first(on: connection) { try $0.text(0) }
    }

    private static func filled(_ engine: Engine, _ options: DatabaseOptions = .forTests) async throws -> Database {
        let database = try engine.makeDatabase(migrations: schema, options: options)
        try await database.write { connection in
            for number in 1...20 as ClosedRange<Int64> {
                try connection.execute(
                    "INSERT INTO numbers (n, name) VALUES ($1, $2)", [.integer(number), .text("number \(number)")])
            }
        }
        return database
    }

    @Test(arguments: Engine.allCases)
    func `a look-up finds what it has announced, and what it has not`(_ engine: Engine) async throws {
        let database = try await Self.filled(engine)
        let found = try await database.lookUp([Self.reading(1), Self.reading(99)]) { connection in
            [try Self.name(1, on: connection), try Self.name(99, on: connection), try Self.name(2, on: connection)]
        }
        #expect(found == ["number 1", nil, "number 2"])
    }

    @Test(arguments: Engine.allCases)
    func `look-ups side by side get their own rows`(_ engine: Engine) async throws {
        let database = try await Self.filled(engine)
        let found = try await withThrowingTaskGroup(of: (Int64, String?).self) { group in
            for number in 1...200 as ClosedRange<Int64> {
                group.addTask {
                    let row = number % 20 + 1
                    return (row, try await database.lookUp([Self.reading(row)]) { try Self.name(row, on: $0) })
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(found.count == 200)
        #expect(found.allSatisfy { $1 == "number \($0)" })
    }

    @Test(arguments: Engine.allCases)
    func `a look-up sees what was committed before it`(_ engine: Engine) async throws {
        let database = try await Self.filled(engine)
        for turn in 1...50 {
            try await database.write {
                try $0.execute("UPDATE numbers SET name = $1 WHERE n = 3", [.text("turn \(turn)")])
            }
            async let other = database.lookUp([Self.reading(3)]) { try Self.name(3, on: $0) }
            #expect(try await database.lookUp([Self.reading(3)]) { try Self.name(3, on: $0) } == "turn \(turn)")
            #expect(try await other == "turn \(turn)")
        }
    }

    @Test(arguments: Engine.allCases)
    func `a look-up's error is its own`(_ engine: Engine) async throws {
        let database = try await Self.filled(engine)
        let results = await withTaskGroup(of: Bool.self) { group in
            for number in 1...40 as ClosedRange<Int64> {
                group.addTask {
                    do {
                        let found = try await database.lookUp([Self.reading(1)]) { connection in
                            if number % 4 == 0 { throw Odd() }
                            return try Self.name(1, on: connection)
                        }
                        return number % 4 != 0 && found == "number 1"
                    } catch { return error is Odd && number % 4 == 0 }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(results.count == 40 && !results.contains(false))
    }

    @Test(arguments: Engine.allCases)
    func `an announced statement that fails harms only its own look-up`(_ engine: Engine) async throws {
        let database = try await Self.filled(engine)
        let wrong = AnnouncedRead("SELECT n FROM nowhere")
        async let bad = database.lookUp([wrong]) { try wrong.first(on: $0) { try $0.integer(0) } }
        async let good = database.lookUp([Self.reading(5)]) { try Self.name(5, on: $0) }
        #expect(try await good == "number 5")
        do {
            _ = try await bad
            Issue.record("There is no such table.")
        } catch { #expect(error is StorageError) }
    }

    @Test func `a look-up can't write`() async throws {
        let database = try await Self.filled(.postgres)
        await #expect(throws: StorageError.self) {
            try await database.lookUp([Self.reading(1)]) { try $0.execute("DELETE FROM numbers") }
        }
        #expect(try await database.read { try Self.name(1, on: $0) } == "number 1")
    }

    @Test func `waiting look-ups take one round trip, and equal statements one answer`() async throws {
        let database = try await Self.filled(.postgres)
        _ = try await database.lookUp([Self.reading(1)]) { try Self.name(1, on: $0) }
        let before = try #require(database.statistics)
        let hasBegun = DispatchSemaphore(value: 0)
        let submitted = DispatchSemaphore(value: 0)
        async let first: Void = database.lookUp([Self.reading(1)]) { _ in
            hasBegun.signal()
            for _ in 0..<40 { submitted.wait() }
        }
        await onOwnThread { hasBegun.wait() }
        await withTaskGroup(of: Void.self) { group in
            for number in 1...40 as ClosedRange<Int64> {
                group.addTask {
                    async let found = database.lookUp([Self.reading(number % 2)]) { try Self.name(number % 2, on: $0) }
                    submitted.signal()
                    _ = try? await found
                }
            }
        }
        try await first
        let after = try #require(database.statistics)
        // Some may be submitted a little after the first look-up has ended.
        #expect(after.roundTrips - before.roundTrips < 20)
        #expect(after.missedLookUps == before.missedLookUps)
    }
}
