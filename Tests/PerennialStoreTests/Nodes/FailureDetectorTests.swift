import Perennial
import PerennialStorage
import Synchronization
import Testing

@testable import PerennialStore

/// Dead nodes are found by heartbeats that stand still.
struct FailureDetectorTests {
    private static func node(_ id: Int64, beat: Int64) -> NodesTable.Node {
        NodesTable.Node(
            id: id, host: "host", process: id, version: "1", migrations: 33, started: Instant(milliseconds: 0),
            beat: beat)
    }

    @Test func `a node counts as dead after three seconds without a heartbeat`() {
        var detector = FailureDetector()
        var found: [Int64] = []
        for time in stride(from: Int64(0), through: 4_000, by: 500) where found.isEmpty {
            let dead = detector.observe([Self.node(1, beat: time), Self.node(2, beat: 7)], at: time)
            if !dead.isEmpty { found = dead.map(\.id) + [time] }
        }
        #expect(found == [2, 3_000])
    }

    @Test func `a heartbeat ends the silence`() {
        var detector = FailureDetector()
        for time in stride(from: Int64(0), through: 20_000, by: 500) {
            // It grows every two seconds only.
            #expect(detector.observe([Self.node(1, beat: time / 2_000)], at: time).isEmpty)
        }
        #expect(detector.silence(of: 1) <= 1_500)
    }

    /// A node that was suspended for a minute, or cut off from the database with all others, has seen nothing meanwhile.
    @Test func `time without observations isn't silence`() {
        var detector = FailureDetector()
        #expect(detector.observe([Self.node(1, beat: 1)], at: 0).isEmpty)
        #expect(detector.observe([Self.node(1, beat: 1)], at: 60_000).isEmpty)
        #expect(detector.observe([Self.node(1, beat: 2)], at: 60_500).isEmpty)
        #expect(detector.silence(of: 1) == 0)
    }

    @Test func `a clock that goes back makes no node dead`() {
        var detector = FailureDetector()
        for time: Int64 in [5_000, 1_000, 1_500, 900, 1_400] {
            #expect(detector.observe([Self.node(1, beat: 1)], at: time).isEmpty)
        }
    }

    @Test func `a node that registers again begins anew`() {
        var detector = FailureDetector()
        for time in stride(from: Int64(0), through: 2_500, by: 500) {
            _ = detector.observe([Self.node(1, beat: 1)], at: time)
        }
        #expect(detector.observe([], at: 3_000).isEmpty)
        #expect(detector.observe([Self.node(1, beat: 1)], at: 3_500).isEmpty)
    }

    @Test func `a clock is corrected beyond two seconds only`() {
        let machine = Instant(milliseconds: 10_000_000)
        let clock = NodeClock({ machine }, elapsed: { 0 })
        #expect(!clock.correct(by: 1_900))
        #expect(clock.now() == machine)
        #expect(clock.correct(by: 3_600_000))
        #expect(clock.now() == machine + -3_600_000)
        // The error of a measurement doesn't move the time.
        #expect(!clock.correct(by: 3_600_900))
        #expect(clock.now() == machine + -3_600_000)
        // The machine's clock was set.
        #expect(clock.correct(by: 300))
        #expect(clock.now() == machine)
        #expect(clock.correct(by: -5_000))
        #expect(clock.now() == machine + 5_000)
    }

    @Test(arguments: [3_600_000, -3_600_000] as [Int64])
    func `a clock that jumps between two measurements goes on as before`(jump: Int64) {
        let start = Instant(milliseconds: 10_000_000)
        let times = Mutex((machine: start, elapsed: Int64(0)))
        let clock = NodeClock({ times.withLock { $0.machine } }, elapsed: { times.withLock { $0.elapsed } })
        clock.correct(by: 5_000)
        times.withLock { $0 = (start + 400 + jump, 400) }
        #expect(clock.now() == start + 400 + -5_000)
        // The next measurement finds the difference: the time doesn't jump then either.
        #expect(clock.correct(by: 5_000 + jump))
        #expect(clock.now() == start + 400 + -5_000)
        times.withLock { $0 = (start + 900 + jump, 900) }
        #expect(clock.now() == start + 900 + -5_000)
        // Small steps are the machine's own corrections.
        times.withLock { $0.machine = start + 1_900 + jump }
        #expect(clock.now() == start + 1_900 + -5_000)
    }
}
