import Perennial
import Testing

/// States on the wire (docs/reference/apple-behaviour.md, "Subscription status", "Expiration intent").
struct StatusTests {
    private let billing = BillingPolicy(grace: BillingPolicy.Grace(.threeDays), chargeLead: 0)

    private func expectWire(
        _ life: Life, at now: Instant, _ status: SubscriptionStatus, autoRenew: Int64, retry: Bool?,
        intent: ExpirationIntent?, location: SourceLocation = #_sourceLocation
    ) {
        let info = life.subscription.renewalInfo
        #expect(life.subscription.status(at: now) == status, sourceLocation: location)
        #expect(info.autoRenewStatus == autoRenew, sourceLocation: location)
        #expect(info.isInBillingRetry == retry, sourceLocation: location)
        #expect(info.expirationIntent == intent, sourceLocation: location)
    }

    @Test func `an active subscription that renews has status 1`() throws {
        let life = try Life(.monthly)
        expectWire(life, at: Life.start, .active, autoRenew: 1, retry: nil, intent: nil)
        #expect(life.subscription.renewalInfo.renewalDate == life.newest.expiresDate)
        #expect(life.subscription.renewalInfo.renewalPrice == SubscriptionPlan.monthly.price)
    }

    @Test func `an active subscription that was cancelled has status 1`() throws {
        var life = try Life(.monthly)
        try life.happen(.setAutoRenew(false), at: Life.start)
        expectWire(life, at: Life.start, .active, autoRenew: 0, retry: nil, intent: nil)
    }

    @Test func `a subscription in the grace period has status 4`() throws {
        var life = try Life(.monthly, billing: billing)
        life.cardWorks = false
        let end = life.subscription.paidUntil
        try life.advance(to: end)
        expectWire(life, at: end, .gracePeriod, autoRenew: 1, retry: true, intent: .billingError)
        #expect(life.subscription.renewalInfo.gracePeriodExpires == end + .days(3))
        #expect(life.subscription.renewalInfo.renewalDate == end)
    }

    @Test func `a subscription in billing retry has status 3`() throws {
        var life = try Life(.monthly, billing: billing)
        life.cardWorks = false
        let end = life.subscription.paidUntil
        try life.advance(to: end + .days(3))
        expectWire(life, at: end + .days(3), .billingRetry, autoRenew: 1, retry: true, intent: .billingError)
    }

    @Test func `a subscription that was cancelled and expired has status 2`() throws {
        var life = try Life(.monthly)
        try life.happen(.setAutoRenew(false), at: Life.start)
        let end = life.subscription.paidUntil
        #expect(try life.advance(to: end) == [.expiredByChoice])
        expectWire(life, at: end, .expired, autoRenew: 0, retry: false, intent: .customerCancelled)
        #expect(life.subscription.renewalInfo.renewalDate == end)
    }

    @Test func `a refunded or revoked subscription has status 5`() throws {
        var life = try Life(.monthly)
        try life.happen(.refunded(life.newest, Refund()), at: Life.start + .days(1))
        expectWire(life, at: Life.start + .days(1), .revoked, autoRenew: 0, retry: nil, intent: nil)
    }

    @Test func `intent 1: the customer cancelled`() throws {
        var life = try Life(.monthly)
        try life.happen(.setAutoRenew(false), at: Life.start)
        try life.advance(to: Life.start + .days(40))
        #expect(life.subscription.expirationIntent?.rawValue == 1)
        #expect(life.last.events.first?.notification?.subtype == "VOLUNTARY")
    }

    @Test func `intent 2: a billing error`() throws {
        var life = try Life(.monthly)
        life.cardWorks = false
        try life.advance(to: Life.start + .days(100))
        #expect(life.subscription.expirationIntent?.rawValue == 2)
        #expect(life.last.events.first?.notification?.subtype == "BILLING_RETRY")
    }

    @Test func `intent 3: no consent to a price increase`() throws {
        var life = try Life(.monthly)
        try life.happen(.priceChanged(Money(milliunits: 20_000, .usd), needsConsent: true), at: Life.start)
        try life.advance(to: Life.start + .days(40))
        #expect(life.subscription.expirationIntent?.rawValue == 3)
        #expect(life.last.events.first?.notification?.subtype == "PRICE_INCREASE")
    }

    @Test func `intent 4: the product is no longer for sale`() throws {
        var life = try Life(.monthly)
        life.onSale = [:]
        let end = life.subscription.paidUntil
        try life.advance(to: Life.start + .days(40))
        #expect(life.subscription.expirationIntent?.rawValue == 4)
        #expect(life.last.events.first?.notification?.subtype == "PRODUCT_NOT_FOR_SALE")
        #expect(life.events.last?.at == end)
    }

    @Test func `intent 4 comes at the end of the period, not a day before`() throws {
        var life = try Life(.monthly, billing: BillingPolicy())
        life.onSale = [:]
        let end = life.subscription.paidUntil
        try life.advance(to: end + -1)
        #expect(life.subscription.status(at: end + -1) == .active)
        #expect(try life.advance(to: end) == [.expiredProductNotForSale])
    }

    @Test func `intent 5: any other reason`() throws {
        var life = try Life(.monthly)
        #expect(try life.happen(.expireNow, at: Life.start + .days(3)) == [.expired])
        #expect(life.subscription.expirationIntent?.rawValue == 5)
        #expect(life.last.events.first?.notification?.type == "EXPIRED")
        #expect(life.last.events.first?.notification?.subtype == nil)
        #expect(life.newest.expiresDate == Life.start + .days(3))
        #expect(life.subscription.status(at: Life.start + .days(3)) == .expired)
    }

    @Test func `auto-renew is turned off and on again`() throws {
        var life = try Life(.monthly)
        #expect(try life.happen(.setAutoRenew(false), at: Life.start) == [.autoRenewDisabled])
        #expect(try life.happen(.setAutoRenew(false), at: Life.start) == [])
        #expect(try life.happen(.setAutoRenew(true), at: Life.start + .days(2)) == [.autoRenewEnabled])
        #expect(try life.advance(to: life.subscription.paidUntil) == [.renewed])
    }

    @Test func `turning auto-renew on in the last hours charges at once`() throws {
        var life = try Life(.monthly, billing: BillingPolicy())
        let end = life.subscription.paidUntil
        try life.happen(.setAutoRenew(false), at: Life.start)
        #expect(life.subscription.nextDue == end)
        try life.happen(.setAutoRenew(true), at: end + -.hours(2))
        #expect(life.subscription.nextDue == end + (1 - .hours(2)))
        #expect(try life.advance(to: end + -.hours(1)) == [.renewed])
        #expect(life.newest.purchaseDate == end)
    }
}
