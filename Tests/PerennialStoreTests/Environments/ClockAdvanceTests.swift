import Perennial
import PerennialStorage
import PerennialStore
import TestSupport
import Testing

/// A manual clock that several move at once.
struct ClockAdvanceTests {
    private static let day = "P1D"

    private static func lab(_ engine: Engine, faults: TestFault? = nil) async throws -> TestStore {
        let shop = try await TestStore.make(on: engine, faults: { try faults?.reach($0) })
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
