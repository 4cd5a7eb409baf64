import Foundation
import Perennial
import PerennialStorage
import Synchronization
import TestSupport
import Testing

@testable import PerennialStore

/// Registering measures the clock before a store dates anything, also if the database is slow.
struct NodeClockTests {
    /// Registers a node of a database that answers slowly.
    ///
    /// - Parameters:
    ///   - ahead: The milliseconds by which the machine's clock is ahead.
    ///   - delays: The milliseconds that the first answers with the server's time take; the others come at once.
    /// - Returns: The node's clock and the node.
    private static func register(
        ahead: Int64, _ delays: [Int64]
    ) async throws -> (clock: NodeClock, node: NodeMembership) {
        let times = Mutex((elapsed: Int64(0), delays: delays[...]))
        var options = DatabaseOptions.forTests
        options.onSend = { statement in
            guard statement.text.contains("clock_timestamp") else { return }
            times.withLock { times in
                times.elapsed += times.delays.popFirst() ?? 0
            }
        }
        let clock = NodeClock { Instant(Date()) + ahead }
        let node = NodeMembership(
            database: try Engine.postgres.makeDatabase(options: options), NodeDescription(),
            wallClock: { Instant(Date()) }, clock: clock, elapsed: { times.withLock { $0.elapsed } },
            logger: TestStore.quiet)
        try await node.register()
        return (clock, node)
    }

    private static let slow: Int64 = 3_000

    @Test(arguments: 0..<NodeMembership.maximumMeasurements)
    func `a clock an hour ahead is corrected as soon as an answer comes in time`(slow: Int) async throws {
        let (clock, _) = try await Self.register(ahead: 3_600_000, Array(repeating: Self.slow, count: slow))
        #expect((clock.now() - Instant(Date())).magnitude < 1_000)
    }

    @Test func `of slow answers the fastest corrects a clock`() async throws {
        let (clock, _) = try await Self.register(ahead: 3_600_000, [5_000, 2_400, 6_000, 4_000, 5_000])
        // Half of the answer's time isn't known, and it didn't pass here.
        #expect((clock.now() - Instant(Date())).magnitude >= 1_100)
        #expect((clock.now() - Instant(Date())).magnitude < 1_900)
    }

    @Test(arguments: [1, NodeMembership.maximumMeasurements])
    func `a slow answer doesn't correct a clock that is right`(slow: Int) async throws {
        let (clock, node) = try await Self.register(ahead: 0, Array(repeating: Self.slow, count: slow))
        #expect((clock.now() - Instant(Date())).magnitude < 1_000)
        #expect(node.clockDifference.magnitude < 1_000)
    }

    @Test func `the server's time is that of the middle of the question`() throws {
        let answered = TestStore.opening + 4_000
        let node = NodeMembership(
            database: try Engine.sqliteInMemory.makeDatabase(), NodeDescription(), wallClock: { answered }, clock: nil,
            elapsed: { 4_000 }, logger: TestStore.quiet)
        #expect(node.measureClock(TestStore.opening + 2_000, since: 0).difference == 0)
        let late = node.measureClock(TestStore.opening, since: 3_000)
        #expect(late.difference == 3_500)
        #expect(late.taken == 1_000)
    }
}
