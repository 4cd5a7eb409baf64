import Perennial
import PerennialStorage
import TestSupport
import Testing

/// Journals of several apps on one node, of which one can't be appended to for a while.
struct JournalFairnessTests {
    private static func append(app: Int64, on connection: any Connection) throws -> Int64 {
        let entry = JournalEntry(.purchased, at: Instant(milliseconds: 0), accountID: Account.ID(rawValue: 1))
        return try JournalTable.append([entry], app: app, .sandbox, on: connection)
    }

    /// Appends to the journal of app 1, and locks its head.
    @Sendable private static func lockHead(_ connection: any Connection) throws {
        _ = try JournalTable.number(of: append(app: 1, on: connection), on: connection)
    }

    private static func positions(app: Int64, in database: Database) async throws -> [Int64] {
        try await database.read {
            try JournalTable.entriesWithoutPostings(after: 0, limit: 100, app: app, .sandbox, on: $0).map(\.position)
        }
    }

    @Test func `a journal whose head is held stops no other journal`() async throws {
        var options = DatabaseOptions.forTests
        options.headLockTimeoutMilliseconds = 50
        options.lockTimeoutMilliseconds = 50_000
        options.statementTimeoutMilliseconds = 60_000
        let database = try Engine.postgres.makeDatabase(options: options)
        let turn = HeldTurn()
        async let holder: Void = turn.hold(database, isUrgent: true, Self.lockHead)
        await turn.hasBegun()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<12 {
                group.addTask { try await database.write { _ = try Self.append(app: 1, on: $0) } }
            }
            while let statistics = database.statistics, statistics.lockTimeouts < 1 { await Task.yield() }
            // More threads than the node has would wait for the head.
            for _ in 0..<5 { try await database.write { _ = try Self.append(app: 2, on: $0) } }
            #expect(try await Self.positions(app: 2, in: database) == Array(1...5))
            #expect(try await Self.positions(app: 1, in: database).isEmpty)
            turn.end()
            try await group.waitForAll()
        }
        try await holder
        #expect(try await Self.positions(app: 1, in: database) == Array(1...13))
    }

    @Test func `a commit that waits for a journal's head beyond its limit runs alone`() async throws {
        var options = DatabaseOptions.forTests
        options.headLockTimeoutMilliseconds = 1
        let database = try Engine.postgres.makeDatabase(options: options)
        let turn = HeldTurn()
        async let holder: Void = turn.hold(database, isUrgent: true, Self.lockHead)
        await turn.hasBegun()
        async let waiting: Void = database.write { _ = try Self.append(app: 1, on: $0) }
        try await database.untilWaiting(1)
        while let statistics = database.statistics, statistics.lockTimeouts < 1 { await Task.yield() }
        turn.end()
        try await waiting
        try await holder
        #expect(try await Self.positions(app: 1, in: database) == [1, 2])
        #expect(database.statistics?.lockTimeouts == 1)
    }
}
