import AppStoreFormats
import Foundation
import Perennial
import PerennialStorage
import PerennialStore
import TestSupport
import Testing

/// Notifications in the transaction of their event.
struct NotificationFactoryTests {
    private static let app = TestCatalog.magazine().appleID

    @Test(arguments: Engine.allCases, FaultPoint.allCases)
    func `committed events are notified, rolled back ones are not`(engine: Engine, point: FaultPoint) async throws {
        let fault = TestFault()
        let fixture = try await NotifyingShop.make(on: engine, faults: fault.reach)
        try await fixture.shop.buy("monthly", as: "ann")
        fault.inject(at: point)
        _ = try? await fixture.shop.buy("film.roll", as: "ann")
        fault.inject(at: point)
        _ = try? await fixture.store.renewals.processDue(until: Period.month.end(after: NotifyingShop.start))
        let journal = try await fixture.shop.database.read {
            try JournalTable.entries(after: 0, limit: 100, app: Self.app, fixture.store.environment.id, on: $0)
        }
        let events = journal.filter { $0.entry.kind.notification(isFree: false) != nil }
        #expect(try await fixture.records.count == events.count)
        #expect(try await fixture.shop.count("notification_contents") == Int64(events.count))
        #expect(fixture.receiver.deliveries.isEmpty)
    }

    @Test(arguments: Engine.allCases)
    func `renewals of one advance are notified in order, signed at their time`(engine: Engine) async throws {
        let fixture = try await NotifyingShop.make(on: engine)
        for name in ["ann", "ben"] { try await fixture.shop.buy("monthly", as: name) }
        _ = try await fixture.store.renewals.processDue(until: Period(3, .month).end(after: NotifyingShop.start))
        #expect(
            try await fixture.records.map(\.name) == ["SUBSCRIBED/INITIAL_BUY", "SUBSCRIBED/INITIAL_BUY"]
                + Array(repeating: "DID_RENEW", count: 6))
        try await fixture.deliver()
        let bySubscription = Dictionary(grouping: fixture.receiver.deliveries) {
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
    func `pending notifications are not sent to a later receiver`(engine: Engine) async throws {
        let fixture = try await NotifyingShop.make(on: engine)
        try await fixture.shop.buy("film.roll", as: "ann")
        try await fixture.store.notifications.disable(for: TestCatalog.bundleID)
        // As left by an event whose transaction overlaps with the removal.
        try await fixture.shop.database.write { connection in
            try connection.execute("UPDATE notifications SET next_attempt = signed")
        }
        try await fixture.store.notifications.configure(
            NotificationSettings(url: "https://example.com/next"), of: TestCatalog.bundleID)
        try await fixture.shop.buy("filter.amber", as: "ann")
        try await fixture.deliver()
        #expect(try fixture.receiver.deliveries.map { try $0.transaction?.productId } == ["filter.amber"])
    }

    @Test(arguments: Engine.allCases)
    func `notifications are deleted after 180 days`(engine: Engine) async throws {
        let fixture = try await NotifyingShop.make(on: engine)
        for _ in 0..<3 { try await fixture.shop.buy("film.roll", as: "ann") }
        try await fixture.deliver()
        try await fixture.advance(to: NotifyingShop.start + .days(180))
        try await fixture.shop.buy("filter.amber", as: "ann")
        try await fixture.deliver()
        #expect(try await fixture.records.count == 4)
        try await fixture.advance(to: NotifyingShop.start + .days(180) + 1)
        try await fixture.shop.buy("filter.amber", as: "ben")
        try await fixture.deliver()
        #expect(try await fixture.records.count == 2)
        #expect(try await fixture.shop.count("notification_contents") == 2)
    }

    @Test func `version 1 sends a status once and only if it changed`() async throws {
        let fixture = try await NotifyingShop.make(
            settings: NotificationSettings(url: "https://example.com/hook", version: .one))
        func told(_ customer: String, _ event: (Transaction) async throws -> Void) async throws -> [String] {
            let sold = try await fixture.shop.buy("monthly", as: customer)
            let before = try await fixture.records.count
            try await event(sold)
            return try await fixture.records.dropFirst(before).map(\.name)
        }
        let refund = try await told("ann") { try await fixture.shop.refund($0) }
        #expect(refund == ["CANCEL", "DID_CHANGE_RENEWAL_STATUS"])
        let cancelled = try await told("ben") {
            _ = try await fixture.store.subscriptions.perform(.setAutoRenew(false), on: $0.id)
            try await fixture.shop.refund($0)
        }
        #expect(cancelled == ["DID_CHANGE_RENEWAL_STATUS", "CANCEL"])
        let upgraded = try await told("cid") {
            _ = try await fixture.store.subscriptions.perform(.setAutoRenew(false), on: $0.id)
            _ = try await fixture.store.subscriptions.perform(.change(Product.ID(rawValue: "yearly")), on: $0.id)
        }
        #expect(upgraded == ["DID_CHANGE_RENEWAL_STATUS", "DID_CHANGE_RENEWAL_STATUS", "INTERACTIVE_RENEWAL"])
    }

    @Test func `both notifications of one version 1 event agree`() async throws {
        let fixture = try await NotifyingShop.make(
            settings: NotificationSettings(url: "https://example.com/hook", version: .one))
        try await fixture.shop.buy("monthly", as: "ann")
        try await fixture.shop.buy("yearly", as: "ann")
        try await fixture.deliver()
        let records = try await fixture.store.notifications.newest(of: TestCatalog.bundleID, limit: 10)
        #expect(records.map(\.type) == ["INTERACTIVE_RENEWAL", "DID_CHANGE_RENEWAL_STATUS", "INITIAL_BUY"])
        #expect(records[0].key.position == records[1].key.position)
        #expect(records[0].content == records[1].content)
        #expect(records.allSatisfy { $0.content.renewalInfo != nil })
        #expect(try await fixture.shop.count("notification_contents") == 2)
    }
}
