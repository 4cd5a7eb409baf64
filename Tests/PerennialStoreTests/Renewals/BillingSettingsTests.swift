import Perennial
import PerennialStorage
import PerennialStore
import TestSupport
import Testing

/// Renewal rate and billing: by kind of environment, by catalog, by the environment's settings, by tester.
struct BillingSettingsTests {
    private static let start = RenewalTests.start
    private static let app = TestCatalog.bundleID

    @Test(arguments: Engine.allCases)
    func `an opted-in grace period extends access by its days`(engine: Engine) async throws {
        for (days, length) in [(Int64(3), Int64.days(3)), (16, .days(16)), (28, .days(28))] {
            let shop = try await RenewalTests.shop(engine)
            let first = try await shop.buy("monthly", as: "ann")
            _ = try await shop.store.renewals.setBillingSettings(BillingSettings(gracePeriodDays: days), for: Self.app)
            try await shop.account("ann", payment: .declined)
            let end = Period.month.end(after: Self.start)
            _ = try await shop.store.clock.advance(to: end)
            var snapshot = try await shop.store.subscriptions.snapshot(of: first.id)
            #expect(snapshot.subscription.status(at: end) == .gracePeriod)
            #expect(snapshot.subscription.gracePeriodExpires == end + length)
            _ = try await shop.store.clock.advance(to: end + length)
            snapshot = try await shop.store.subscriptions.snapshot(of: first.id)
            #expect(snapshot.subscription.status(at: end + length) == .billingRetry)
        }
    }

    @Test func `there is no grace period without opting in`() async throws {
        let shop = try await RenewalTests.shop()
        _ = try await shop.store.renewals.setBillingSettings(BillingSettings(gracePeriodDays: 16), for: nil)
        #expect(try await shop.store.renewals.billingSettings(for: Self.app).gracePeriodDays == 16)
        _ = try await shop.store.renewals.setBillingSettings(BillingSettings(gracePeriodDays: 0), for: Self.app)
        let first = try await shop.buy("monthly", as: "ann")
        try await shop.account("ann", payment: .declined)
        let end = Period.month.end(after: Self.start)
        _ = try await shop.store.clock.advance(to: end)
        let snapshot = try await shop.store.subscriptions.snapshot(of: first.id)
        #expect(snapshot.subscription.status(at: end) == .billingRetry)
    }

    static let paces: [(RenewalRate, Int64, renewals: Int?)] = [
        (.compressed, .minutes(5), 6), (.rate(.monthlyRenewalEveryThreeMinutes), .minutes(3), 12),
        (.rate(.monthlyRenewalEveryFiveMinutes), .minutes(5), 12),
        (.rate(.monthlyRenewalEveryFifteenMinutes), .minutes(15), 12),
        (.rate(.monthlyRenewalEveryThirtyMinutes), .minutes(30), 12),
        (.rate(.monthlyRenewalEveryHour), .hours(1), 12), (.testFlight, .days(1), 6),
        (.rate(.monthlyRenewalEveryThirtySeconds), .seconds(30), nil),
        (.rate(.oneRenewalEveryMinute), .minutes(1), nil),
    ]

    @Test(arguments: paces)
    func `each renewal rate has its month and number of renewals`(
        pace: RenewalRate, month: Int64, renewals: Int?
    ) async throws {
        let shop = try await RenewalTests.shop(kind: .sandbox)
        _ = try await shop.store.renewals.setBillingSettings(BillingSettings(timeRate: pace), for: nil)
        try await shop.buy("monthly", as: "ann")
        _ = try await shop.store.clock.advance(to: Self.start + month * 20 + 1)
        let periods = try await RenewalTests.periods(shop, of: "ann")
        #expect(periods.allSatisfy { $0.expiresDate == $0.purchaseDate + month })
        #expect(periods.count == (renewals.map { $0 + 1 } ?? 21))
    }

    @Test func `a maximum of renewals ends a subscription, 0 means none`() async throws {
        for (cap, count) in [(1, 2), (3, 4), (0, 21)] {
            let shop = try await RenewalTests.shop(kind: .sandbox)
            _ = try await shop.store.renewals.setBillingSettings(BillingSettings(maximumRenewals: cap), for: Self.app)
            try await shop.buy("monthly", as: "ann")
            _ = try await shop.store.clock.advance(to: Self.start + .minutes(100))
            #expect(try await RenewalTests.periods(shop, of: "ann").count == count)
        }
    }

    @Test func `Sandbox can run in real time and Production compressed`() async throws {
        let sandbox = try await RenewalTests.shop(kind: .sandbox)
        _ = try await sandbox.store.renewals.setBillingSettings(BillingSettings(timeRate: .real), for: nil)
        #expect(try await sandbox.buy("monthly", as: "ann").expiresDate == Period.month.end(after: Self.start))
        let production = try await RenewalTests.shop()
        _ = try await production.store.renewals.setBillingSettings(BillingSettings(timeRate: .compressed), for: nil)
        #expect(try await production.buy("monthly", as: "ann").expiresDate == Self.start + .minutes(5))
    }

    @Test(arguments: Engine.allCases)
    func `a tester's renewal rate applies to that tester only`(engine: Engine) async throws {
        let shop = try await RenewalTests.shop(engine, kind: .sandbox)
        _ = try await shop.store.accounts.put(
            "ann", storefront: nil, paymentMethod: nil, canMakePayments: nil, password: nil,
            renewalRate: .monthlyRenewalEveryHour)
        for account in ["ann", "ben"] { try await shop.buy("monthly", as: account) }
        _ = try await shop.store.clock.advance(to: Self.start + .hours(20))
        let ann = try await RenewalTests.periods(shop, of: "ann")
        #expect(ann.count == 13)
        #expect(ann.allSatisfy { $0.expiresDate == $0.purchaseDate + .hours(1) })
        let ben = try await RenewalTests.periods(shop, of: "ben")
        #expect(ben.count == 7)
        #expect(ben.allSatisfy { $0.expiresDate == $0.purchaseDate + .minutes(5) })
    }

    @Test func `a catalog has separate billing for Sandbox and Production`() async throws {
        var app = TestCatalog.magazine()
        app.billing = AppBilling(
            production: BillingSettings(gracePeriodDays: 16),
            sandbox: BillingSettings(timeRate: .rate(.monthlyRenewalEveryHour)))
        let shop = try await TestStore.make(app: app)
        let production = try await shop.environment("Production")
        #expect(try await shop.store.renewals.billingSettings(for: Self.app) == app.billing?.sandbox)
        #expect(try await production.store.renewals.billingSettings(for: Self.app) == app.billing?.production)
        let bought = try await shop.buy("monthly", as: "ann")
        #expect(bought.expiresDate == bought.purchaseDate + .hours(1))
    }

    @Test func `environments can be created with billing settings`() async throws {
        let shop = try await TestStore.make()
        _ = try await shop.registry.makeEnvironment(
            "lab", kind: .sandbox, clock: .manual, now: Self.start,
            billing: BillingSettings(timeRate: .rate(.oneRenewalEveryTenSeconds)))
        let lab = try await shop.environment("lab")
        #expect(try await lab.buy("yearly", as: "ann").expiresDate == Self.start + .seconds(10))
        #expect(try await shop.store.renewals.billingSettings(for: Self.app) == BillingSettings())
    }

    @Test func `renewals can be set to fail`() async throws {
        let shop = try await RenewalTests.shop(kind: .sandbox)
        let first = try await shop.buy("monthly", as: "ann")
        _ = try await shop.store.renewals.setBillingSettings(BillingSettings(renewalsFail: true), for: nil)
        _ = try await shop.store.clock.advance(to: Self.start + .minutes(5))
        let snapshot = try await shop.store.subscriptions.snapshot(of: first.id)
        #expect(snapshot.subscription.isInBillingRetry == true)
    }

    static let wrong: [(BillingSettings, String)] = [
        (BillingSettings(gracePeriodDays: 7), "gracePeriodDays"),
        (BillingSettings(maximumRenewals: -1), "maximumRenewals"),
        (BillingSettings(timeRate: .real, maximumRenewals: 3), "maximumRenewals"),
    ]

    @Test(arguments: wrong)
    func `invalid billing settings are refused with their field`(settings: BillingSettings, field: String) async throws
    {
        let shop = try await RenewalTests.shop()
        do {
            _ = try await shop.store.renewals.setBillingSettings(settings, for: nil)
            Issue.record("\(settings) was taken")
        } catch let error as StoreError {
            #expect((error.code, error.subject) == (.malformed, field))
        }
    }
}
