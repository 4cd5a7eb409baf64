import Perennial
import PerennialDelivery
import PerennialStorage
import Synchronization
import TestSupport
import Testing

/// Reminders of non-renewing terms that end: once for each term.
struct ReminderTests {
    private func reminded(_ world: DeliveryWorld, after position: Int64 = 0) async throws -> [String] {
        try await world.delivery.reminders(after: position, DeliveryWorld.sandbox).map(\.customer)
    }

    @Test(arguments: GrantTests.engines)
    func `a term is reminded of once, when its end is near`(engine: Engine) async throws {
        let world = try DeliveryWorld(engine)
        for (index, (name, date)) in [("ann", "2026-01-05"), ("bob", "2026-01-01")].enumerated() {
            world.store.tell(name, [bought("pass.1month", Int64(index), on: date)])
            _ = try await world.grant(name, world.customer(name))
        }
        #expect(try await world.delivery.remind(within: .days(7)) == 0)
        world.now.value = Instant(seconds: 1_769_385_600)  // 2026-01-26
        #expect(try await world.delivery.remind(within: .days(7)) == 1)
        #expect(try await world.delivery.remind(within: .days(7)) == 0)
        #expect(try await reminded(world) == ["bob"])
        world.now.value = Instant(seconds: 1_769_731_200)  // 2026-01-30
        #expect(try await world.delivery.remind(within: .days(7)) == 1)
        #expect(try await reminded(world) == ["bob", "ann"])
        #expect(try await reminded(world, after: 1) == ["ann"])
    }

    @Test func `nobody is reminded of a term that the next one follows`() async throws {
        let world = try DeliveryWorld()
        world.store.tell("r", [bought("pass.1month", 1), bought("pass.1month", 2, on: "2026-01-10")])
        _ = try await world.grant("r", world.customer("ann"))
        world.now.value = Instant(seconds: 1_769_731_200)  // 2026-01-30
        #expect(try await world.delivery.remind(within: .days(7)) == 0)
        world.now.value = Instant(seconds: 1_772_150_400)  // 2026-02-27
        #expect(try await world.delivery.remind(within: .days(7)) == 1)
    }

    @Test func `a refunded term is not reminded of`() async throws {
        let world = try DeliveryWorld()
        world.store.tell("r", [bought("pass.1month", 1, cancelled: "2026-01-02")])
        _ = try await world.grant("r", world.customer("ann"))
        world.now.value = Instant(seconds: 1_769_731_200)  // 2026-01-30
        #expect(try await world.delivery.remind(within: .days(7)) == 0)
    }

    @Test func `the clock looks once a pause, and stops with it`() async throws {
        let world = try DeliveryWorld()
        world.store.tell("r", [bought("pass.1month", 1)])
        _ = try await world.grant("r", world.customer("ann"))
        let rounds = Mutex(0)
        let clock = ReminderClock(delivery: world.delivery, within: .days(7)) { [now = world.now] in
            now.value = now.value + .days(10)
            let round = rounds.withLock { rounds in
                rounds += 1
                return rounds
            }
            if round == 3 { throw CancellationError() }
        }
        await clock.run()
        // 1, 11 and 21 January: too early all three times.
        #expect(try await reminded(world) == [])
        await ReminderClock(delivery: world.delivery, within: .days(7)) { throw CancellationError() }.run()
        #expect(try await reminded(world) == ["ann"])
    }

    @Test func `an app that isn't here has no reminders`() async throws {
        let world = try DeliveryWorld()
        let scope = DeliveryScope(environment: .sandbox, bundleID: App.BundleID(rawValue: "none"))
        await #expect(throws: DeliveryError(.appNotFound, "", "")) {
            try await world.delivery.reminders(after: 0, scope)
        }
    }
}
