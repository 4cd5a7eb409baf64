import Dispatch
import PerennialStorage
import Synchronization
import TestSupport
import Testing

/// Writes that gather while groups are in flight on PostgreSQL.
struct GatheringTests {
    private static let schema = [
        Migration(number: 1, name: "numbers", statements: ["CREATE TABLE numbers (n BIGINT PRIMARY KEY)"])
    ]

    /// Holds the commits of a number of transactions.
    private final class HeldCommits: Sendable {
        private let remaining = Mutex(0)
        private let mayCommit = DispatchSemaphore(value: 0)
        private let reached: AsyncStream<Void>
        private let continuation: AsyncStream<Void>.Continuation

        init() { (reached, continuation) = AsyncStream.makeStream() }

        func hold(_ count: Int) { remaining.withLock { $0 = count } }

        func reach(_ point: FaultPoint) {
            guard point == .beforeCommit else { return }
            let isHeld = remaining.withLock { remaining in
                guard remaining > 0 else { return false }
                remaining -= 1
                return true
            }
            guard isHeld else { return }
            continuation.yield()
            mayCommit.wait()
        }

        func next() async {
            for await _ in reached { return }
        }

        func open(_ count: Int) {
            for _ in 0..<count { mayCommit.signal() }
        }
    }

    private static func insert(_ number: Int64, in database: Database) async throws {
        try await database.write { try $0.send("INSERT INTO numbers (n) VALUES ($1)", [.integer(number)]) }
    }

    /// Opens a database and runs a body while two of its groups are in flight.
    private static func beside(
        waiting milliseconds: Int, _ body: (Database, _ open: @Sendable () -> Void) async throws -> Void
    ) async throws {
        let commits = HeldCommits()
        var options = DatabaseOptions.forTests
        options.serverGroupWaitMilliseconds = milliseconds
        options.serverCommitWaitMilliseconds = milliseconds
        options.serverGroupMilliseconds = 10_000
        options.faults = { commits.reach($0) }
        let database = try Engine.postgres.makeDatabase(migrations: schema, options: options)
        try await insert(0, in: database)
        commits.hold(2)
        async let first: Void = insert(1, in: database)
        await commits.next()
        async let second: Void = insert(2, in: database)
        await commits.next()
        try await body(database) { commits.open(2) }
        _ = try await (first, second)
    }

    @Test func `writes gather while two groups are in flight`() async throws {
        try await Self.beside(waiting: 60_000) { database, open in
            let before = database.statistics?.commits ?? 0
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 3...42 as ClosedRange<Int64> {
                    group.addTask { try await Self.insert(number, in: database) }
                }
                await database.untilWritesWait(40)
                #expect(database.statistics?.commits == before)
                open()
                try await group.waitForAll()
            }
            // The two that were held, and one or two groups.
            #expect((database.statistics?.commits ?? 0) - before <= 4)
        }
    }

    @Test func `groups that are stuck hold up other writes for a moment only`() async throws {
        try await Self.beside(waiting: 1) { database, open in
            for number in 3...6 as ClosedRange<Int64> { try await Self.insert(number, in: database) }
            open()
            let count = try await database.read { try $0.first("SELECT COUNT(*) FROM numbers") { try $0.integer(0) } }
            #expect((count ?? 0) >= 5)
        }
    }
}
