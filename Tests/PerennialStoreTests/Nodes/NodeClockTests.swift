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
    ///   - slow: The number of answers with the server's time that take three seconds.
    /// - Returns: The node's clock and the node.
    private static func register(ahead: Int64, slow: Int) async throws -> (clock: NodeClock, node: NodeMembership) {
        let times = Mutex((elapsed: Int64(0), slow: slow))
        var options = DatabaseOptions.forTests
        options.onSend = { statement in
            guard statement.text.contains("clock_timestamp") else { return }
            times.withLock { times in
                guard times.slow > 0 else { return }
                times = (times.elapsed + 3_000, times.slow - 1)
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

    @Test(arguments: [0, 1, 3, 1_000])
    func `a clock an hour ahead is corrected by the registration`(slow: Int) async throws {
        let (clock, _) = try await Self.register(ahead: 3_600_000, slow: slow)
        // Half of the slow answer's time isn't known.
        #expect((clock.now() - Instant(Date())).magnitude < 30_000)
    }

    @Test(arguments: [1, 1_000])
    func `a slow answer doesn't correct a clock that is right`(slow: Int) async throws {
        let (clock, node) = try await Self.register(ahead: 0, slow: slow)
        #expect((clock.now() - Instant(Date())).magnitude < 1_000)
        #expect(node.clockDifference.magnitude < 1_000)
    }
}
