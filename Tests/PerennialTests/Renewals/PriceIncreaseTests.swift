import Perennial
import Testing

/// Price increases with and without consent (docs/reference/apple-behaviour.md, "Price increases").
struct PriceIncreaseTests {
    struct Row: Sendable {
        var old: Int64
        var new: Int64
        var period = Period.month
        var sinceLast: Period?
        var needsConsent: Bool
    }

    @Test(arguments: [
        Row(old: 4_990, new: 5_990, needsConsent: false),
        // Above half, not above the amount; above the amount, not above half; above both.
        Row(old: 1_990, new: 3_990, needsConsent: false),
        Row(old: 19_990, new: 25_990, needsConsent: false),
        Row(old: 9_990, new: 15_990, needsConsent: true),
        // Exactly half, exactly the amount: not above.
        Row(old: 20_000, new: 30_000, needsConsent: false),
        Row(old: 5_000, new: 10_000, needsConsent: false),
        Row(old: 39_990, new: 89_990, period: .year, needsConsent: false),
        Row(old: 39_990, new: 99_990, period: .year, needsConsent: true),
        // At most one a year.
        Row(old: 4_990, new: 5_990, sinceLast: Period(11, .month), needsConsent: true),
        Row(old: 4_990, new: 5_990, sinceLast: Period(12, .month), needsConsent: false),
        // A lower price needs no consent.
        Row(old: 9_990, new: 4_990, sinceLast: .week, needsConsent: false),
    ])
    func `consent is needed above both thresholds, or twice in a year`(row: Row) {
        let last = Life.start
        let now = row.sinceLast.map { $0.end(after: last) } ?? last
        let needed = PriceIncreaseRule().needsConsent(
            from: Money(milliunits: row.old, .usd), to: Money(milliunits: row.new, .usd), period: row.period,
            storefront: .usa, last: row.sinceLast == nil ? nil : last, at: now)
        #expect(needed == row.needsConsent)
    }

    @Test func `a storefront can always require consent`() {
        let rule = PriceIncreaseRule(consentStorefronts: [.usa])
        let needed = rule.needsConsent(
            from: Money(milliunits: 4_990, .usd), to: Money(milliunits: 5_000, .usd), period: .month, storefront: .usa,
            last: nil, at: Life.start)
        #expect(needed)
    }

    @Test func `an accepted increase is charged at the next renewal`() throws {
        let price = Money(milliunits: 20_000, .usd)
        var life = try Life(.monthly)
        #expect(try life.happen(.priceChanged(price, needsConsent: true), at: Life.start) == [.priceIncreasePending])
        #expect(life.subscription.renewalInfo.priceIncreaseStatus == 0)
        #expect(life.subscription.renewalInfo.priceConsentStatus == 0)
        #expect(try life.happen(.priceAnswered(accepted: true), at: Life.start + .days(1)) == [.priceIncreaseAccepted])
        #expect(life.subscription.renewalInfo.priceIncreaseStatus == 1)
        #expect(life.subscription.renewalInfo.priceConsentStatus == 1)
        #expect(try life.advance(to: life.subscription.paidUntil) == [.renewed])
        #expect(life.newest.price == price)
        #expect(life.subscription.renewalInfo.priceIncreaseStatus == nil)
        #expect(life.subscription.lastPriceIncrease == Life.start)
    }

    @Test func `an increase without consent is announced and charged`() throws {
        let price = Money(milliunits: 5_990, .usd)
        var life = try Life(.monthly)
        #expect(try life.happen(.priceChanged(price, needsConsent: false), at: Life.start) == [.priceIncreaseAccepted])
        #expect(life.subscription.renewalInfo.priceIncreaseStatus == 1)
        // No consent was requested.
        #expect(life.subscription.renewalInfo.priceConsentStatus == nil)
        #expect(throws: SubscriptionError(.noPriceIncrease, nil, "")) {
            try life.happen(.priceAnswered(accepted: false), at: Life.start)
        }
        try life.advance(to: life.subscription.paidUntil)
        #expect(life.newest.price == price)
    }

    @Test func `a customer who declines and then agrees renews`() throws {
        var life = try Life(.monthly)
        try life.happen(.priceChanged(Money(milliunits: 20_000, .usd), needsConsent: true), at: Life.start)
        #expect(try life.happen(.priceAnswered(accepted: false), at: Life.start + 1) == [.priceIncreaseDeclined])
        #expect(life.subscription.renewalInfo.priceIncreaseStatus == 0)
        try life.happen(.priceAnswered(accepted: true), at: Life.start + 2)
        #expect(try life.advance(to: life.subscription.paidUntil) == [.renewed])
    }

    @Test func `without an answer the subscription expires at the end of its period`() throws {
        var life = try Life(.monthly, billing: BillingPolicy())
        try life.happen(.priceChanged(Money(milliunits: 20_000, .usd), needsConsent: true), at: Life.start)
        let end = life.subscription.paidUntil
        #expect(life.subscription.nextDue == end)
        #expect(try life.advance(to: end) == [.expiredForPriceIncrease])
        #expect(life.transactions.count == 1)
    }

    @Test func `a lower price cancels an increase and needs no consent`() throws {
        var life = try Life(.monthly)
        try life.happen(.priceChanged(Money(milliunits: 20_000, .usd), needsConsent: true), at: Life.start)
        #expect(
            try life.happen(.priceChanged(Money(milliunits: 3_990, .usd), needsConsent: false), at: Life.start) == [
                .priceLowered
            ])
        #expect(life.subscription.renewal.priceIncrease == nil)
        try life.advance(to: life.subscription.paidUntil)
        #expect(life.newest.price.milliunits == 3_990)
    }

    @Test func `a period under an offer needs no consent`() throws {
        var life = try Life(.monthly, offers: [.introductoryMonths])
        try life.happen(.priceChanged(Money(milliunits: 20_000, .usd), needsConsent: true), at: Life.start)
        #expect(try life.advance(to: life.subscription.paidUntil) == [.renewed])
        #expect(life.newest.price.milliunits == 990)
        try life.advance(to: life.subscription.paidUntil)
        #expect(try life.advance(to: life.subscription.paidUntil) == [.expiredForPriceIncrease])
    }

    @Test func `an answer without a price increase is an error`() throws {
        var life = try Life(.monthly)
        #expect(throws: SubscriptionError(.noPriceIncrease, nil, "")) {
            try life.happen(.priceAnswered(accepted: true), at: Life.start)
        }
    }
}
