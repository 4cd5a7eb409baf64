import AppStoreFormats
import Perennial
import PerennialStore
import TestSupport
import Testing

/// What goes wrong on purpose.
struct NotificationTroubleTests {
    static let start = NotifyingShop.start

    private static func world(
        _ trouble: NotificationTrouble, retries: NotificationSettings.Retries = .appStore
    ) async throws -> NotifyingShop {
        try await NotifyingShop.make(
            settings: NotificationSettings(url: "https://example.com/hook", retries: retries, trouble: trouble))
    }

    private static func uuids(_ world: NotifyingShop) throws -> [String] {
        try world.receiver.deliveries.map { try $0.payload.notificationUUID }
    }

    @Test func `copies come under the same name, and are no attempts`() async throws {
        let world = try await Self.world(NotificationTrouble(duplicates: 2))
        for _ in 0..<3 { try await world.shop.buy("film.roll", as: "ann") }
        try await world.deliver()
        let uuids = try Self.uuids(world)
        #expect(uuids.count == 9 && Set(uuids).count == 3)
        #expect(try await world.records.allSatisfy { $0.attempts == ["SUCCESS"] })
    }

    @Test func `what is hit follows from the seed`() async throws {
        func hit(_ seed: UInt64) async throws -> [Int] {
            let world = try await Self.world(NotificationTrouble(seed: seed, percentage: 30, duplicates: 1))
            var counts: [Int] = []
            for _ in 0..<40 {
                try await world.shop.buy("film.roll", as: "ann")
                try await world.deliver()
                counts.append(world.receiver.deliveries.count)
            }
            return counts
        }
        let first = try await hit(7)
        #expect(try await hit(7) == first)
        #expect(try await hit(8) != first)
        #expect((41...70).contains(first.last ?? 0))
    }

    @Test func `what is held back comes later, in order within its subscription or in none`() async throws {
        for reorders in [false, true] {
            let world = try await Self.world(NotificationTrouble(delay: .hours(1), reorders: reorders))
            let sold = try await world.shop.buy("monthly", as: "ann")
            for isOn in [false, true, false, true, false, true] {
                _ = try await world.store.act(.setAutoRenew(isOn), on: sold.id)
            }
            try await world.deliver()
            #expect(world.receiver.deliveries.isEmpty)
            try await world.advance(to: Self.start + .hours(2))
            let signed = try world.receiver.deliveries.map { try $0.payload.signedDate }
            #expect(signed.count == 7)
            #expect((signed == signed.sorted()) == !reorders)
        }
    }

    /// Every second one of 15 is hit, or so: told as the order of their signed dates.
    private static func order(seed: UInt64, percentage: Int64 = 50) async throws -> [Int] {
        let world = try await Self.world(NotificationTrouble(seed: seed, percentage: percentage, reorders: true))
        let sold = try await world.shop.buy("monthly", as: "ann")
        try await world.deliver()
        for number in 0..<13 {
            _ = try await world.store.act(.setAutoRenew(number % 2 == 1), on: sold.id)
            if number % 3 == 0 { try await world.deliver() }
        }
        // What waits for a next one that never comes goes in the end.
        try await world.advance(to: Self.start + .days(59))
        let signed = try world.receiver.deliveries.map { try $0.payload.signedDate }
        #expect(try await world.records.allSatisfy { $0.attempts == ["SUCCESS"] })
        return signed.map { date in signed.filter { $0 < date }.count }
    }

    @Test func `without a delay, what is hit goes behind the next, by the seed alone`() async throws {
        let first = try await Self.order(seed: 7)
        #expect(first != first.sorted())
        #expect(try await Self.order(seed: 7) == first)
        #expect(try await Self.order(seed: 8) != first)
        let all = try await Self.order(seed: 7, percentage: 100)
        #expect(all.prefix(4) == [1, 0, 3, 2])
        #expect(try await Self.order(seed: 7, percentage: 0) == all.sorted())
    }

    @Test func `what is held back goes at once where trouble ends`() async throws {
        let world = try await Self.world(NotificationTrouble(reorders: true))
        try await world.shop.buy("monthly", as: "ann")
        try await world.deliver()
        #expect(world.receiver.deliveries.isEmpty)
        try await world.store.setNotifications(
            NotificationSettings(url: "https://example.com/hook"), of: TestCatalog.bundleID)
        try await world.deliver()
        #expect(try world.receiver.names == ["SUBSCRIBED/INITIAL_BUY"])
    }

    @Test func `the first attempts get lost, and the ladder brings it all the same`() async throws {
        let world = try await Self.world(NotificationTrouble(dropsFirst: 2))
        try await world.shop.buy("film.roll", as: "ann")
        try await world.advance(to: Self.start + .days(30))
        #expect(try await world.records.first?.attempts == ["TIMED_OUT", "TIMED_OUT", "SUCCESS"])
        #expect(world.receiver.deliveries.count == 1)
    }

    @Test func `a stale one comes once more behind a fresh one`() async throws {
        let world = try await Self.world(NotificationTrouble(stale: true))
        let sold = try await world.shop.buy("monthly", as: "ann")
        _ = try await world.store.act(.setAutoRenew(false), on: sold.id)
        try await world.deliver()
        #expect(
            try world.receiver.names == [
                "SUBSCRIBED/INITIAL_BUY", "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED", "SUBSCRIBED/INITIAL_BUY",
            ])
        #expect(world.receiver.deliveries[0].body == world.receiver.deliveries[2].body)
    }

    @Test func `trouble that makes no sense is refused`() async throws {
        let world = try await NotifyingShop.make()
        for trouble in [
            NotificationTrouble(percentage: 101), NotificationTrouble(duplicates: -1),
            NotificationTrouble(delay: .days(31)), NotificationTrouble(dropsFirst: 1000),
        ] {
            await #expect(throws: NotificationError(.malformedTrouble, "", "")) {
                try await world.store.setNotifications(
                    NotificationSettings(url: "https://example.com", trouble: trouble), of: TestCatalog.bundleID)
            }
        }
    }
}
