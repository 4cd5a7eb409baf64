import Perennial
import PerennialStorage
import Synchronization
import TestSupport
import Testing

/// Writes whose first statements are announced.
struct AnnouncedWritesTests {
    private struct Odd: Error {}

    private static let schema = [
        Migration(
            number: 1, name: "numbers",
            statements: [
                "CREATE TABLE numbers (n BIGINT PRIMARY KEY, count BIGINT NOT NULL)",
                "CREATE TABLE marks (n BIGINT PRIMARY KEY)",
            ])
    ]

    private static func filled(
        _ engine: Engine = .postgres, _ change: (inout DatabaseOptions) -> Void = { _ in }
    ) async throws -> Database {
        var options = DatabaseOptions.forTests
        options.connections = 1
        options.serverGroupMilliseconds = 10_000
        change(&options)
        let database = try engine.makeDatabase(migrations: schema, options: options)
        try await database.write { connection in
            for number in 1...20 as ClosedRange<Int64> {
                try connection.execute("INSERT INTO numbers (n, count) VALUES ($1, 0)", [.integer(number)])
            }
        }
        return database
    }

    private static func locking(_ number: Int64) -> AnnouncedRead {
        AnnouncedRead(
            "SELECT n, count FROM numbers WHERE n = $1 /*FOR UPDATE*/", [.integer(number)],
            owner: .init(inTable: "numbers", column: 0))
    }

    private static func marking(_ number: Int64) -> AnnouncedRead {
        AnnouncedRead("INSERT INTO marks (n) VALUES ($1) RETURNING n", [.integer(number)])
    }

    /// Raises a count by what was read of it.
    private static func raise(_ number: Int64, on connection: any Connection, isMarked: Bool = true) throws {
        let count = try locking(number).first(on: connection) { try $0.integer(1) } ?? 0
        let update: SQL =
            isMarked
            ? "UPDATE /*only $2*/ numbers SET count = $1 WHERE n = $2" : "UPDATE numbers SET count = $1 WHERE n = $2"
        try connection.send(update, [.integer(count + 1), .integer(number)])
    }

    /// Runs a body for each number, all of which wait while an earlier write runs.
    ///
    /// - Returns: The errors by index.
    private static func together(
        _ numbers: [Int64], in database: Database, announcing: @escaping @Sendable (Int64) -> [AnnouncedRead],
        _ body: @escaping @Sendable (Int64, any Connection) throws -> Void
    ) async throws -> [Int: any Error] {
        let turn = HeldTurn()
        async let held: Void = turn.hold(database)
        await turn.hasBegun()
        let errors = await withTaskGroup(of: (Int, (any Error)?).self) { group in
            for (index, number) in numbers.enumerated() {
                group.addTask {
                    do {
                        try await database.write(announcing: announcing(number)) { try body(number, $0) }
                        return (index, nil)
                    } catch { return (index, error) }
                }
            }
            await database.untilWritesWait(numbers.count)
            turn.end()
            return await group.reduce(into: [Int: any Error]()) { $0[$1.0] = $1.1 }
        }
        try await held
        return errors
    }

    private static func counts(_ database: Database) async throws -> [Int64] {
        try await database.read { try $0.query("SELECT count FROM numbers ORDER BY n") { try $0.integer(0) } }
    }

    private static func marks(_ database: Database) async throws -> [Int64] {
        try await database.read { try $0.query("SELECT n FROM marks ORDER BY n") { try $0.integer(0) } }
    }

    @Test(arguments: Engine.allCases)
    func `a write asks for what it has announced, and for what it has not`(_ engine: Engine) async throws {
        let database = try await Self.filled(engine)
        try await database.write(announcing: [Self.locking(1)]) { connection in
            try Self.raise(1, on: connection)
            try Self.raise(2, on: connection)
            // The first one's answer is outdated by its change.
            try Self.raise(1, on: connection)
        }
        #expect(try await Self.counts(database).prefix(3) == [2, 1, 0])
    }

    @Test func `changes of other rows outdate no answer, and a group takes two round trips`() async throws {
        let database = try await Self.filled()
        let all = Array(1...20 as ClosedRange<Int64>)
        var trips = 0
        // Prepares the statements the first time.
        for _ in 1...2 {
            let before = try #require(database.statistics)
            let errors = try await Self.together(all, in: database, announcing: { [Self.locking($0)] }) {
                try Self.raise($0, on: $1)
            }
            #expect(errors.isEmpty)
            trips = (database.statistics?.roundTrips ?? 0) - before.roundTrips
        }
        #expect(trips == 2)
        #expect(try await Self.counts(database) == all.map { _ in 2 })
    }

    @Test(arguments: [true, false])
    func `bodies of a group see each other's changes of a row`(isMarked: Bool) async throws {
        let database = try await Self.filled()
        let errors = try await Self.together([1, 2, 1, 1, 2], in: database, announcing: { [Self.locking($0)] }) {
            try Self.raise($0, on: $1, isMarked: isMarked)
        }
        #expect(errors.isEmpty)
        #expect(try await Self.counts(database).prefix(3) == [3, 2, 0])
        #expect(database.statistics?.dissolvedGroups == 0)
    }

    @Test func `an announced insert of a body that fails is undone, and the others' stay`() async throws {
        let database = try await Self.filled()
        let errors = try await Self.together(
            Array(1...9), in: database, announcing: { [Self.locking($0), Self.marking($0)] }
        ) { number, connection in
            // Without asking for it.
            if number % 4 == 0 { throw Odd() }
            #expect(try Self.marking(number).first(on: connection) { try $0.integer(0) } == number)
        }
        #expect(errors.keys.sorted() == [3, 7])
        #expect(errors.values.allSatisfy { $0 is Odd })
        #expect(try await Self.marks(database) == [1, 2, 3, 5, 6, 7, 9])
    }

    @Test func `an announced statement that fails harms only its own body`() async throws {
        let database = try await Self.filled()
        try await database.write { try $0.execute("INSERT INTO marks (n) VALUES (3)") }
        let errors = try await Self.together(
            [1, 2, 3, 4], in: database, announcing: { [Self.marking($0)] }
        ) { number, connection in
            try Self.marking(number).first(on: connection) { _ in }
            try Self.raise(number, on: connection)
        }
        #expect(errors.keys.sorted() == [2])
        #expect(errors[2] as? StorageError == StorageError(.constraint, "", ""))
        #expect(try await Self.marks(database) == [1, 2, 3, 4])
        #expect(try await Self.counts(database).prefix(5) == [1, 1, 0, 1, 0])
    }

    @Test func `a write alone that fails undoes what it has announced`() async throws {
        let database = try await Self.filled()
        await #expect(throws: Odd.self) {
            try await database.write(announcing: [Self.marking(1)]) { _ in throw Odd() }
        }
        #expect(try await Self.marks(database).isEmpty)
    }

    @Test func `a group that lost its connection runs again with nothing done twice`() async throws {
        let server = try EphemeralPostgreSQL.shared()
        let url = try server.makeDatabase()
        let armed = Mutex(false)
        var options = DatabaseOptions.forTests
        options.connections = 1
        options.serverGroupMilliseconds = 10_000
        let database = try Database(DatabaseLocation(url: url), options: options)
        try database.migrate(Self.schema)
        armed.withLock { $0 = true }
        let errors = try await Self.together(
            Array(1...5), in: database, announcing: { [Self.marking($0)] }
        ) { number, connection in
            if armed.withLock({ armed in
                defer { armed = false }; return armed
            }) {
                try server.disconnectAll(from: url)
                // Finds the connection lost.
                _ = try connection.first("SELECT COUNT(*) FROM numbers") { try $0.integer(0) }
            }
            _ = try Self.marking(number).first(on: connection) { try $0.integer(0) }
        }
        #expect(errors.isEmpty)
        #expect(try await Self.marks(database) == Array(1...5))
    }
}
