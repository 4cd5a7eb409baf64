import Perennial
import PerennialStorage
import PerennialStore
import TestSupport
import Testing

/// Failed charges in a running store (docs/reference/apple-behaviour.md, "Grace period", "Billing retry").
struct BillingRetryTests {
    private static let start = Magazine.start
    private static let monthEnd = Period.month.end(after: start)

    static let graces: [(days: Int64, product: String, granted: Int64)] = [
        (3, "month", 3), (16, "month", 16), (28, "month", 28), (3, "week", 3), (16, "week", 6), (28, "week", 6),
        (16, "year", 16),
    ]

    @Test(arguments: graces)
    func `a grace period is 3, 16 or 28 days, weekly at most 6`(
        days: Int64, product: String, granted: Int64
    ) async throws {
        let shop = try await Magazine.shop(.production, BillingSettings(gracePeriodDays: days))
        let first = try await shop.buy(product, as: "ann")
        try await shop.account("ann", payment: .declined)
        let end = try #require(first.expiresDate)
        try await shop.advance(to: end)
        let (_, status, info) = try await shop.snapshot(first.id)
        #expect(status == .gracePeriod)
        #expect(info.gracePeriodExpires == end + .days(granted))
        #expect(info.isInBillingRetry == true)
    }

    @Test func `recovery in the grace period leaves no gap, later recovery does`() async throws {
        for (grace, days, isInside) in [(Int64?(16), Int64(2), true), (16, 20, false), (nil, 2, false)] {
            let shop = try await Magazine.shop(.production, BillingSettings(gracePeriodDays: grace))
            let first = try await shop.buy("month", as: "ann")
            try await shop.account("ann", payment: .declined)
            let recovery = Self.monthEnd + .days(days) + .hours(1)
            try await shop.advance(to: recovery)
            _ = try await shop.store.subscriptions.setPaymentMethod(.valid, of: first.id)
            let periods = try await RenewalTests.periods(shop, of: "ann")
            #expect(periods.last?.purchaseDate == (isInside ? Self.monthEnd : recovery))
        }
    }

    @Test func `PAID_TO_PAID_ONLY gives no grace period after a free offer`() async throws {
        var app = Magazine.app
        let index = try #require(app.products.firstIndex { $0.id.rawValue == "month" })
        app.products[index].subscription?.introductoryOffer = Offer(
            id: nil, paymentMode: .freeTrial, period: .week, periodCount: 1, basePrice: .zero(.usd))
        for (scope, status) in [
            (BillingPolicy.GraceScope.allRenewals, SubscriptionStatus.gracePeriod), (.paidToPaidOnly, .billingRetry),
        ] {
            let shop = try await TestStore.make(app: app)
            _ = try await shop.registry.makeEnvironment(
                "lab", kind: .production, clock: .manual, now: Self.start,
                billing: BillingSettings(gracePeriodDays: 16, gracePeriodScope: scope))
            let lab = try await shop.environment("lab")
            let first = try await lab.buy("month", as: "ann")
            try await lab.account("ann", payment: .declined)
            try await lab.advance(to: try #require(first.expiresDate))
            #expect(try await lab.snapshot(first.id).1 == status)
        }
    }

    @Test func `grace period scopes and durations have the names of Apple's API`() {
        #expect(BillingPolicy.GraceScope.allCases.map(\.rawValue) == ["ALL_RENEWALS", "PAID_TO_PAID_ONLY"])
        #expect(
            BillingPolicy.GraceLength.allCases.map(\.apiName) == ["THREE_DAYS", "SIXTEEN_DAYS", "TWENTY_EIGHT_DAYS"])
    }

    @Test(arguments: [StoreEnvironment.Kind.production, .sandbox])
    func `the grace period of Sandbox is switched on separately`(kind: StoreEnvironment.Kind) async throws {
        let grace = BillingSettings(gracePeriodDays: 16)
        for opted in [StoreEnvironment.Kind.production, .sandbox] {
            var app = Magazine.app
            app.billing = opted == .sandbox ? AppBilling(sandbox: grace) : AppBilling(production: grace)
            let shop = try await Magazine.shop(kind, app: app)
            let first = try await shop.buy("month", as: "ann")
            try await shop.account("ann", payment: .declined)
            try await shop.advance(to: try #require(first.expiresDate))
            #expect(try await shop.snapshot(first.id).1 == (opted == kind ? .gracePeriod : .billingRetry))
        }
    }

    @Test func `a grace period counts as billing retry and shows its end`() async throws {
        let shop = try await Magazine.shop(.production, BillingSettings(gracePeriodDays: 16))
        let first = try await shop.buy("month", as: "ann")
        try await shop.account("ann", payment: .declined)
        for (days, status) in [(Int64(1), SubscriptionStatus.gracePeriod), (20, .billingRetry)] {
            try await shop.advance(to: Self.monthEnd + .days(days))
            #expect(try await shop.snapshot(first.id).1 == status)
            let told = try await shop.signedRenewal(first.id)
            #expect(told["isInBillingRetryPeriod"] == true)
            #expect(told["gracePeriodExpiresDate"]?.number == (Self.monthEnd + .days(16)).milliseconds)
        }
    }

    @Test func `billing retry ends 60 days after expiry, with EXPIRED/BILLING_RETRY`() async throws {
        let shop = try await Magazine.shop(.production, BillingSettings(gracePeriodDays: 16))
        let first = try await shop.buy("month", as: "ann")
        try await shop.account("ann", payment: .declined)
        let end = Self.monthEnd
        for (day, status) in [
            (Int64(0), SubscriptionStatus.gracePeriod), (15, .gracePeriod), (16, .billingRetry), (59, .billingRetry),
            (60, .expired),
        ] {
            try await shop.advance(to: end + .days(day))
            #expect(try await shop.snapshot(first.id).1 == status, "day \(day)")
        }
        #expect(try await shop.snapshot(first.id).2.expirationIntent == .billingError)
        let last = try await shop.journal().last?.entry.kind
        #expect(last == .subscription(.expiredAfterBillingRetry))
    }

    @Test func `billing retry ends with a payment or a cancellation`() async throws {
        let shop = try await Magazine.shop()
        var lines: [TransactionID] = []
        for account in ["ann", "ben"] {
            lines.append(try await shop.buy("month", as: account).id)
            try await shop.account(account, payment: .declined)
        }
        try await shop.advance(to: Self.monthEnd + .days(30))
        for id in lines { #expect(try await shop.snapshot(id).1 == .billingRetry) }
        _ = try await shop.store.subscriptions.setPaymentMethod(.valid, of: lines[0])
        _ = try await shop.store.subscriptions.perform(.setAutoRenew(false), on: lines[1])
        #expect(try await shop.snapshot(lines[0]).1 == .active)
        #expect(try await shop.snapshot(lines[1]).1 == .expired)
        try await shop.advance(to: Self.monthEnd + .days(100))
        #expect(try await shop.snapshot(lines[0]).1 == .active)
        #expect(try await shop.snapshot(lines[1]).2.expirationIntent == .customerCancelled)
    }

    @Test func `each state has its status, auto-renew, retry and intent on the wire`() async throws {
        let shop = try await Magazine.shop(.production, BillingSettings(gracePeriodDays: 3))
        func wire(_ id: TransactionID) async throws -> [Int64?] {
            let (_, status, info) = try await shop.snapshot(id)
            return [
                status.rawValue, info.autoRenewStatus, info.isInBillingRetry.map { $0 ? 1 : 0 },
                info.expirationIntent?.rawValue,
            ]
        }
        let ann = try await shop.buy("month", as: "ann")
        #expect(try await wire(ann.id) == [1, 1, nil, nil])
        let ben = try await shop.buy("month", as: "ben")
        _ = try await shop.store.subscriptions.perform(.setAutoRenew(false), on: ben.id)
        #expect(try await wire(ben.id) == [1, 0, nil, nil])
        try await shop.account("ann", payment: .declined)
        try await shop.advance(to: Self.monthEnd)
        #expect(try await wire(ann.id) == [4, 1, 1, 2])
        #expect(try await wire(ben.id) == [2, 0, 0, 1])
        try await shop.advance(to: Self.monthEnd + .days(3))
        #expect(try await wire(ann.id) == [3, 1, 1, 2])
        try await shop.advance(to: Self.monthEnd + .days(60))
        #expect(try await wire(ann.id) == [2, 0, 0, 2])
        let cem = try await shop.buy("month", as: "cem")
        _ = try await shop.refund(cem)
        #expect(try await wire(cem.id) == [5, 0, nil, nil])
    }

    @Test func `a revoked subscription has status 5, by refund or by family`() async throws {
        let shop = try await RenewalTests.shop()
        let family = try await shop.store.families.make(organizer: "ann", members: ["bob"])
        let bought = try await shop.buy("family.monthly", as: "ann")
        let copy = try #require(try await RenewalTests.periods(shop, of: "bob").first)
        #expect(try await shop.snapshot(copy.id).1 == .active)
        _ = try await shop.store.families.remove("bob", from: family.id)
        #expect(try await shop.snapshot(copy.id).1 == .revoked)
        _ = try await shop.refund(bought)
        #expect(try await shop.snapshot(bought.id).1 == .revoked)
    }
}
