import Perennial
import PerennialStorage
import PerennialStore
import TestSupport
import Testing

/// How subscription time and billing run: by kind of environment, by catalog, by what an environment says, by tester.
struct BillingSettingsTests {
    private static let start = RenewalTests.start
    private static let app = TestCatalog.bundleID

    @Test(arguments: Engine.allCases)
    func `grace is opted in to, and then access goes on for so many days`(engine: Engine) async throws {
        for (days, length) in [(Int64(3), Int64.days(3)), (16, .days(16)), (28, .days(28))] {
            let shop = try await RenewalTests.shop(engine)
            let first = try await shop.buy("monthly", as: "ann")
            _ = try await shop.store.setBillingSettings(BillingSettings(gracePeriodDays: days), for: Self.app)
            try await shop.account("ann", payment: .declined)
            let end = Period.month.end(after: Self.start)
            _ = try await shop.store.advanceClock(to: end)
            var standing = try await shop.store.subscriptionStanding(first.id)
            #expect(standing.subscription.status(at: end) == .gracePeriod)
            #expect(standing.subscription.gracePeriodExpires == end + length)
            _ = try await shop.store.advanceClock(to: end + length)
            standing = try await shop.store.subscriptionStanding(first.id)
            #expect(standing.subscription.status(at: end + length) == .billingRetry)
        }
    }

    @Test func `without opting in there is no grace, and 0 takes it back`() async throws {
        let shop = try await RenewalTests.shop()
        _ = try await shop.store.setBillingSettings(BillingSettings(gracePeriodDays: 16), for: nil)
        #expect(try await shop.store.billingSettings(for: Self.app).gracePeriodDays == 16)
        _ = try await shop.store.setBillingSettings(BillingSettings(gracePeriodDays: 0), for: Self.app)
        let first = try await shop.buy("monthly", as: "ann")
        try await shop.account("ann", payment: .declined)
        let end = Period.month.end(after: Self.start)
        _ = try await shop.store.advanceClock(to: end)
        let standing = try await shop.store.subscriptionStanding(first.id)
        #expect(standing.subscription.status(at: end) == .billingRetry)
    }

    static let paces: [(SubscriptionPace, Int64, renewals: Int?)] = [
        (.compressed, .minutes(5), 6), (.rate(.monthlyRenewalEveryThreeMinutes), .minutes(3), 12),
        (.rate(.monthlyRenewalEveryFiveMinutes), .minutes(5), 12),
        (.rate(.monthlyRenewalEveryFifteenMinutes), .minutes(15), 12),
        (.rate(.monthlyRenewalEveryThirtyMinutes), .minutes(30), 12),
        (.rate(.monthlyRenewalEveryHour), .hours(1), 12), (.testFlight, .days(1), 6),
        (.rate(.monthlyRenewalEveryThirtySeconds), .seconds(30), nil),
        (.rate(.oneRenewalEveryMinute), .minutes(1), nil),
    ]

    @Test(arguments: paces)
    func `each pace has its month and its number of renewals`(
        pace: SubscriptionPace, month: Int64, renewals: Int?
    ) async throws {
        let shop = try await RenewalTests.shop(kind: .sandbox)
        _ = try await shop.store.setBillingSettings(BillingSettings(timeRate: pace), for: nil)
        try await shop.buy("monthly", as: "ann")
        _ = try await shop.store.advanceClock(to: Self.start + month * 20 + 1)
        let periods = try await RenewalTests.periods(shop, of: "ann")
        #expect(periods.allSatisfy { $0.expiresDate == $0.purchaseDate + month })
        #expect(periods.count == (renewals.map { $0 + 1 } ?? 21))
    }

    @Test func `a cap says after how many renewals it ends, 0 that it doesn't`() async throws {
        for (cap, count) in [(1, 2), (3, 4), (0, 21)] {
            let shop = try await RenewalTests.shop(kind: .sandbox)
            _ = try await shop.store.setBillingSettings(BillingSettings(maximumRenewals: cap), for: Self.app)
            try await shop.buy("monthly", as: "ann")
            _ = try await shop.store.advanceClock(to: Self.start + .minutes(100))
            #expect(try await RenewalTests.periods(shop, of: "ann").count == count)
        }
    }

    @Test func `sandbox may run in real time, and production in compressed`() async throws {
        let sandbox = try await RenewalTests.shop(kind: .sandbox)
        _ = try await sandbox.store.setBillingSettings(BillingSettings(timeRate: .real), for: nil)
        #expect(try await sandbox.buy("monthly", as: "ann").expiresDate == Period.month.end(after: Self.start))
        let production = try await RenewalTests.shop()
        _ = try await production.store.setBillingSettings(BillingSettings(timeRate: .compressed), for: nil)
        #expect(try await production.buy("monthly", as: "ann").expiresDate == Self.start + .minutes(5))
    }

    @Test(arguments: Engine.allCases)
    func `7.2 a tester's rate holds for that tester only`(engine: Engine) async throws {
        let shop = try await RenewalTests.shop(engine, kind: .sandbox)
        _ = try await shop.store.putAccount(
            "ann", storefront: nil, paymentMethod: nil, canMakePayments: nil, password: nil,
            renewalRate: .monthlyRenewalEveryHour)
        for account in ["ann", "ben"] { try await shop.buy("monthly", as: account) }
        _ = try await shop.store.advanceClock(to: Self.start + .hours(20))
        let ann = try await RenewalTests.periods(shop, of: "ann")
        #expect(ann.count == 13)
        #expect(ann.allSatisfy { $0.expiresDate == $0.purchaseDate + .hours(1) })
        let ben = try await RenewalTests.periods(shop, of: "ben")
        #expect(ben.count == 7)
        #expect(ben.allSatisfy { $0.expiresDate == $0.purchaseDate + .minutes(5) })
    }

    @Test func `an app's catalog says it for sandbox and production apart`() async throws {
        var app = TestCatalog.magazine()
        app.billing = AppBilling(
            production: BillingSettings(gracePeriodDays: 16),
            sandbox: BillingSettings(timeRate: .rate(.monthlyRenewalEveryHour)))
        let shop = try await TestStore.make(app: app)
        let production = try await shop.environment("Production")
        #expect(try await shop.store.billingSettings(for: Self.app) == app.billing?.sandbox)
        #expect(try await production.store.billingSettings(for: Self.app) == app.billing?.production)
        let bought = try await shop.buy("monthly", as: "ann")
        #expect(bought.expiresDate == bought.purchaseDate + .hours(1))
    }

    @Test func `environments are made with settings of their own`() async throws {
        let shop = try await TestStore.make()
        _ = try await shop.registry.makeEnvironment(
            "lab", kind: .sandbox, clock: .manual, now: Self.start,
            billing: BillingSettings(timeRate: .rate(.oneRenewalEveryTenSeconds)))
        let lab = try await shop.environment("lab")
        #expect(try await lab.buy("yearly", as: "ann").expiresDate == Self.start + .seconds(10))
        #expect(try await shop.store.billingSettings(for: Self.app) == BillingSettings())
    }

    @Test func `renewals can fail though the account can pay`() async throws {
        let shop = try await RenewalTests.shop(kind: .sandbox)
        let first = try await shop.buy("monthly", as: "ann")
        _ = try await shop.store.setBillingSettings(BillingSettings(renewalsFail: true), for: nil)
        _ = try await shop.store.advanceClock(to: Self.start + .minutes(5))
        let standing = try await shop.store.subscriptionStanding(first.id)
        #expect(standing.subscription.isInBillingRetry == true)
    }

    static let wrong: [(BillingSettings, String)] = [
        (BillingSettings(gracePeriodDays: 7), "gracePeriodDays"),
        (BillingSettings(maximumRenewals: -1), "maximumRenewals"),
        (BillingSettings(timeRate: .real, maximumRenewals: 3), "maximumRenewals"),
    ]

    @Test(arguments: wrong)
    func `what can't be is refused by its field`(settings: BillingSettings, field: String) async throws {
        let shop = try await RenewalTests.shop()
        do {
            _ = try await shop.store.setBillingSettings(settings, for: nil)
            Issue.record("\(settings) was taken")
        } catch let error as StoreError {
            #expect((error.code, error.subject) == (.malformed, field))
        }
    }
}
