import Perennial
import PerennialStorage
import TestSupport
import Testing

@testable import PerennialStore

/// Concurrent advances of a manual clock.
struct ClockAdvanceTests {
    private static let day = "P1D"

    private static func lab(
        _ engine: Engine, faults: TestFault? = nil, gate: CommitGate? = nil
    ) async throws -> TestStore {
        let shop = try await TestStore.make(on: engine) { point in
            gate?.reach(point)
            try faults?.reach(point)
        }
        _ = try await shop.registry.makeEnvironment(
            "lab", kind: .production, clock: .manual, now: TestStore.opening.wholeSeconds)
        return try await shop.environment("lab")
    }

    @Test(arguments: Engine.allCases)
    func `eight concurrent one-day advances on two nodes add up to eight days`(engine: Engine) async throws {
        let one = try await Self.lab(engine)
        for number in 0..<20 { _ = try await one.buy("monthly", as: "customer-\(number)") }
        _ = try await one.store.clock.advance(to: Period.month.end(after: TestStore.opening.wholeSeconds) + .days(-3))
        let start = try await one.store.now()
        let two = try await TestStore.open(one.database, "lab", seed: 2)
        let duration = try CalendarDuration(iso8601: Self.day)
        let moves = try await withThrowingTaskGroup(of: ClockAdvance.self) { tasks in
            for number in 0..<8 {
                let node = number.isMultiple(of: 2) ? one.store : two.store
                tasks.addTask { try await node.clock.advance(by: duration) }
            }
            return try await tasks.reduce(into: []) { $0.append($1) }
        }
        #expect(try await one.store.now() == start + .days(8))
        #expect(moves.map(\.reached).sorted() == (1...8).map { start + .days($0) })
        #expect(moves.map(\.events).reduce(0, +) == 20)
        // Nothing of it is left: the next advance counts from the clock's time.
        #expect(try await two.store.clock.advance(by: duration).reached == start + .days(9))
    }

    @Test func `an advance that failed is not added to the next`() async throws {
        let fault = TestFault()
        let lab = try await Self.lab(.sqliteInMemory, faults: fault)
        _ = try await lab.buy("monthly", as: "ann")
        let duration = try CalendarDuration(iso8601: "P2M")
        fault.inject(at: .beforeCommit, after: 1)
        await #expect(throws: (any Error).self) { try await lab.store.clock.advance(by: duration) }
        let stands = try await lab.store.now()
        #expect(try await lab.store.clock.advance(by: duration).reached == duration.end(after: stands))
    }

    /// Leaves what a node leaves that is killed in the middle of an advance: its lease, and a clock that matches the work
    /// done.
    private static func killNode(of lab: TestStore, after days: Int64) async throws -> Instant {
        let lease = try #require(try await ClockLease.take(lab.store.clock.context))
        let reached = TestStore.opening.wholeSeconds + .days(days)
        try await lab.database.write { try lease.moveClock(to: reached, on: $0) }
        return reached
    }

    @Test(arguments: Engine.allCases)
    func `after a node is killed, the next advance counts from the clock's time`(
        engine: Engine
    ) async throws {
        let lab = try await Self.lab(engine)
        let reached = try await Self.killNode(of: lab, after: 10)
        // The dead node's heartbeat stands still.
        let other = StoreRegistry(
            StoreDependencies(
                database: lab.database, signing: try TestSigning.shared,
                wallClock: { [clock = lab.clock] in clock.now },
                randomBytes: SeededBytes(seed: 2).bytes,
                leasePollInterval: { [clock = lab.clock] in clock.advance(by: .seconds(1)) }, logger: TestStore.quiet))
        let node = try #require(try await other.store(named: "lab"))
        let moved = try await node.clock.advance(by: try CalendarDuration(iso8601: Self.day))
        #expect(moved.reached == reached + .days(1))
        #expect(lab.clock.now <= TestStore.opening + .seconds(5))
    }

    @Test(arguments: Engine.allCases)
    func `a clock lease acquired without an answer is released`(engine: Engine) async throws {
        let fault = TestFault()
        let lab = try await Self.lab(engine, faults: fault)
        let duration = try CalendarDuration(iso8601: Self.day)
        fault.inject(at: .afterCommit)
        await #expect(throws: TestFault.InjectedError.self) { try await lab.store.clock.advance(by: duration) }
        let moved = try await lab.store.clock.advance(by: duration)
        #expect(moved.reached == TestStore.opening.wholeSeconds + .days(1))
    }

    @Test(arguments: Engine.allCases)
    func `a reset ends the clock lease of a dead node`(engine: Engine) async throws {
        let lab = try await Self.lab(engine)
        let reached = try await Self.killNode(of: lab, after: 10)
        try await lab.store.reset()
        let moved = try await lab.store.clock.advance(by: try CalendarDuration(iso8601: Self.day))
        #expect(moved.reached == reached + .days(1))
    }

    @Test(arguments: Engine.allCases)
    func `a node suspended beyond its clock lease changes nothing`(engine: Engine) async throws {
        let gate = CommitGate()
        let lab = try await Self.lab(engine, gate: gate)
        _ = try await lab.buy("monthly", as: "ann")
        // Its first batch is held, as by a suspended machine; meanwhile an operator resets the environment.
        gate.arm(after: 1)
        let advance = Task { try await lab.store.clock.advance(by: try CalendarDuration(iso8601: "P100Y")) }
        await gate.untilReached()
        async let end: Void = lab.database.write { [id = lab.store.environment.id] in
            try LeasesTable.revoke(LeasesTable.Key(.clock, id), on: $0)
        }
        gate.open()
        try await end
        await #expect(throws: StorageError(.busy, "", "")) { try await advance.value }
        let stands = try await lab.store.now()
        #expect(stands < TestStore.opening + .days(36_500))
        let next = try await lab.store.clock.advance(by: try CalendarDuration(iso8601: Self.day))
        #expect(next.reached == stands + .days(1))
    }

    @Test(arguments: Engine.allCases)
    func `a cancelled advance leaves the clock where the work is done`(
        engine: Engine
    ) async throws {
        let gate = CommitGate()
        let lab = try await Self.lab(engine, gate: gate)
        _ = try await lab.buy("monthly", as: "ann")
        gate.arm(after: 1)
        let advance = Task { try await lab.store.clock.advance(by: try CalendarDuration(iso8601: "P100Y")) }
        await gate.untilReached()
        advance.cancel()
        gate.open()
        await #expect(throws: CancellationError.self) { try await advance.value }
        let stands = try await lab.store.now()
        #expect(stands < TestStore.opening + .days(36_500))
        let next = try await lab.store.clock.advance(by: try CalendarDuration(iso8601: Self.day))
        #expect(next.reached == stands + .days(1))
    }

    @Test func `the clock ends with the year 9999`() async throws {
        let lab = try await Self.lab(.sqliteInMemory)
        let duration = try CalendarDuration(iso8601: "P9000Y")
        await #expect(throws: StoreError(.malformed, "", "")) { try await lab.store.clock.advance(by: duration) }
        await #expect(throws: StoreError(.malformed, "", "")) {
            try await lab.store.clock.advance(to: .endOfTime + 1)
        }
        #expect(try await lab.store.now() == TestStore.opening.wholeSeconds)
    }
}
