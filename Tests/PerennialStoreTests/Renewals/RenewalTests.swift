import Perennial
import PerennialStorage
import PerennialStore
import TestSupport
import Testing

/// Subscriptions over time, in environments with a manual clock.
struct RenewalTests {
    static let start = Instant(milliseconds: 1_738_317_600_000)  // 2025-01-31T10:00:00Z

    static func shop(
        _ engine: Engine = .sqliteInMemory, kind: StoreEnvironment.Kind = .production,
        pipelinesRenewals: Bool = true, faults: (@Sendable (FaultPoint) throws -> Void)? = nil
    ) async throws -> TestStore {
        // Time passes while the lease of a dead node is waited for.
        let shop = try await TestStore.make(
            on: engine, pipelinesRenewals: pipelinesRenewals, faults: faults,
            leasePollInterval: { $0.advance(by: .seconds(1)) })
        _ = try await shop.registry.makeEnvironment("lab", kind: kind, clock: .manual, now: start)
        return try await shop.environment("lab")
    }

    static func periods(_ shop: TestStore, of account: String) async throws -> [Transaction] {
        let key = try await shop.customer(account).key
        return try await shop.database.read { try TransactionsTable.all(of: key, on: $0) }
    }

    @Test func `a return's account name goes with its period and those that follow`() async throws {
        let shop = try await Self.shop()
        let first = try await shop.buy("monthly", as: "ann", username: "one")
        _ = try await shop.store.subscriptions.perform(.setAutoRenew(false), on: first.id)
        _ = try await shop.store.clock.advance(to: Self.start + .days(40))
        try await shop.buy("monthly", as: "ann", username: "two")
        _ = try await shop.store.clock.advance(to: Self.start + .days(75))
        // Without a name, that of before stays.
        _ = try await shop.store.subscriptions.perform(.setAutoRenew(false), on: first.id)
        _ = try await shop.store.clock.advance(to: Self.start + .days(120))
        try await shop.buy("monthly", as: "ann")
        let names = try await Self.periods(shop, of: "ann").map(\.applicationUsername)
        #expect(names == ["one", "two", "two", "two"])
    }

    @Test(arguments: Engine.allCases)
    func `a year of renewals in one advance keeps the anchor day`(engine: Engine)
        async throws
    {
        let shop = try await Self.shop(engine)
        let first = try await shop.buy("monthly", as: "ann")
        let events = try await shop.store.clock.advance(to: Period.year.end(after: Self.start)).events
        #expect(events == 12)
        let periods = try await Self.periods(shop, of: "ann")
        #expect(periods.count == 13)
        for (number, period) in periods.enumerated() {
            let start = number == 0 ? Self.start : Period.month.end(after: Self.start, number: number)
            #expect(period.purchaseDate == start)
            #expect(period.expiresDate == Period.month.end(after: Self.start, number: number + 1))
            #expect(period.originalID == first.id)
            #expect(period.reason == (number == 0 ? .purchase : .renewal))
        }
        #expect(Set(periods.map(\.id)).count == 13)
        #expect(Set(periods.compactMap(\.webOrderLineItemID)).count == 13)
        #expect(try await shop.sumOfPostings().values.allSatisfy { $0 == 0 })
        #expect(try await shop.journal().map(\.position) == Array(1...13))
    }

    @Test func `Sandbox renews six times, then the subscription expires`() async throws {
        let shop = try await Self.shop(kind: .sandbox)
        _ = try await shop.buy("monthly", as: "ann")
        _ = try await shop.store.clock.advance(to: Self.start + .days(1))
        let periods = try await Self.periods(shop, of: "ann")
        #expect(periods.count == 7)
        #expect(periods.last?.expiresDate == Self.start + .minutes(35))
        let renewal = try await shop.verify(try await shop.receipt(of: "ann"), password: TestCatalog.sharedSecret)
        #expect(renewal["status"] == 0)
        #expect(renewal["pending_renewal_info"]?.elements?.first?["auto_renew_status"] == "0")
        #expect(renewal["latest_receipt_info"]?.elements?.first?["transaction_id"] == .string("\(periods[6].id)"))
    }

    @Test(arguments: Engine.allCases)
    func `renewals interrupted by a crash are neither repeated nor skipped`(engine: Engine) async throws {
        let fault = TestFault()
        let shop = try await Self.shop(engine, faults: fault.reach)
        for number in 0..<5 { _ = try await shop.buy("monthly", as: "customer-\(number)") }
        let target = Period(6, .month).end(after: Self.start)
        for point in FaultPoint.allCases {
            fault.inject(at: point)
            await #expect(throws: (any Error).self) { try await shop.store.clock.advance(to: target) }
        }
        _ = try await shop.store.clock.advance(to: target)
        for number in 0..<5 {
            #expect(try await Self.periods(shop, of: "customer-\(number)").count == 7)
        }
        #expect(try await shop.store.renewals.processDue(until: target) == 0)
    }

    @Test(arguments: Engine.allCases)
    func `two workers process each renewal once`(engine: Engine) async throws {
        let shop = try await Self.shop(engine)
        for number in 0..<20 { _ = try await shop.buy("monthly", as: "customer-\(number)") }
        let target = Period(3, .month).end(after: Self.start)
        let events = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<4 { group.addTask { try await shop.store.renewals.processDue(until: target) } }
            return try await group.reduce(0, +)
        }
        #expect(events == 60)
        #expect(try await shop.journal().count == 80)
    }

    @Test func `renewals happen in the order of due time across subscriptions`() async throws {
        let shop = try await Self.shop()
        _ = try await shop.buy("monthly", as: "ann")
        _ = try await shop.store.clock.advance(to: Self.start + .days(10))
        _ = try await shop.buy("monthly", as: "ben")
        _ = try await shop.store.clock.advance(to: Period(4, .month).end(after: Self.start))
        let renewals = try await shop.journal().map(\.entry).filter { $0.kind == .subscription(.renewed) }
        #expect(renewals.map(\.at) == renewals.map(\.at).sorted())
        #expect(Set(renewals.map(\.accountID)).count == 2)
    }

    @Test func `a declined card leads to billing retry and recovery`() async throws {
        let shop = try await Self.shop()
        let first = try await shop.buy("monthly", as: "ann")
        try await shop.account("ann", payment: .declined)
        _ = try await shop.store.clock.advance(to: Period.month.end(after: Self.start) + .days(2))
        var snapshot = try await shop.store.subscriptions.snapshot(of: first.id)
        #expect(snapshot.subscription.status(at: try await shop.store.now()) == .billingRetry)
        snapshot = try await shop.store.subscriptions.setPaymentMethod(.valid, of: first.id)
        #expect(snapshot.subscription.status(at: try await shop.store.now()) == .active)
        #expect(try await Self.periods(shop, of: "ann").count == 2)
    }

    @Test func `turning auto-renew off expires the subscription by choice`() async throws {
        let shop = try await Self.shop()
        let first = try await shop.buy("monthly", as: "ann")
        _ = try await shop.store.subscriptions.perform(.setAutoRenew(false), on: first.id)
        _ = try await shop.store.clock.advance(to: Period(2, .month).end(after: Self.start))
        let snapshot = try await shop.store.subscriptions.snapshot(of: first.id)
        #expect(snapshot.subscription.expirationIntent == .customerCancelled)
        #expect(try await Self.periods(shop, of: "ann").count == 1)
    }

    @Test func `an upgrade refunds the unused time of the running period`() async throws {
        let shop = try await Self.shop()
        let monthly = try await shop.buy("monthly", as: "ann")
        _ = try await shop.store.clock.advance(to: Self.start + .days(7))
        let yearly = try await shop.buy("yearly", as: "ann")
        #expect(yearly.originalID == monthly.id)
        #expect(try await Self.periods(shop, of: "ann").map(\.isUpgraded) == [true, false])
        let kinds = try await shop.journal().map(\.entry.kind)
        #expect(kinds.contains(.subscription(.upgradeRefunded)))
        #expect(try await shop.sumOfPostings().values.allSatisfy { $0 == 0 })
    }

    @Test func `a refunded subscription doesn't renew`() async throws {
        let shop = try await Self.shop()
        let first = try await shop.buy("monthly", as: "ann")
        let refunded = try await shop.refund(first)
        #expect(refunded.revocation != nil)
        _ = try await shop.store.clock.advance(to: Period(3, .month).end(after: Self.start))
        #expect(try await Self.periods(shop, of: "ann").count == 1)
        await #expect(throws: RefundError(.alreadyRefunded, first.id, "")) { try await shop.refund(first) }
    }

    @Test func `a clock can't go back, and a real one can't be advanced`() async throws {
        let shop = try await Self.shop()
        await #expect(throws: StoreError(.timeInThePast, "", "")) {
            try await shop.store.clock.advance(to: Self.start + -1)
        }
        let sandbox = try await TestStore.make()
        await #expect(throws: StoreError(.clockRunsByItself, "", "")) {
            try await sandbox.store.clock.advance(to: Self.start + .days(1000))
        }
    }
}
