import Perennial
import PerennialStorage
import TestSupport
import Testing

@testable import PerennialStore

/// A node that stops or is cut off in the middle of a request holds what the part that has arrived has locked. None of the server's
/// time limits counts there.
struct StalledSessionTests {
    private static let lockHeads = ["BEGIN", "UPDATE journal_heads SET position = position + 0"]

    private static func isConnected(_ process: Int64, _ database: Database) async throws -> Bool {
        try await database.read { connection in
            try connection.first("SELECT 1 FROM pg_stat_activity WHERE pid = $1", [.integer(process)]) { _ in true }
                ?? false
        }
    }

    /// Waits until a session has been in the middle of its request for so long.
    private static func untilStalled(_ process: Int64, milliseconds: Int64, _ database: Database) async throws {
        while try await database.read({ connection in
            try connection.first(
                """
                SELECT 1 FROM pg_stat_activity WHERE pid = $1 AND state = 'active' AND wait_event = 'ClientRead'
                AND state_change < clock_timestamp() - CAST($2 AS DOUBLE PRECISION) * INTERVAL '1 millisecond'
                """, [.integer(process), .integer(milliseconds)]
            ) { _ in true } ?? false
        }) == false { await Task.yield() }
    }

    @Test(.timeLimit(.minutes(2))) func `sales go on five seconds after a node was cut off in a request`() async throws
    {
        let location = try Engine.postgres.makeLocation()
        var options = DatabaseOptions.forTests
        // A sale fails that waits for longer.
        options.lockTimeoutMilliseconds = 5_000
        let database = try Database(location, options: options)
        try database.migrate()
        let log = LineLog()
        let node = try await TestStore.open(database, logger: log.logger)
        try await node.buy("film.roll", as: "ann")
        let stalled = try InterruptedRequest(at: location, Self.lockHeads)
        let beating = Task {
            while !Task.isCancelled { try await node.registry.nodes.beat() }
        }
        defer { beating.cancel() }
        try await node.buy("film.roll", as: "ben")
        #expect(try await !Self.isConnected(stalled.process, database))
        #expect(database.statistics?.endedSessions == 1)
        #expect(log.lines.contains { $0.hasPrefix("warning") && $0.contains("middle of a request") })
    }

    @Test func `sessions of other programs and those without locks go on`() async throws {
        let location = try Engine.postgres.makeLocation()
        let database = try Database(location, options: .forTests)
        try database.migrate()
        let spared = [
            try InterruptedRequest(at: location, application: "psql", Self.lockHeads),
            try InterruptedRequest(at: location, ["BEGIN", "SELECT 1 FROM journal_heads"]),
        ]
        let stalled = try InterruptedRequest(
            at: location, ["BEGIN", "SELECT 1 FROM leases FOR UPDATE", "SELECT 1 FROM customers FOR UPDATE"])
        for session in spared + [stalled] {
            try await Self.untilStalled(session.process, milliseconds: 100, database)
        }
        let ended = try await database.endStalledSessions(after: 100)
        #expect(ended.map(\.process) == [stalled.process])
        #expect(ended.map(\.tables) == ["customers, leases"])
        for session in spared { #expect(try await Self.isConnected(session.process, database)) }
        // Late parts of requests that are on their way are waited for.
        let slow = try InterruptedRequest(at: location, Self.lockHeads)
        #expect(try await database.endStalledSessions().isEmpty)
        #expect(try await Self.isConnected(slow.process, database))
    }
}
