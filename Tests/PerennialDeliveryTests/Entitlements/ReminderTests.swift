import Perennial
import PerennialDelivery
import PerennialStorage
import Synchronization
import TestSupport
import Testing

/// Reminders of the ends of non-renewing terms.
struct ReminderTests {
    private func reminded(_ fixture: DeliveryFixture, after position: Int64 = 0) async throws -> [String] {
        try await fixture.delivery.reminders(after: position, DeliveryFixture.sandbox).map(\.customer)
    }

    @Test(arguments: GrantTests.engines)
    func `a term gets one reminder shortly before its end`(engine: Engine) async throws {
        let fixture = try DeliveryFixture(engine)
        for (index, (name, date)) in [("ann", "2026-01-05"), ("bob", "2026-01-01")].enumerated() {
            fixture.store.tell(name, [bought("pass.1month", Int64(index), on: date)])
            _ = try await fixture.grant(name, fixture.customer(name))
        }
        #expect(try await fixture.delivery.remind(within: .days(7)) == 0)
        fixture.now.value = Instant(seconds: 1_769_385_600)  // 2026-01-26
        #expect(try await fixture.delivery.remind(within: .days(7)) == 1)
        #expect(try await fixture.delivery.remind(within: .days(7)) == 0)
        #expect(try await reminded(fixture) == ["bob"])
        fixture.now.value = Instant(seconds: 1_769_731_200)  // 2026-01-30
        #expect(try await fixture.delivery.remind(within: .days(7)) == 1)
        #expect(try await reminded(fixture) == ["bob", "ann"])
        #expect(try await reminded(fixture, after: 1) == ["ann"])
    }

    @Test func `a term with a successor gets no reminder`() async throws {
        let fixture = try DeliveryFixture()
        fixture.store.tell("r", [bought("pass.1month", 1), bought("pass.1month", 2, on: "2026-01-10")])
        _ = try await fixture.grant("r", fixture.customer("ann"))
        fixture.now.value = Instant(seconds: 1_769_731_200)  // 2026-01-30
        #expect(try await fixture.delivery.remind(within: .days(7)) == 0)
        fixture.now.value = Instant(seconds: 1_772_150_400)  // 2026-02-27
        #expect(try await fixture.delivery.remind(within: .days(7)) == 1)
    }

    @Test func `a refunded term gets no reminder`() async throws {
        let fixture = try DeliveryFixture()
        fixture.store.tell("r", [bought("pass.1month", 1, cancelled: "2026-01-02")])
        _ = try await fixture.grant("r", fixture.customer("ann"))
        fixture.now.value = Instant(seconds: 1_769_731_200)  // 2026-01-30
        #expect(try await fixture.delivery.remind(within: .days(7)) == 0)
    }

    @Test func `the scheduler runs once per pause and ends with it`() async throws {
        let fixture = try DeliveryFixture()
        fixture.store.tell("r", [bought("pass.1month", 1)])
        _ = try await fixture.grant("r", fixture.customer("ann"))
        let rounds = Mutex(0)
        let clock = ReminderScheduler(delivery: fixture.delivery, within: .days(7)) { [now = fixture.now] in
            now.value = now.value + .days(10)
            let round = rounds.withLock { rounds in
                rounds += 1
                return rounds
            }
            if round == 3 { throw CancellationError() }
        }
        await clock.run()
        // 1, 11 and 21 January: too early all three times.
        #expect(try await reminded(fixture) == [])
        await ReminderScheduler(delivery: fixture.delivery, within: .days(7)) { throw CancellationError() }.run()
        #expect(try await reminded(fixture) == ["ann"])
    }

    @Test func `reminders of an unknown app are refused`() async throws {
        let fixture = try DeliveryFixture()
        let scope = DeliveryScope(environment: .sandbox, bundleID: App.BundleID(rawValue: "none"))
        await #expect(throws: DeliveryError(.appNotFound, "", "")) {
            try await fixture.delivery.reminders(after: 0, scope)
        }
    }
}
