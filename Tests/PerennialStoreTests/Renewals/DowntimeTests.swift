import AppStoreFormats
import Foundation
import Perennial
import PerennialStorage
import PerennialStore
import TestSupport
import Testing

/// Downtime: real time passes while no process runs, and the next process catches up.
struct DowntimeTests {
    /// Customers with their products and the minutes of a period in Sandbox, where it renews six times.
    private static let customers = [
        ("ann", "monthly", 5), ("ben", "yearly", 60), ("cem", "family.monthly", 5), ("dan", "monthly", 5),
    ].map { (account: $0.0, product: $0.1, minutes: Int64($0.2)) }

    @Test(arguments: Engine.allCases)
    func `after a day of downtime renewals catch up in order`(engine: Engine) async throws {
        let database = try engine.makeDatabase(options: .forTests)
        let receiver = RecordingReceiver()
        let before = try await TestStore.open(database, sender: receiver)
        try await before.store.notifications.configure(
            NotificationSettings(url: "https://example.com/hook"), of: TestCatalog.bundleID)
        var begins: [String: Instant] = [:]
        for (account, product, _) in Self.customers {
            begins[account] = try await before.buy(product, as: account).purchaseDate
            before.clock.advance(by: .minutes(1))
        }
        try await before.store.notifications.sendDue()
        receiver.forget()

        // The process ends; the next one starts a day later.
        let after = try await TestStore.open(database, sender: receiver, seed: 2)
        after.clock.advance(by: .minutes(Int64(Self.customers.count)) + .days(1))
        try await after.store.renewals.processDue()

        for (account, _, minutes) in Self.customers {
            let begin = try #require(begins[account])
            let periods = try await RenewalTests.periods(after, of: account)
            #expect(periods.map(\.purchaseDate) == (0...6).map { begin + .minutes(minutes * $0) }, "\(account)")
            #expect(periods.map(\.expiresDate) == (1...7).map { begin + .minutes(minutes * $0) }, "\(account)")
        }
        let facts = try await after.journal().map(\.entry).filter { $0.kind != .subscription(.subscribed) }
        #expect(facts.filter { $0.kind == .subscription(.renewed) }.count == 6 * Self.customers.count)
        #expect(facts.count == 7 * Self.customers.count)
        #expect(facts.map(\.at) == facts.map(\.at).sorted(), "across all subscriptions")
        #expect(Set(facts.prefix(6).map(\.accountID)).count == 3, "the short periods take turns")
        #expect(try await after.store.renewals.processDue() == 0)

        // Each subscription's notifications come in order: its renewals, then its end.
        try await after.store.notifications.sendDue()
        let told = Dictionary(grouping: receiver.deliveries) { (try? $0.transaction?.originalTransactionId) ?? "" }
        #expect(told.count == Self.customers.count)
        for deliveries in told.values {
            #expect(
                try deliveries.map { try $0.name } == Array(repeating: "DID_RENEW", count: 6) + ["EXPIRED/VOLUNTARY"])
            let dates = try deliveries.dropLast().compactMap { try $0.transaction?.purchaseDate }
            #expect(dates == dates.sorted() && Set(dates).count == 6)
        }
    }
}
