import Perennial
import PerennialStorage
import PerennialStore
import TestSupport
import Testing

/// Section 6 of the facts sheet, the life of a subscription, in a store that runs.
struct Section6Tests {
    private static let start = Magazine.start
    private static let monthEnd = Period.month.end(after: start)

    @Test func `6.1 an upgrade is at once, with a prorated refund, a new transaction and the old one upgraded`()
        async throws
    {
        let shop = try await Magazine.shop()
        let first = try await shop.buy("month", as: "ann")
        try await shop.advance(to: Self.start + .days(14))
        let gold = try await shop.buy("gold", as: "ann")
        let periods = try await RenewalTests.periods(shop, of: "ann")
        #expect(periods.map(\.isUpgraded) == [true, false])
        #expect(gold.purchaseDate == Self.start + .days(14))
        #expect((gold.reason, gold.originalID) == (.purchase, first.id))
        #expect(periods[0].revocation == nil)
        let given = try await shop.journal().map(\.entry).filter { $0.kind == .subscription(.upgradeRefunded) }
            .flatMap(\.postings).filter { $0.account == .customer }
        // 28 days of February's month, 14 of them unused.
        #expect(given.map(\.amount.milliunits) == [4990])
    }

    @Test func `6.1 a downgrade is at the next renewal, without money, and told of now`() async throws {
        let shop = try await Magazine.shop()
        let gold = try await shop.buy("gold", as: "ann")
        try await shop.buy("month", as: "ann")
        var (subscription, _, info) = try await shop.standing(gold.id)
        #expect((subscription.product.id.rawValue, info.autoRenewProductID.rawValue) == ("gold", "month"))
        #expect(try await RenewalTests.periods(shop, of: "ann").count == 1)
        try await shop.advance(to: Self.monthEnd)
        (subscription, _, info) = try await shop.standing(gold.id)
        let periods = try await RenewalTests.periods(shop, of: "ann")
        #expect(periods.map(\.productID.rawValue) == ["gold", "month"])
        #expect(periods.map(\.reason) == [.purchase, .renewal])
    }

    @Test func `6.1 a crossgrade of the same duration is like an upgrade`() async throws {
        let shop = try await Magazine.shop()
        try await shop.buy("month", as: "ann")
        try await shop.advance(to: Self.start + .days(7))
        let other = try await shop.buy("other", as: "ann")
        #expect(other.purchaseDate == Self.start + .days(7))
        #expect(try await RenewalTests.periods(shop, of: "ann").map(\.isUpgraded) == [true, false])
    }

    @Test func `6.1 a crossgrade of another duration is like a downgrade`() async throws {
        let shop = try await Magazine.shop()
        let first = try await shop.buy("month", as: "ann")
        try await shop.buy("year", as: "ann")
        #expect(try await shop.standing(first.id).2.autoRenewProductID.rawValue == "year")
        try await shop.advance(to: Self.monthEnd)
        let periods = try await RenewalTests.periods(shop, of: "ann")
        #expect(periods.map(\.productID.rawValue) == ["month", "year"])
        #expect(periods.last?.purchaseDate == Self.monthEnd)
    }

    @Test func `6.1 there is one active subscription a group and customer`() async throws {
        let shop = try await Magazine.shop()
        try await shop.buy("month", as: "ann")
        #expect(try await shop.refusal(of: "month", as: "ann").code == .alreadySubscribed)
        try await shop.buy("gold", as: "ann")
        let now = try await shop.store.now()
        #expect(try await RenewalTests.periods(shop, of: "ann").filter { $0.isInForce(at: now) }.count == 1)
    }

    @Test(arguments: Magazine.periods.map(\.id))
    func `6.2 each period starts where the last one ended, with new numbers`(product: String) async throws {
        let shop = try await Magazine.shop()
        let period = try #require(Magazine.periods.first { $0.id == product }?.period)
        let first = try await shop.buy(product, as: "ann")
        try await shop.advance(to: period.end(after: Self.start, number: 3))
        let periods = try await RenewalTests.periods(shop, of: "ann")
        #expect(periods.count == 4)
        for (number, sold) in periods.enumerated() {
            #expect(sold.purchaseDate == (number == 0 ? Self.start : period.end(after: Self.start, number: number)))
            #expect(sold.expiresDate == period.end(after: Self.start, number: number + 1))
            #expect(sold.originalID == first.id)
        }
        #expect(Set(periods.map(\.id)).count == 4)
        #expect(Set(periods.compactMap(\.webOrderLineItemID)).count == 4)
    }

    @Test(arguments: [
        ("2025-01-29T10:00:00Z", ["2025-02-28", "2025-03-29", "2025-04-29"]),
        ("2025-01-31T10:00:00Z", ["2025-02-28", "2025-03-31", "2025-04-30"]),
        ("2024-01-31T10:00:00Z", ["2024-02-29", "2024-03-31", "2024-04-30"]),
    ])
    func `6.2 a month that is too short ends on its last day, and the next on the anniversary`(
        start: String, ends: [String]
    ) async throws {
        let house = try await TestStore.make(app: Magazine.app)
        _ = try await house.registry.makeEnvironment(
            "lab", kind: .production, clock: .manual, now: Instant(rfc3339: start))
        let lab = try await house.environment("lab")
        try await lab.buy("month", as: "ann")
        try await lab.advance(to: try #require(Instant(rfc3339: start)) + .days(75))
        let sold = try await RenewalTests.periods(lab, of: "ann").compactMap(\.expiresDate)
        #expect(sold.map { String($0.rfc3339().prefix(10)) } == ends)
    }

    static let graces: [(days: Int64, product: String, granted: Int64)] = [
        (3, "month", 3), (16, "month", 16), (28, "month", 28), (3, "week", 3), (16, "week", 6), (28, "week", 6),
        (16, "year", 16),
    ]

    @Test(arguments: graces)
    func `6.6 grace is 3, 16 or 28 days, for weekly ones 6 at most`(
        days: Int64, product: String, granted: Int64
    ) async throws {
        let shop = try await Magazine.shop(.production, BillingSettings(gracePeriodDays: days))
        let first = try await shop.buy(product, as: "ann")
        try await shop.account("ann", payment: .declined)
        let end = try #require(first.expiresDate)
        try await shop.advance(to: end)
        let (_, status, info) = try await shop.standing(first.id)
        #expect(status == .gracePeriod)
        #expect(info.gracePeriodExpires == end + .days(granted))
        #expect(info.isInBillingRetry == true)
    }

    @Test func `6.6 recovery inside grace leaves no gap, after it the period starts at the recovery`() async throws {
        for (days, isInside) in [(Int64(2), true), (20, false)] {
            let shop = try await Magazine.shop(.production, BillingSettings(gracePeriodDays: 16))
            let first = try await shop.buy("month", as: "ann")
            try await shop.account("ann", payment: .declined)
            let recovery = Self.monthEnd + .days(days) + .hours(1)
            try await shop.advance(to: recovery)
            _ = try await shop.store.setPaymentMethod(.valid, of: first.id)
            let periods = try await RenewalTests.periods(shop, of: "ann")
            #expect(periods.last?.purchaseDate == (isInside ? Self.monthEnd : recovery))
        }
    }

    @Test func `6.6 PAID_TO_PAID_ONLY gives no grace after a free offer`() async throws {
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
            #expect(try await lab.standing(first.id).1 == status)
        }
    }

    @Test func `6.7 billing retry lasts 60 days from the expiry, then it is EXPIRED by BILLING_RETRY`() async throws {
        let shop = try await Magazine.shop(.production, BillingSettings(gracePeriodDays: 16))
        let first = try await shop.buy("month", as: "ann")
        try await shop.account("ann", payment: .declined)
        let end = Self.monthEnd
        for (day, status) in [
            (Int64(0), SubscriptionStatus.gracePeriod), (15, .gracePeriod), (16, .billingRetry), (59, .billingRetry),
            (60, .expired),
        ] {
            try await shop.advance(to: end + .days(day))
            #expect(try await shop.standing(first.id).1 == status, "day \(day)")
        }
        #expect(try await shop.standing(first.id).2.expirationIntent == .billingError)
        let last = try await shop.journal().last?.entry.kind
        #expect(last == .subscription(.expiredAfterBillingRetry))
    }

    @Test func `6.8 each state has its status, renewal, retry and intent on the wire`() async throws {
        let shop = try await Magazine.shop(.production, BillingSettings(gracePeriodDays: 3))
        func wire(_ id: TransactionID) async throws -> [Int64?] {
            let (_, status, info) = try await shop.standing(id)
            return [
                status.rawValue, info.autoRenewStatus, info.isInBillingRetry.map { $0 ? 1 : 0 },
                info.expirationIntent?.rawValue,
            ]
        }
        let ann = try await shop.buy("month", as: "ann")
        #expect(try await wire(ann.id) == [1, 1, nil, nil])
        let ben = try await shop.buy("month", as: "ben")
        _ = try await shop.store.act(.setAutoRenew(false), on: ben.id)
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

    @Test func `6.9 an operator's end is intent 5, other`() async throws {
        let shop = try await Magazine.shop()
        let first = try await shop.buy("month", as: "ann")
        _ = try await shop.store.act(.expire, on: first.id)
        #expect(try await shop.standing(first.id).2.expirationIntent == .other)
    }

    @Test func `6.11 a refund ends access, and a reversal takes the revocation away again`() async throws {
        let shop = try await Magazine.shop()
        let first = try await shop.buy("month", as: "ann")
        let refunded = try await shop.refund(first, reason: .issueWithApp)
        #expect(refunded.revocation?.reason == .issueWithApp)
        #expect(try await shop.standing(first.id).1 == .revoked)
        #expect(try await shop.store.reverseRefund(first.id).0.revocation == nil)
        #expect(try await shop.standing(first.id).1 == .active)
    }

    @Test func `6.11 each of up to five family members has transactions of their own`() async throws {
        let shop = try await RenewalTests.shop()
        let members = ["bob", "cem", "dan", "eve", "fay"]
        let family = try await shop.store.makeFamily(organizer: "ann", members: members)
        try await shop.buy("family.monthly", as: "ann")
        var lines: Set<TransactionID> = []
        for member in members {
            let copies = try await RenewalTests.periods(shop, of: member)
            #expect(copies.map(\.ownership) == [.familyShared])
            lines.formUnion(copies.map(\.originalID))
        }
        #expect(lines.count == 5)
        await #expect(throws: FamilyError.self) { try await shop.store.addFamilyMember("gus", to: family.id) }
    }

    @Test func `6.11 an Ask to Buy request lives 24 hours, and one approval is one purchase`() async throws {
        let shop = try await Magazine.shop(.sandbox)
        let (token, _) = try await shop.signIn("child")
        let request = PurchaseRequest(productID: Product.ID(rawValue: "month"), quantity: 1)
        try await shop.store.askToBuy(request, token: token)
        #expect(try await RenewalTests.periods(shop, of: "child").isEmpty)
        try await shop.advance(to: Self.start + .hours(23))
        // Asking again restarts the clock.
        try await shop.store.askToBuy(request, token: token)
        try await shop.advance(to: Self.start + .hours(46))
        let waiting = try await shop.store.approvals(bundleID: TestCatalog.bundleID)
        #expect(waiting.count == 1)
        #expect(try await shop.store.answerApproval(waiting[0].id, approved: true) != nil)
        #expect(try await shop.store.answerApproval(waiting[0].id, approved: true) == nil)
        try await shop.store.askToBuy(
            PurchaseRequest(productID: Product.ID(rawValue: "gold"), quantity: 1), token: token)
        try await shop.advance(to: Self.start + .hours(70))
        #expect(try await shop.store.approvals(bundleID: TestCatalog.bundleID).isEmpty)
    }
}
