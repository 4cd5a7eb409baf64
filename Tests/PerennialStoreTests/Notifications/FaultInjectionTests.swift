import AppStoreFormats
import Perennial
import PerennialStore
import TestSupport
import Testing

/// Deliberate faults of notifications.
struct FaultInjectionTests {
    static let start = NotifyingShop.start

    private static func fixture(
        _ faults: FaultInjection, retries: NotificationSettings.Retries = .appStore
    ) async throws -> NotifyingShop {
        try await NotifyingShop.make(
            settings: NotificationSettings(url: "https://example.com/hook", retries: retries, faults: faults))
    }

    private static func uuids(_ fixture: NotifyingShop) throws -> [String] {
        try fixture.receiver.deliveries.map { try $0.payload.notificationUUID }
    }

    @Test func `injected duplicates share the UUID and count as no attempts`() async throws {
        let fixture = try await Self.fixture(FaultInjection(duplicates: 2))
        for _ in 0..<3 { try await fixture.shop.buy("film.roll", as: "ann") }
        try await fixture.deliver()
        let uuids = try Self.uuids(fixture)
        #expect(uuids.count == 9 && Set(uuids).count == 3)
        #expect(try await fixture.records.allSatisfy { $0.attempts == ["SUCCESS"] })
    }

    @Test func `injected faults follow from the seed`() async throws {
        func hit(_ seed: UInt64) async throws -> [Int] {
            let fixture = try await Self.fixture(FaultInjection(seed: seed, percentage: 30, duplicates: 1))
            var counts: [Int] = []
            for _ in 0..<40 {
                try await fixture.shop.buy("film.roll", as: "ann")
                try await fixture.deliver()
                counts.append(fixture.receiver.deliveries.count)
            }
            return counts
        }
        let first = try await hit(7)
        #expect(try await hit(7) == first)
        #expect(try await hit(8) != first)
        #expect((41...70).contains(first.last ?? 0))
    }

    @Test func `delayed notifications keep or lose their order as configured`() async throws {
        for reorders in [false, true] {
            let fixture = try await Self.fixture(FaultInjection(delay: .hours(1), reorders: reorders))
            let sold = try await fixture.shop.buy("monthly", as: "ann")
            for isOn in [false, true, false, true, false, true] {
                _ = try await fixture.store.subscriptions.perform(.setAutoRenew(isOn), on: sold.id)
            }
            try await fixture.deliver()
            #expect(fixture.receiver.deliveries.isEmpty)
            try await fixture.advance(to: Self.start + .hours(2))
            let signed = try fixture.receiver.deliveries.map { try $0.payload.signedDate }
            #expect(signed.count == 7)
            #expect((signed == signed.sorted()) == !reorders)
        }
    }

    /// Sends 15 notifications of which about half are hit. Returns their order by signed date.
    private static func order(seed: UInt64, percentage: Int64 = 50) async throws -> [Int] {
        let fixture = try await Self.fixture(FaultInjection(seed: seed, percentage: percentage, reorders: true))
        let sold = try await fixture.shop.buy("monthly", as: "ann")
        try await fixture.deliver()
        for number in 0..<13 {
            _ = try await fixture.store.subscriptions.perform(.setAutoRenew(number % 2 == 1), on: sold.id)
            if number % 3 == 0 { try await fixture.deliver() }
        }
        // A notification that waits for a next one is sent in the end.
        try await fixture.advance(to: Self.start + .days(59))
        let signed = try fixture.receiver.deliveries.map { try $0.payload.signedDate }
        #expect(try await fixture.records.allSatisfy { $0.attempts == ["SUCCESS"] })
        return signed.map { date in signed.filter { $0 < date }.count }
    }

    @Test func `without a delay, swapped notifications follow from the seed`() async throws {
        let first = try await Self.order(seed: 7)
        #expect(first != first.sorted())
        #expect(try await Self.order(seed: 7) == first)
        #expect(try await Self.order(seed: 8) != first)
        let all = try await Self.order(seed: 7, percentage: 100)
        #expect(all.prefix(4) == [1, 0, 3, 2])
        #expect(try await Self.order(seed: 7, percentage: 0) == all.sorted())
    }

    @Test func `ending fault injection sends delayed notifications at once`() async throws {
        let fixture = try await Self.fixture(FaultInjection(reorders: true))
        try await fixture.shop.buy("monthly", as: "ann")
        try await fixture.deliver()
        #expect(fixture.receiver.deliveries.isEmpty)
        try await fixture.store.notifications.configure(
            NotificationSettings(url: "https://example.com/hook"), of: TestCatalog.bundleID)
        try await fixture.deliver()
        #expect(try fixture.receiver.names == ["SUBSCRIBED/INITIAL_BUY"])
    }

    @Test func `notifications arrive by retry after dropped attempts`() async throws {
        let fixture = try await Self.fixture(FaultInjection(dropsFirst: 2))
        try await fixture.shop.buy("film.roll", as: "ann")
        try await fixture.advance(to: Self.start + .days(30))
        #expect(try await fixture.records.first?.attempts == ["TIMED_OUT", "TIMED_OUT", "SUCCESS"])
        #expect(fixture.receiver.deliveries.count == 1)
    }

    @Test func `a stale notification is replayed after a fresh one`() async throws {
        let fixture = try await Self.fixture(FaultInjection(stale: true))
        let sold = try await fixture.shop.buy("monthly", as: "ann")
        _ = try await fixture.store.subscriptions.perform(.setAutoRenew(false), on: sold.id)
        try await fixture.deliver()
        #expect(
            try fixture.receiver.names == [
                "SUBSCRIBED/INITIAL_BUY", "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED", "SUBSCRIBED/INITIAL_BUY",
            ])
        #expect(fixture.receiver.deliveries[0].body == fixture.receiver.deliveries[2].body)
    }

    @Test func `invalid fault injection is refused`() async throws {
        let fixture = try await NotifyingShop.make()
        for faults in [
            FaultInjection(percentage: 101), FaultInjection(duplicates: -1),
            FaultInjection(delay: .days(31)), FaultInjection(dropsFirst: 1000),
        ] {
            await #expect(throws: NotificationError(.malformedFaults, "", "")) {
                try await fixture.store.notifications.configure(
                    NotificationSettings(url: "https://example.com", faults: faults), of: TestCatalog.bundleID)
            }
        }
    }
}
