import Perennial
import Testing

/// The rules of test sessions: time, and actions that only they have (docs/reference/apple-behaviour.md, "Test sessions").
struct TestSessionTests {
    private static let week: Int64 = .days(7)

    @Test func `a test session runs on real time unless it has a rate`() {
        #expect(BillingSettings().timing(.xcode) == .calendar)
        #expect(BillingSettings(timeRate: .real).timing(.xcode) == .calendar)
        // A tester's rate is Sandbox's.
        #expect(BillingSettings().timing(.xcode, tester: .monthlyRenewalEveryHour) == .calendar)
    }

    @Test(arguments: TimeRate.allCases)
    func `no rate of a test session ends by itself`(rate: TimeRate) {
        let timing = BillingSettings(timeRate: .rate(rate)).timing(.xcode)
        #expect(timing == .session(rate))
        #expect(timing.maximumRenewals == nil)
        let limited = BillingSettings(timeRate: .rate(rate), maximumRenewals: 3).timing(.xcode)
        #expect(limited.maximumRenewals == 3)
    }

    @Test func `a test session charges when a period ends, on real time too`() throws {
        let settings = BillingSettings(gracePeriodDays: 16)
        #expect(settings.policy(.xcode).chargeLead == 0)
        #expect(settings.policy(.xcode).grace == settings.policy.grace)
        #expect(settings.policy(.production) == settings.policy)
        let life = try Life(.monthly, billing: settings.policy(.xcode))
        #expect(life.subscription.nextDue == life.subscription.paidUntil)
    }

    @Test func `a test session is an environment for tests`() {
        let session = StoreEnvironment(id: .init(rawValue: 9), name: "test", kind: .xcode, clock: .real)
        #expect(session.isForTests)
        #expect(session.kind.rawValue == "Xcode" && session.kind.receiptType == "Xcode")
        #expect(PendingPurchase.needsApproval(simulated: true, in: .xcode))
        #expect(!PendingPurchase.needsApproval(simulated: false, in: .xcode))
        #expect(AppBilling(sandbox: BillingSettings(gracePeriodDays: 3))[.xcode]?.gracePeriodDays == 3)
    }

    @Test func `a forced renewal ends the running period and begins the next`() throws {
        var life = try Life(.monthly)
        let (first, now) = (life.newest, Life.start + Self.week)
        try life.happen(.setAutoRenew(false), at: Life.start + .days(1))
        #expect(try life.forceRenewal(at: now) == [.renewed])
        #expect(life.transactions.map(\.expiresDate) == [now, Period.month.end(after: now)])
        #expect(life.newest.purchaseDate == now)
        #expect(life.newest.reason == .renewal)
        #expect(life.newest.originalID == first.originalID)
        #expect(life.newest.price == SubscriptionPlan.monthly.price)
        #expect(life.subscription.renewal.isOn)
        #expect(life.subscription.isEntitled(at: now))
        #expect(try life.advance(to: life.subscription.paidUntil) == [.renewed])
    }

    @Test func `a forced renewal succeeds after the end, and while the card is declined`() throws {
        var expired = try Life(.monthly)
        try expired.happen(.setAutoRenew(false), at: Life.start + .days(1))
        let later = expired.subscription.paidUntil + Self.week
        try expired.advance(to: later)
        #expect(expired.subscription.status(at: later) == .expired)
        try expired.forceRenewal(at: later)
        #expect(expired.subscription.status(at: later) == .active)
        #expect(expired.newest.purchaseDate == later)

        var declined = try Life(.monthly)
        declined.cardWorks = false
        let retried = declined.subscription.paidUntil + .days(3)
        try declined.advance(to: retried)
        #expect(declined.subscription.status(at: retried) == .billingRetry)
        try declined.forceRenewal(at: retried)
        #expect(declined.subscription.status(at: retried) == .active)
        #expect(declined.subscription.isInBillingRetry == nil)
    }

    @Test func `a forced renewal drops a pending price increase`() throws {
        var life = try Life(.monthly)
        let higher = Money(milliunits: 9990, .usd)
        try life.happen(.priceChanged(higher, needsConsent: true), at: Life.start + .days(1))
        try life.forceRenewal(at: Life.start + Self.week)
        #expect(life.subscription.renewal.priceIncrease == nil)
        #expect(life.newest.price == SubscriptionPlan.monthly.price)
        #expect(life.subscription.renewal.price == SubscriptionPlan.monthly.price)
    }

    @Test func `ending a subscription without auto-renew is the customer's cancellation`() throws {
        var life = try Life(.monthly)
        try life.happen(.setAutoRenew(false), at: Life.start + .days(1))
        try life.happen(.expireNow, at: Life.start + .days(3))
        #expect(life.subscription.expirationIntent == .customerCancelled)
        #expect(!life.subscription.wasCancelledInBillingRetry)
        var renewing = try Life(.monthly)
        try renewing.happen(.expireNow, at: Life.start + .days(3))
        #expect(renewing.subscription.expirationIntent == .other)
    }

    @Test func `a forced renewal of a revoked subscription is refused`() throws {
        var life = try Life(.monthly)
        try life.happen(.refunded(life.newest, Refund(reason: .other)), at: Life.start + .days(1))
        #expect(throws: SubscriptionError(.wrongState, nil, "")) { try life.forceRenewal(at: Life.start + Self.week) }
    }

    @Test func `consent that is requested and not given ends the subscription with its period`() throws {
        var life = try Life(.monthly)
        let (asked, end) = (Life.start + .days(1), life.subscription.paidUntil)
        life.take(try life.subscription.decidePriceConsentRequest(at: asked))
        #expect(life.last.events.map(\.kind) == [.priceIncreasePending])
        #expect(life.subscription.renewalInfo.priceIncreaseStatus == 0)
        try life.advance(to: end)
        #expect(life.subscription.status(at: end) == .expired)
        #expect(life.subscription.expirationIntent == .priceIncreaseDeclined)
        #expect(throws: SubscriptionError(.wrongState, nil, "")) {
            try life.subscription.decidePriceConsentRequest(at: end)
        }
    }

    @Test func `requested consent is given, and the price stays`() throws {
        var life = try Life(.monthly)
        life.take(try life.subscription.decidePriceConsentRequest(at: Life.start + .days(1)))
        try life.happen(.priceAnswered(accepted: true), at: Life.start + .days(2))
        #expect(life.subscription.renewalInfo.priceIncreaseStatus == 1)
        try life.advance(to: life.subscription.paidUntil)
        #expect(life.newest.reason == .renewal)
        #expect(life.newest.price == SubscriptionPlan.monthly.price)
    }
}

extension Life {
    @discardableResult
    fileprivate mutating func forceRenewal(at now: Instant) throws -> [DomainEvent.Kind] {
        context.renewalPlan = onSale[subscription.renewal.productID]
        var number = transactions.reduce(0) { max($0, $1.id.rawValue, $1.webOrderLineItemID ?? 0) } + 1_000_000
        let decision = try subscription.decideForcedRenewal(at: now, in: context) {
            number += 1
            return number
        }
        take(decision)
        return decision.events.map(\.kind)
    }
}
