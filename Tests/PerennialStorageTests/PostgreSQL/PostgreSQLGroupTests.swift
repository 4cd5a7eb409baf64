import Dispatch
import Perennial
import PerennialStorage
import Synchronization
import TestSupport
import Testing

/// Writes that share a transaction on PostgreSQL.
struct PostgreSQLGroupTests {
    private struct Odd: Error {}

    private static let schema = [
        Migration(
            number: 1, name: "numbers",
            statements: ["CREATE TABLE numbers (n BIGINT PRIMARY KEY)"])
    ]

    /// Opens a database with one thread that writes.
    private static func open(_ change: (inout DatabaseOptions) -> Void = { _ in }) throws -> Database {
        var options = DatabaseOptions.forTests
        options.connections = 1
        options.serverGroupMilliseconds = 10_000
        change(&options)
        return try Engine.postgres.makeDatabase(migrations: schema, options: options)
    }

    /// Runs bodies with the numbers 1 to `count`, which all wait while an earlier write runs.
    ///
    /// - Returns: The errors by number.
    private static func together(
        _ count: Int64, in database: Database,
        _ body: @escaping @Sendable (Int64, any Connection) throws -> Void,
        deadline: @escaping @Sendable (Int64) -> RequestDeadline? = { _ in nil }
    ) async throws -> [Int64: any Error] {
        let hasBegun = DispatchSemaphore(value: 0)
        let submitted = DispatchSemaphore(value: 0)
        async let first: Void = database.write { _ in
            hasBegun.signal()
            for _ in 0..<count { submitted.wait() }
        }
        await onOwnThread { hasBegun.wait() }
        let errors = await withTaskGroup(of: (Int64, (any Error)?).self) { group in
            for number in 1...count {
                group.addTask {
                    submitted.signal()
                    do {
                        try await RequestDeadline.$current.withValue(deadline(number)) {
                            try await database.write { try body(number, $0) }
                        }
                        return (number, nil)
                    } catch { return (number, error) }
                }
            }
            return await group.reduce(into: [Int64: any Error]()) { $0[$1.0] = $1.1 }
        }
        try await first
        return errors
    }

    private static func insert(_ number: Int64, on connection: any Connection) throws {
        try connection.send("INSERT INTO numbers (n) VALUES ($1)", [.integer(number)])
    }

    private static func numbers(_ database: Database) async throws -> [Int64] {
        try await database.read { try $0.query("SELECT n FROM numbers ORDER BY n") { try $0.integer(0) } }
    }

    @Test func `waiting writes share commits`() async throws {
        let database = try Self.open()
        let before = database.statistics?.commits ?? 0
        let errors = try await Self.together(40, in: database) { try Self.insert($0, on: $1) }
        #expect(errors.isEmpty)
        #expect(try await Self.numbers(database) == Array(1...40))
        let commits = (database.statistics?.commits ?? 0) - before
        #expect(commits < 20)
    }

    @Test func `a write whose time is over takes no others with it`() async throws {
        let database = try Self.open()
        let before = database.statistics
        // A group nearly always begins with a late one.
        let errors = try await Self.together(40, in: database) { number, connection in
            try Self.insert(number, on: connection)
        } deadline: { number in
            RequestDeadline(milliseconds: number > 38 ? 60_000 : 0)
        }
        #expect(errors.keys.sorted() == Array(1...38))
        #expect(try await Self.numbers(database) == [39, 40])
        #expect(database.statistics?.dissolvedGroups == before?.dissolvedGroups)
    }

    @Test func `the error of a statement reaches its own body, and the others succeed`() async throws {
        let database = try Self.open()
        try await database.write { try Self.insert(7, on: $0) }
        let errors = try await Self.together(20, in: database) { number, connection in
            try Self.insert(number, on: connection)
        }
        #expect(errors.keys.sorted() == [7])
        #expect(errors[7] as? StorageError == StorageError(.constraint, "", ""))
        #expect((errors[7] as? StorageError)?.subject == "numbers_pkey")
        #expect(try await Self.numbers(database) == Array(1...20))
    }

    @Test func `a body that fails after writing leaves nothing behind`() async throws {
        let database = try Self.open()
        let errors = try await Self.together(20, in: database) { number, connection in
            try Self.insert(number, on: connection)
            if number % 7 == 0 { throw Odd() }
        }
        #expect(errors.keys.sorted() == [7, 14])
        #expect(errors.values.allSatisfy { $0 is Odd })
        #expect(try await Self.numbers(database) == (1...20).filter { $0 % 7 != 0 })
    }

    @Test func `a body that fails before writing doesn't undo its group`() async throws {
        let database = try Self.open()
        let errors = try await Self.together(20, in: database) { number, connection in
            if number % 7 == 0 { throw Odd() }
            try Self.insert(number, on: connection)
        }
        #expect(errors.keys.sorted() == [7, 14])
        #expect(try await Self.numbers(database) == (1...20).filter { $0 % 7 != 0 })
        #expect(database.statistics?.dissolvedGroups == 0)
    }

    @Test func `a group whose lock is taken for long runs one by one`() async throws {
        let database = try Self.open {
            $0.groupLockTimeoutMilliseconds = 20
            $0.connections = 2
        }
        try await database.write { try Self.insert(0, on: $0) }
        let (hasLocked, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        async let holder: Void = database.write { connection in
            try connection.execute("UPDATE numbers SET n = n WHERE n = 0")
            hasLocked.signal()
            mayEnd.wait()
        }
        await onOwnThread { hasLocked.wait() }
        let errors = try await Self.together(5, in: database) { number, connection in
            // The group gives up after its time, and the body alone ends the wait.
            if (database.statistics?.dissolvedGroups ?? 0) > 0 { mayEnd.signal() }
            try connection.execute("UPDATE numbers SET n = n WHERE n = 0")
            try Self.insert(number, on: connection)
        }
        mayEnd.signal()
        try await holder
        #expect(errors.isEmpty)
        #expect(try await Self.numbers(database) == Array(0...5))
    }

    @Test func `a commit whose answer is lost is unknown for the whole group`() async throws {
        let server = try EphemeralPostgreSQL.shared()
        let url = try server.makeDatabase()
        let armed = Mutex(false)
        var options = DatabaseOptions.forTests
        options.connections = 1
        options.serverGroupMilliseconds = 10_000
        options.faults = { point in
            guard point == .beforeCommit, armed.withLock({ $0 }) else { return }
            try server.disconnectAll(from: url)
        }
        let database = try Database(DatabaseLocation(url: url), options: options)
        try database.migrate(Self.schema)
        let errors = try await Self.together(3, in: database) { number, connection in
            armed.withLock { $0 = true }
            try Self.insert(number, on: connection)
            // What is awaited is known to have happened before the commit.
            _ = try connection.first("SELECT COUNT(*) FROM numbers") { try $0.integer(0) }
        }
        #expect(errors.count == 3)
        for error in errors.values { #expect(error as? StorageError == StorageError(.commitUnknown, "", "")) }
        armed.withLock { $0 = false }
        #expect(try await Self.numbers(database).isEmpty)
    }

    @Test func `a connection that is lost after a body has failed is replaced`() async throws {
        let server = try EphemeralPostgreSQL.shared()
        let url = try server.makeDatabase()
        var options = DatabaseOptions.forTests
        options.connections = 1
        let database = try Database(DatabaseLocation(url: url), options: options)
        try database.migrate(Self.schema)
        try await database.write { try Self.insert(1, on: $0) }
        await #expect(throws: StorageError(.constraint, "", "")) {
            try await database.write { try Self.insert(1, on: $0) }
        }
        try server.disconnectAll(from: url)
        try await database.write { try Self.insert(2, on: $0) }
        #expect(try await Self.numbers(database) == [1, 2])
    }

    @Test func `writes go on while all readers are busy, and reads while all writers are`() async throws {
        let database = try Self.open { $0.readConnections = 1 }
        let (hasBegun, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        async let reading: Void = database.read { _ in
            hasBegun.signal()
            mayEnd.wait()
        }
        await onOwnThread { hasBegun.wait() }
        try await database.write { try Self.insert(1, on: $0) }
        mayEnd.signal()
        try await reading
        async let writing: Void = database.write { _ in
            hasBegun.signal()
            mayEnd.wait()
        }
        await onOwnThread { hasBegun.wait() }
        #expect(try await Self.numbers(database) == [1])
        try await database.write(isUrgent: true) { try Self.insert(2, on: $0) }
        mayEnd.signal()
        try await writing
    }

    @Test func `statements for their effect and the beginning cost no round trip`() async throws {
        let database = try Self.open()
        // Prepares the statements.
        try await database.write { try Self.insert(1, on: $0) }
        let before = try #require(database.statistics)
        try await database.write { connection in
            for number in 2...5 as ClosedRange<Int64> { try Self.insert(number, on: connection) }
        }
        let after = try #require(database.statistics)
        #expect(after.roundTrips - before.roundTrips == 1)
        #expect(after.statements - before.statements == 6)
    }
}
