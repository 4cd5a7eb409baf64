import Dispatch
import Synchronization
import TestSupport
import Testing

@testable import PerennialStorage

/// One deadline bounds all that a request waits for: queues, locks and statements.
struct RequestDeadlineTests {
    private static func open(
        _ location: DatabaseLocation, _ change: (inout DatabaseOptions) -> Void = { _ in }
    ) throws -> Database {
        var options = DatabaseOptions.forTests
        change(&options)
        let database = try Database(location, options: options)
        try database.migrate([Jobs.migration])
        return database
    }

    /// Returns the session's limit for locks in milliseconds.
    private static func lockTimeout(_ connection: any Connection) throws -> Int64? {
        try connection.first("SELECT CAST(setting AS BIGINT) FROM pg_settings WHERE name = 'lock_timeout'") {
            try $0.integer(0)
        }
    }

    @Test(arguments: Engine.allCases)
    func `a task isn't run when the time of its request is over`(engine: Engine) async throws {
        let database = try Self.open(engine.makeLocation())
        let ran = Mutex(false)
        await #expect(throws: StorageError(.unresponsive, "", "")) {
            try await RequestDeadline.$current.withValue(RequestDeadline(milliseconds: 0)) {
                try await database.write { _ in ran.withLock { $0 = true } }
            }
        }
        await #expect(throws: StorageError(.unresponsive, "", "")) {
            try await RequestDeadline.$current.withValue(RequestDeadline(milliseconds: 0)) {
                try await database.read { _ in ran.withLock { $0 = true } }
            }
        }
        #expect(!ran.withLock { $0 })
    }

    @Test(arguments: [Engine.sqlite, .sqliteInMemory])
    func `a task that waits in the queue until the deadline isn't run`(engine: Engine) async throws {
        let database = try Self.open(engine.makeLocation())
        let deadline = RequestDeadline(milliseconds: 200)
        let begun = AsyncStream<Void>.makeStream()
        async let first: Void = database.write { _ in
            begun.continuation.yield()
            while !deadline.isOver { _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .milliseconds(10)) }
        }
        for await _ in begun.stream { break }
        await #expect(throws: StorageError(.unresponsive, "", "")) {
            try await RequestDeadline.$current.withValue(deadline) {
                try await database.write { try $0.execute("UPDATE jobs SET done = done + 1") }
            }
        }
        try await first
        #expect(try await Jobs.done(in: database) == 0)
    }

    @Test(arguments: Engine.allCases)
    func `scans and long transactions lift the deadline of their request`(engine: Engine) async throws {
        let database = try Self.open(engine.makeLocation())
        for isScan in [true, false] {
            let deadline = RequestDeadline(milliseconds: 0)
            try await RequestDeadline.$current.withValue(deadline) {
                if isScan {
                    try await database.scan { _ in }
                } else {
                    try await database.write(timeout: .long) { _ in }
                }
                try await database.read { _ in }
                try await database.write { _ in }
            }
            #expect(deadline.millisecondsLeft == nil)
        }
    }

    @Test func `a lock is waited for only until the deadline`() async throws {
        let location = try Engine.postgres.makeLocation()
        let limit = 120_000
        let database = try Self.open(location) {
            $0.connections = 1
            $0.lockTimeoutMilliseconds = limit
            $0.statementTimeoutMilliseconds = limit
        }
        let holder = try await LockHolder(at: location) { try $0.execute("UPDATE jobs SET done = 7") }
        let start = ContinuousClock.now
        await #expect(throws: StorageError(.busy, "", "")) {
            try await RequestDeadline.$current.withValue(RequestDeadline(milliseconds: 1_000)) {
                try await database.write { try $0.execute("UPDATE jobs SET done = done + 1") }
            }
        }
        #expect(ContinuousClock.now - start < .milliseconds(limit / 2))
        try await holder.release()
        // The connection has its own limit again.
        #expect(try await database.write { try Self.lockTimeout($0) } == Int64(limit))
        try await database.write { try $0.execute("UPDATE jobs SET done = done + 1") }
    }

    @Test func `a later lock gets the rest of the time, and none without it`() async throws {
        let database = try Self.open(Engine.postgres.makeLocation()) { $0.lockTimeoutMilliseconds = 2_000 }
        // As much time as the limits leave costs no statement.
        let deadline = RequestDeadline(milliseconds: 4_000)
        let limits = Mutex<[Int64?]>([])
        await #expect(throws: StorageError(.busy, "", "")) {
            try await RequestDeadline.$current.withValue(deadline) {
                try await database.write { connection in
                    limits.withLock { $0 = [] }
                    for least in [4_000, 1_000, 0] {
                        while deadline.millisecondsLeft.map({ $0 > least }) ?? false {
                            _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .milliseconds(10))
                        }
                        let limit = try Self.lockTimeout(connection)
                        limits.withLock { $0.append(limit) }
                    }
                }
            }
        }
        let found = limits.withLock { $0.compactMap(\.self) }
        #expect(found.count == 2)
        #expect(found.first == 2_000)
        #expect(found.last.map { $0 <= 1_000 } == true)
    }

    @Test func `of several deadlines the earliest counts that isn't lifted`() {
        let (soon, later, lifted) = (
            RequestDeadline(milliseconds: 1_000), RequestDeadline(milliseconds: 2_000),
            RequestDeadline(milliseconds: 500)
        )
        lifted.lift()
        for deadlines in [[later, soon, nil], [nil, soon, later], [lifted, later, soon], [soon]] {
            #expect(RequestDeadline.earliest(deadlines) === soon)
        }
        #expect(RequestDeadline.earliest([lifted, later]) === later)
        #expect(RequestDeadline.earliest([nil, lifted]) == nil)
        #expect(RequestDeadline.earliest([]) == nil)
    }

    /// A database with one connection, whose own limits never end a wait in these tests.
    private static func patient(_ location: DatabaseLocation) throws -> Database {
        try open(location) {
            $0.connections = 1
            $0.readConnections = 1
            $0.lockTimeoutMilliseconds = limit
            $0.groupLockTimeoutMilliseconds = limit
            $0.statementTimeoutMilliseconds = limit
            $0.serverGroupMilliseconds = limit
        }
    }

    private static let limit = 40_000

    @Test func `look-ups wait until the earliest of their deadlines`() async throws {
        let location = try Engine.postgres.makeLocation()
        let database = try Self.patient(location)
        let holder = try await LockHolder(at: location) { try $0.execute("LOCK TABLE jobs") }
        let start = ContinuousClock.now
        let read = AnnouncedRead("SELECT done FROM jobs WHERE id = 1")
        await #expect(throws: StorageError.self) {
            try await RequestDeadline.$current.withValue(RequestDeadline(milliseconds: 1_000)) {
                try await database.lookUp([read]) { try read.first(on: $0) { try $0.integer(0) } }
            }
        }
        #expect(ContinuousClock.now - start < .milliseconds(Self.limit / 2))
        try await holder.release()
        #expect(try await database.lookUp([read]) { try read.first(on: $0) { try $0.integer(0) } } == 0)
    }

    /// Writes to a locked row within a second.
    private static func late(_ database: Database) -> Task<Void, any Error> {
        Task {
            try await RequestDeadline.$current.withValue(RequestDeadline(milliseconds: 1_000)) {
                _ = try await database.write { try $0.execute("UPDATE jobs SET done = done + 1 WHERE id = 1") }
            }
        }
    }

    @Test func `a group waits for a lock until the earliest of its deadlines`() async throws {
        let location = try Engine.postgres.makeLocation()
        let database = try Self.patient(location)
        let holder = try await LockHolder(at: location) { try $0.execute("UPDATE jobs SET done = 7 WHERE id = 1") }
        let turn = HeldTurn()
        async let held: Void = turn.hold(database)
        await turn.hasBegun()
        let first = Task {
            _ = try await database.write { try $0.execute("UPDATE jobs SET done = done + 1 WHERE id = 2") }
        }
        await database.untilWritesWait(1)
        let second = Self.late(database)
        await database.untilWritesWait(2)
        let start = ContinuousClock.now
        turn.end()
        try await held
        await #expect(throws: StorageError.self) { try await second.value }
        try await first.value
        #expect(ContinuousClock.now - start < .milliseconds(Self.limit / 2))
        try await holder.release()
        #expect(try await Jobs.done(2, in: database) == 1)
    }

    @Test func `a later round of a group brings its requests' deadlines`() async throws {
        let location = try Engine.postgres.makeLocation()
        let database = try Self.patient(location)
        let holder = try await LockHolder(at: location) { try $0.execute("UPDATE jobs SET done = 7 WHERE id = 1") }
        let turn = HeldTurn()
        async let held: Void = turn.hold(database)
        await turn.hasBegun()
        // The first round, without deadlines: its bodies wait until the second round waits.
        let (arrivals, arrived) = AsyncStream.makeStream(of: Void.self)
        let mayEnd = DispatchSemaphore(value: 0)
        let body: @Sendable (any Connection) throws -> Void = { _ in
            arrived.yield()
            mayEnd.wait()
        }
        async let former: Void = database.write(body)
        async let latter: Void = database.write(body)
        await database.untilWritesWait(2)
        turn.end()
        try await held
        for await _ in arrivals { break }
        let start = ContinuousClock.now
        let late = [Self.late(database), Self.late(database)]
        await database.untilWritesWait(2)
        // Also for the bodies that run again by themselves.
        for _ in 1...8 { mayEnd.signal() }
        for write in late { await #expect(throws: StorageError.self) { try await write.value } }
        _ = try await [former, latter]
        #expect(ContinuousClock.now - start < .milliseconds(Self.limit / 2))
        try await holder.release()
        #expect(try await Jobs.done(in: database) == 0)
    }
}
