import Perennial
import Testing

/// Charges, grace period and billing retry (docs/reference/apple-behaviour.md, "Grace period", "Billing retry").
struct GraceAndRetryTests {
    private static func grace(_ length: BillingPolicy.GraceLength, _ scope: BillingPolicy.GraceScope = .allRenewals)
        -> BillingPolicy
    {
        BillingPolicy(grace: BillingPolicy.Grace(length, scope: scope), chargeLead: 0)
    }

    @Test func `a timely renewal starts exactly where the last period ended`() throws {
        var life = try Life(.monthly)
        #expect(try life.advance(to: Life.start + .days(100)) == [.renewed, .renewed, .renewed])
        for (earlier, later) in zip(life.transactions, life.transactions.dropFirst()) {
            #expect(later.purchaseDate == earlier.expiresDate)
            #expect(later.originalID == earlier.originalID)
            #expect(later.id != earlier.id)
            #expect(later.webOrderLineItemID != earlier.webOrderLineItemID)
        }
        #expect(life.newest.applicationUsername == "ann")
    }

    @Test func `a renewal is charged within the last 24 hours`() throws {
        var life = try Life(.monthly, billing: BillingPolicy())
        let end = life.subscription.paidUntil
        #expect(life.subscription.nextDue == end + -.hours(24))
        #expect(try life.advance(to: end + -.hours(24)) == [.renewed])
        #expect(life.newest.purchaseDate == end)
        #expect(life.subscription.isEntitled(at: end + -.hours(1)))
    }

    @Test func `a charge declined ahead is silently retried at the end of the period`() throws {
        var life = try Life(.monthly, billing: BillingPolicy())
        life.cardWorks = false
        let end = life.subscription.paidUntil
        #expect(try life.advance(to: end + -1) == [.attemptDeclined])
        #expect(life.subscription.status(at: end + -1) == .active)
        #expect(try life.advance(to: end) == [.renewalFailed])
    }

    @Test func `without a grace period access ends with the paid period`() throws {
        var life = try Life(.monthly)
        life.cardWorks = false
        let end = life.subscription.paidUntil
        #expect(try life.advance(to: end) == [.renewalFailed])
        #expect(life.subscription.status(at: end) == .billingRetry)
        #expect(!life.subscription.isEntitled(at: end))
        #expect(life.subscription.gracePeriodExpires == nil)
    }

    /// The case of a pending downgrade to a week: the weekly renewal fails, so the weekly grace applies.
    @Test(arguments: [BillingPolicy.GraceLength.threeDays, .sixteenDays, .twentyEightDays])
    func `a pending change to a weekly product has the weekly grace period`(
        length: BillingPolicy.GraceLength
    ) throws {
        var life = try Life(.monthly, billing: Self.grace(length))
        try life.happen(.change(.weekly), at: Life.start + 1)
        life.cardWorks = false
        let end = life.subscription.paidUntil
        try life.advance(to: end)
        let grace = Int64.days(min(length.rawValue, 6))
        #expect(life.subscription.gracePeriodExpires == end + grace)
        life.cardWorks = true
        #expect(try life.advance(to: end + grace) == [.recovered])
        #expect(life.newest.productID == SubscriptionPlan.weekly.productID)
        #expect(life.newest.purchaseDate == end)
        #expect(life.newest.expiresDate == end + .days(7))
    }

    @Test func `a pending change to a longer product has its grace period`() throws {
        var life = try Life(.weekly, billing: Self.grace(.sixteenDays))
        try life.happen(.change(.monthly), at: Life.start + 1)
        life.cardWorks = false
        let end = life.subscription.paidUntil
        try life.advance(to: end)
        #expect(life.subscription.gracePeriodExpires == end + .days(16))
    }

    @Test(arguments: [(Int64(2), Int64(6)), (9, 9)])
    func `a change to a weekly product shortens a running grace period`(
        changed: Int64, lasts: Int64
    ) throws {
        var life = try Life(.monthly, billing: Self.grace(.sixteenDays))
        life.cardWorks = false
        let end = life.subscription.paidUntil
        try life.advance(to: end + .days(changed))
        try life.happen(.purchase(.weekly), at: end + .days(changed))
        #expect(life.subscription.gracePeriodExpires == end + .days(lasts))
        try life.advance(to: end + .days(lasts))
        #expect(life.subscription.status(at: end + .days(lasts)) == .billingRetry)
    }

    @Test(arguments: [
        (SubscriptionPlan.monthly, BillingPolicy.GraceLength.threeDays, Int64(3)), (.monthly, .sixteenDays, 16),
        (.monthly, .twentyEightDays, 28), (.weekly, .threeDays, 3), (.weekly, .sixteenDays, 6),
        (.weekly, .twentyEightDays, 6), (.yearly, .sixteenDays, 16),
    ])
    func `grace lasts 3, 16 or 28 days, at most 6 for a weekly subscription`(
        plan: SubscriptionPlan, length: BillingPolicy.GraceLength, days: Int64
    ) throws {
        var life = try Life(plan, billing: Self.grace(length))
        life.cardWorks = false
        let end = life.subscription.paidUntil
        #expect(try life.advance(to: end) == [.renewalFailedWithGrace])
        #expect(life.subscription.gracePeriodExpires == end + .days(days))
        #expect(life.subscription.isEntitled(at: end + (.days(days) - 1)))
        try life.advance(to: end + .days(days))
        #expect(life.events.last?.kind == .gracePeriodEnded)
        #expect(life.events.last?.at == end + .days(days))
        #expect(life.subscription.status(at: end + .days(days)) == .billingRetry)
        #expect(!life.subscription.isEntitled(at: end + .days(days)))
    }

    @Test func `grace for paid renewals excludes the renewal after a free trial`() throws {
        let billing = Self.grace(.sixteenDays, .paidToPaidOnly)
        var trial = try Life(.monthly, offers: [.trial], billing: billing)
        trial.cardWorks = false
        #expect(try trial.advance(to: trial.subscription.paidUntil) == [.renewalFailed])
        var paid = try Life(.monthly, billing: billing)
        paid.cardWorks = false
        #expect(try paid.advance(to: paid.subscription.paidUntil) == [.renewalFailedWithGrace])
        var all = try Life(.monthly, offers: [.trial], billing: Self.grace(.sixteenDays))
        all.cardWorks = false
        #expect(try all.advance(to: all.subscription.paidUntil) == [.renewalFailedWithGrace])
    }

    @Test func `recovery in the grace period leaves no gap`() throws {
        var life = try Life(.monthly, billing: Self.grace(.sixteenDays))
        life.cardWorks = false
        let end = life.subscription.paidUntil
        try life.advance(to: end + .days(9))
        life.cardWorks = true
        #expect(try life.advance(to: end + .days(10)) == [.recovered])
        #expect(life.newest.purchaseDate == end)
        #expect(life.newest.expiresDate == Instant("2025-03-31T10:00:00Z"))
    }

    @Test func `a period that ended before the charge isn't charged`() throws {
        var life = try Life(.monthly, billing: Self.grace(.sixteenDays))
        life.cardWorks = false
        let end = life.subscription.paidUntil
        try life.happen(.change(.weekly), at: Life.start + .days(1))
        try life.advance(to: end + .days(9))
        life.cardWorks = true
        try life.advance(to: end + .days(10))
        #expect(life.newest.purchaseDate == end + .days(10))
        #expect(life.newest.expiresDate == end + .days(17))
    }

    @Test func `recovery after the grace period starts a period at that time`() throws {
        var life = try Life(.monthly, billing: Self.grace(.threeDays))
        life.cardWorks = false
        let end = life.subscription.paidUntil
        try life.advance(to: end + .days(9))
        life.cardWorks = true
        #expect(try life.advance(to: end + .days(10)) == [.recovered])
        #expect(life.newest.purchaseDate == end + .days(10))
        #expect(life.newest.expiresDate == Period.month.end(after: end + .days(10)))
    }

    @Test func `an updated payment method is charged at once`() throws {
        var life = try Life(.monthly)
        life.cardWorks = false
        let end = life.subscription.paidUntil
        try life.advance(to: end + .hours(100))
        life.cardWorks = true
        let mended = end + .hours(101)
        #expect(try life.happen(.paymentMethodUpdated, at: mended) == [.paymentMethodUpdated])
        #expect(life.subscription.nextDue == mended)
        #expect(try life.advance(to: mended) == [.recovered])
        #expect(life.newest.purchaseDate == mended)
    }

    @Test func `buying the same product during billing retry pays the renewal`() throws {
        var life = try Life(.monthly)
        life.cardWorks = false
        let end = life.subscription.paidUntil
        try life.advance(to: end + .days(2))
        #expect(try life.happen(.purchase(.monthly), at: end + .days(3)) == [.recovered])
        #expect(life.last.price == SubscriptionPlan.monthly.price)
    }

    @Test func `an upgrade during billing retry starts at once without a refund`() throws {
        var life = try Life(.monthly)
        life.cardWorks = false
        let end = life.subscription.paidUntil
        try life.advance(to: end + .days(2))
        #expect(try life.happen(.purchase(.premium), at: end + .days(3)) == [.upgraded])
        #expect(life.subscription.status(at: end + .days(3)) == .active)
    }

    @Test func `billing retry ends after 60 days`() throws {
        var life = try Life(.monthly)
        life.cardWorks = false
        let end = life.subscription.paidUntil
        try life.advance(to: end + (.days(60) - 1))
        #expect(life.subscription.status(at: end + (.days(60) - 1)) == .billingRetry)
        #expect(try life.advance(to: end + .days(60)) == [.expiredAfterBillingRetry])
        #expect(life.events.last?.at == end + .days(60))
        #expect(life.subscription.expirationIntent == .billingError)
        #expect(life.subscription.nextDue == nil)
    }

    @Test func `retries follow the schedule`() throws {
        var life = try Life(.monthly)
        life.cardWorks = false
        let end = life.subscription.paidUntil
        try life.advance(to: end + .days(60))
        let declined = life.events.filter { $0.kind == .attemptDeclined }.map { ($0.at - end) / .days(1) }
        #expect(declined == BillingPolicy.retryAttemptDays)
    }

    @Test func `cancelling in grace or billing retry ends the subscription`() throws {
        for policy in [Self.grace(.sixteenDays), BillingPolicy(chargeLead: 0)] {
            var life = try Life(.monthly, billing: policy)
            life.cardWorks = false
            let end = life.subscription.paidUntil
            try life.advance(to: end + .days(1))
            #expect(
                try life.happen(.setAutoRenew(false), at: end + .days(2)) == [.autoRenewDisabled, .expiredByChoice])
            #expect(life.subscription.expirationIntent == .customerCancelled)
            #expect(life.subscription.nextDue == nil)
        }
    }

    @Test func `a charge pays for one period once`() throws {
        var life = try Life(.monthly)
        let end = life.subscription.paidUntil
        try life.happen(.charged(period: 2), at: end)
        #expect(throws: SubscriptionError(.periodAlreadyPaid, nil, "")) {
            try life.happen(.charged(period: 2), at: end)
        }
        #expect(throws: SubscriptionError(.periodAlreadyPaid, nil, "")) {
            try life.happen(.charged(period: 4), at: end)
        }
        #expect(life.transactions.count == 2)
    }

    @Test func `no charge is made further ahead than one period`() throws {
        var life = try Life(.monthly)
        try life.happen(.charged(period: 2), at: Life.start + .days(1))
        #expect(throws: SubscriptionError(.periodAlreadyPaid, nil, "")) {
            try life.happen(.charged(period: 3), at: Life.start + .days(2))
        }
    }

    @Test func `a late decline also ends expired grace and retry`() throws {
        var life = try Life(.monthly, billing: Self.grace(.threeDays))
        let end = life.subscription.paidUntil
        let kinds = try life.happen(.chargeDeclined(period: 2), at: end + .days(70))
        #expect(kinds == [.renewalFailedWithGrace, .gracePeriodEnded, .expiredAfterBillingRetry])
    }
}
