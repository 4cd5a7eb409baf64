import Perennial
import PerennialStorage
import PerennialStore
import Synchronization
import TestSupport
import Testing

/// A thousand environments in one process: one for each run of a test suite.
@Suite(.timeLimit(.minutes(5)))
struct ManyEnvironmentsTests {
    private static let count = 1000
    private static let start = Instant(milliseconds: 1_738_317_600_000)  // 2025-01-31T10:00:00Z

    /// The result of one environment.
    private struct Life: Sendable {
        var number: Int
        var sold: TransactionID
        var now: Instant
        var entries: [JournalEntry]
    }

    /// Goal: environments with their own time and the same account names run in parallel and don't affect each other.
    @Test func `a thousand environments are independent of each other`() async throws {
        let shop = try await TestStore.make()
        let lives = try await withThrowingTaskGroup(of: Life.self) { group in
            for number in 0..<Self.count { group.addTask { try await Self.live(number, in: shop) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(Set(lives.map(\.sold)).count == Self.count)
        for life in lives {
            let months = life.number % 5
            #expect(life.now == Self.end(life.number))
            #expect(life.entries.count == 1 + months, "environment \(life.number)")
            #expect(Set(life.entries.map(\.originalID)) == [life.sold])
        }
        #expect(try await shop.registry.environments().count == Self.count + 2)
    }

    private static func end(_ number: Int) -> Instant {
        Period.month.end(after: start, number: number % 5) + Int64(number % 7)
    }

    private static func live(_ number: Int, in shop: TestStore) async throws -> Life {
        _ = try await shop.registry.makeEnvironment("e\(number)", kind: .production, clock: .manual, now: start)
        let environment = try await shop.environment("e\(number)")
        let sold = try await environment.buy("monthly", as: "ann", key: "k")
        _ = try await environment.store.clock.advance(to: end(number))
        return Life(
            number: number, sold: sold.id, now: try await environment.store.now(),
            entries: try await environment.journal().map(\.entry))
    }

    /// Goal: one loop for all of them, which skips manual clocks.
    @Test func `one scheduler serves all environments`() async throws {
        let shop = try await TestStore.make()
        for number in 0..<50 {
            _ = try await shop.registry.makeEnvironment(
                "e\(number)", kind: .production, clock: number.isMultiple(of: 2) ? .real : .manual, now: nil)
            _ = try await shop.environment("e\(number)").buy("monthly", as: "ann")
        }
        shop.clock.advance(by: .days(40))
        let pauses = Mutex(0)
        let watch = RenewalScheduler(
            registry: shop.registry,
            pause: {
                guard
                    pauses.withLock({
                        $0 += 1; return $0
                    }) < 2
                else { throw CancellationError() }
            }, logger: TestStore.quiet)
        await watch.run()
        #expect(pauses.withLock { $0 } == 2)
        for number in 0..<50 {
            let entries = try await shop.environment("e\(number)").journal().count
            #expect(entries == (number.isMultiple(of: 2) ? 2 : 1), "environment \(number)")
        }
    }
}
