import Perennial
import PerennialStorage
import TestSupport
import Testing

@testable import PerennialStore

/// A manual clock that several move at once.
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
    func `eight that move the clock by a day, on two nodes, move it by eight days`(engine: Engine) async throws {
        let one = try await Self.lab(engine)
        for number in 0..<20 { _ = try await one.buy("monthly", as: "customer-\(number)") }
        _ = try await one.store.advanceClock(to: Period.month.end(after: TestStore.opening.wholeSeconds) + .days(-3))
        let start = try await one.store.now()
        let two = try await TestStore.open(one.database, "lab", seed: 2)
        let duration = try CalendarDuration(iso8601: Self.day)
        let moves = try await withThrowingTaskGroup(of: ClockAdvance.self) { tasks in
            for number in 0..<8 {
                let node = number.isMultiple(of: 2) ? one.store : two.store
                tasks.addTask { try await node.advanceClock(by: duration) }
            }
            return try await tasks.reduce(into: []) { $0.append($1) }
        }
        #expect(try await one.store.now() == start + .days(8))
        #expect(moves.map(\.reached).sorted() == (1...8).map { start + .days($0) })
        #expect(moves.map(\.events).reduce(0, +) == 20)
        // Nothing of it is left: the next day is counted from where the clock stands.
        #expect(try await two.store.advanceClock(by: duration).reached == start + .days(9))
    }

    @Test func `a way that failed is not counted in the next`() async throws {
        let fault = TestFault()
        let lab = try await Self.lab(.sqliteInMemory, faults: fault)
        _ = try await lab.buy("monthly", as: "ann")
        let duration = try CalendarDuration(iso8601: "P2M")
        fault.strike(at: .beforeCommit, after: 1)
        await #expect(throws: (any Error).self) { try await lab.store.advanceClock(by: duration) }
        let stands = try await lab.store.now()
        #expect(try await lab.store.advanceClock(by: duration).reached == duration.end(after: stands))
    }

    /// What a node leaves that was killed in the middle of an advance: the right to move the clock, and a clock that stands
    /// where the work is done.
    private static func killNode(of lab: TestStore, after days: Int64) async throws -> Instant {
        let claim = try #require(try await ClockClaim.take(in: lab.store))
        let reached = TestStore.opening.wholeSeconds + .days(days)
        try await lab.database.write { try claim.moveClock(to: reached, on: $0) }
        return reached
    }

    @Test(arguments: Engine.allCases)
    func `after a node was killed in the middle, the next day counts from where the clock stands`(
        engine: Engine
    ) async throws {
        let lab = try await Self.lab(engine)
        let reached = try await Self.killNode(of: lab, after: 10)
        // The right of a node that is gone ends by itself.
        let other = StoreRegistry(
            database: lab.database, signing: try TestSigning.shared, wallClock: { [clock = lab.clock] in clock.now },
            randomBytes: SeededBytes(seed: 2).bytes,
            turnPause: { [clock = lab.clock] in clock.advance(by: .seconds(1)) }, logger: TestStore.quiet)
        let node = try #require(try await other.store(named: "lab"))
        let moved = try await node.advanceClock(by: try CalendarDuration(iso8601: Self.day))
        #expect(moved.reached == reached + .days(1))
        #expect(lab.clock.now <= TestStore.opening + ClockClaim.length + .seconds(1))
    }

    @Test(arguments: Engine.allCases)
    func `a right that was taken though no answer came is given back`(engine: Engine) async throws {
        let fault = TestFault()
        let lab = try await Self.lab(engine, faults: fault)
        let duration = try CalendarDuration(iso8601: Self.day)
        fault.strike(at: .afterCommit)
        await #expect(throws: TestFault.Struck.self) { try await lab.store.advanceClock(by: duration) }
        let moved = try await lab.store.advanceClock(by: duration)
        #expect(moved.reached == TestStore.opening.wholeSeconds + .days(1))
    }

    @Test(arguments: Engine.allCases)
    func `a reset ends the right of a node that is gone`(engine: Engine) async throws {
        let lab = try await Self.lab(engine)
        let reached = try await Self.killNode(of: lab, after: 10)
        try await lab.store.reset()
        let moved = try await lab.store.advanceClock(by: try CalendarDuration(iso8601: Self.day))
        #expect(moved.reached == reached + .days(1))
    }

    @Test(arguments: Engine.allCases)
    func `a node that slept for longer than its right lasts moves nothing any more`(engine: Engine) async throws {
        let gate = CommitGate()
        let lab = try await Self.lab(engine, gate: gate)
        _ = try await lab.buy("monthly", as: "ann")
        // Its first batch is held, as by a machine that sleeps; meanwhile an operator resets the environment.
        gate.arm(after: 1)
        let advance = Task { try await lab.store.advanceClock(by: try CalendarDuration(iso8601: "P100Y")) }
        await gate.untilReached()
        async let end: Void = lab.database.write { [id = lab.store.environment.id] in
            try EnvironmentsTable.endClockClaim(id, on: $0)
        }
        gate.open()
        try await end
        await #expect(throws: StorageError(.busy, "", "")) { try await advance.value }
        let stands = try await lab.store.now()
        #expect(stands < TestStore.opening + .days(36_500))
        let next = try await lab.store.advanceClock(by: try CalendarDuration(iso8601: Self.day))
        #expect(next.reached == stands + .days(1))
    }

    @Test(arguments: Engine.allCases)
    func `an advance that is cancelled ends where the work is done, and the next counts from there`(
        engine: Engine
    ) async throws {
        let gate = CommitGate()
        let lab = try await Self.lab(engine, gate: gate)
        _ = try await lab.buy("monthly", as: "ann")
        gate.arm(after: 1)
        let advance = Task { try await lab.store.advanceClock(by: try CalendarDuration(iso8601: "P100Y")) }
        await gate.untilReached()
        advance.cancel()
        gate.open()
        await #expect(throws: CancellationError.self) { try await advance.value }
        let stands = try await lab.store.now()
        #expect(stands < TestStore.opening + .days(36_500))
        let next = try await lab.store.advanceClock(by: try CalendarDuration(iso8601: Self.day))
        #expect(next.reached == stands + .days(1))
    }

    @Test func `the clock ends with the year 9999`() async throws {
        let lab = try await Self.lab(.sqliteInMemory)
        let duration = try CalendarDuration(iso8601: "P9000Y")
        await #expect(throws: StoreError(.malformed, "", "")) { try await lab.store.advanceClock(by: duration) }
        await #expect(throws: StoreError(.malformed, "", "")) {
            try await lab.store.advanceClock(to: .endOfTime + 1)
        }
        #expect(try await lab.store.now() == TestStore.opening.wholeSeconds)
    }
}
