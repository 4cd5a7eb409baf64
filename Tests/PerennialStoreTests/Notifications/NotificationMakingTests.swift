import AppStoreFormats
import Foundation
import Perennial
import PerennialStorage
import PerennialStore
import TestSupport
import Testing

/// A notification and its event are one transaction.
struct NotificationMakingTests {
    private static let app = TestCatalog.magazine().appleID

    @Test(arguments: Engine.allCases, FaultPoint.allCases)
    func `what is committed is told, what is rolled back is not`(engine: Engine, point: FaultPoint) async throws {
        let fault = TestFault()
        let world = try await NotifyingShop.make(on: engine, faults: fault.reach)
        try await world.shop.buy("monthly", as: "ann")
        fault.strike(at: point)
        _ = try? await world.shop.buy("film.roll", as: "ann")
        fault.strike(at: point)
        _ = try? await world.store.workOffDue(until: Period.month.end(after: NotifyingShop.start))
        let journal = try await world.shop.database.read {
            try JournalTable.entries(after: 0, limit: 100, app: Self.app, world.store.environment.id, on: $0)
        }
        let events = journal.filter { $0.entry.kind.notification(isFree: false) != nil }
        #expect(try await world.records.count == events.count)
        #expect(try await world.shop.count("notification_contents") == Int64(events.count))
        #expect(world.receiver.deliveries.isEmpty)
    }

    @Test(arguments: Engine.allCases)
    func `renewals worked off at once are told in order, each signed at its time`(engine: Engine) async throws {
        let world = try await NotifyingShop.make(on: engine)
        for name in ["ann", "ben"] { try await world.shop.buy("monthly", as: name) }
        _ = try await world.store.workOffDue(until: Period(3, .month).end(after: NotifyingShop.start))
        #expect(
            try await world.records.map(\.name) == ["SUBSCRIBED/INITIAL_BUY", "SUBSCRIBED/INITIAL_BUY"]
                + Array(repeating: "DID_RENEW", count: 6))
        try await world.deliver()
        let bySubscription = Dictionary(grouping: world.receiver.deliveries) {
            (try? $0.transaction?.originalTransactionId).flatMap { $0 } ?? ""
        }
        #expect(bySubscription.count == 2)
        for deliveries in bySubscription.values {
            let signed = try deliveries.map { try $0.payload.signedDate }
            // Renewals are charged a day ahead.
            let renewed = (1...3).map { Period.month.end(after: NotifyingShop.start, number: $0) + -.days(1) }
            #expect(signed == ([NotifyingShop.start] + renewed).map(\.date))
        }
    }

    @Test(arguments: Engine.allCases)
    func `what waited when the receiver was taken away is not sent to the next one`(engine: Engine) async throws {
        let world = try await NotifyingShop.make(on: engine)
        try await world.shop.buy("film.roll", as: "ann")
        try await world.store.removeNotifications(of: TestCatalog.bundleID)
        // As an event leaves it whose transaction overlaps with the removal.
        try await world.shop.database.write { connection in
            try connection.execute("UPDATE notifications SET next_attempt = signed")
        }
        try await world.store.setNotifications(
            NotificationSettings(url: "https://example.com/next"), of: TestCatalog.bundleID)
        try await world.shop.buy("filter.amber", as: "ann")
        try await world.deliver()
        #expect(try world.receiver.deliveries.map { try $0.transaction?.productId } == ["filter.amber"])
    }

    @Test(arguments: Engine.allCases)
    func `after 180 days a notification is forgotten, with what it told`(engine: Engine) async throws {
        let world = try await NotifyingShop.make(on: engine)
        for _ in 0..<3 { try await world.shop.buy("film.roll", as: "ann") }
        try await world.deliver()
        try await world.advance(to: NotifyingShop.start + .days(180))
        try await world.shop.buy("filter.amber", as: "ann")
        try await world.deliver()
        #expect(try await world.records.count == 4)
        try await world.advance(to: NotifyingShop.start + .days(180) + 1)
        try await world.shop.buy("filter.amber", as: "ben")
        try await world.deliver()
        #expect(try await world.records.count == 2)
        #expect(try await world.shop.count("notification_contents") == 2)
    }

    @Test func `version 1 tells of a status once, and only where it changed`() async throws {
        let world = try await NotifyingShop.make(
            settings: NotificationSettings(url: "https://example.com/hook", version: .one))
        func told(_ customer: String, _ event: (Transaction) async throws -> Void) async throws -> [String] {
            let sold = try await world.shop.buy("monthly", as: customer)
            let before = try await world.records.count
            try await event(sold)
            return try await world.records.dropFirst(before).map(\.name)
        }
        let refund = try await told("ann") { try await world.shop.refund($0) }
        #expect(refund == ["CANCEL", "DID_CHANGE_RENEWAL_STATUS"])
        let cancelled = try await told("ben") {
            _ = try await world.store.act(.setAutoRenew(false), on: $0.id)
            try await world.shop.refund($0)
        }
        #expect(cancelled == ["DID_CHANGE_RENEWAL_STATUS", "CANCEL"])
        let upgraded = try await told("cid") {
            _ = try await world.store.act(.setAutoRenew(false), on: $0.id)
            _ = try await world.store.act(.change(Product.ID(rawValue: "yearly")), on: $0.id)
        }
        #expect(upgraded == ["DID_CHANGE_RENEWAL_STATUS", "DID_CHANGE_RENEWAL_STATUS", "INTERACTIVE_RENEWAL"])
    }

    @Test func `both parts of version 1 tell the same`() async throws {
        let world = try await NotifyingShop.make(
            settings: NotificationSettings(url: "https://example.com/hook", version: .one))
        try await world.shop.buy("monthly", as: "ann")
        try await world.shop.buy("yearly", as: "ann")
        try await world.deliver()
        let records = try await world.store.notifications(of: TestCatalog.bundleID, limit: 10)
        #expect(records.map(\.type) == ["INTERACTIVE_RENEWAL", "DID_CHANGE_RENEWAL_STATUS", "INITIAL_BUY"])
        #expect(records[0].key.position == records[1].key.position)
        #expect(records[0].content == records[1].content)
        #expect(records.allSatisfy { $0.content.renewalInfo != nil })
        #expect(try await world.shop.count("notification_contents") == 2)
    }
}
