import Perennial
import Testing

/// Facts sheet 6.2 (when a renewal is charged), 6.6 (grace period) and 6.7 (billing retry).
struct BillingTests {
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

    @Test func `a charge declined ahead of time is tried again at the end, without a word`() throws {
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

    /// A downgrade to a week waits: its renewal is what fails, so its grace is what counts.
    @Test(arguments: [BillingPolicy.GraceLength.threeDays, .sixteenDays, .twentyEightDays])
    func `a pending change to a weekly product has its grace, and a recovery in it leaves no gap`(
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

    @Test func `a pending change to a longer product has the longer one's grace`() throws {
        var life = try Life(.weekly, billing: Self.grace(.sixteenDays))
        try life.happen(.change(.monthly), at: Life.start + 1)
        life.cardWorks = false
        let end = life.subscription.paidUntil
        try life.advance(to: end)
        #expect(life.subscription.gracePeriodExpires == end + .days(16))
    }

    @Test(arguments: [(Int64(2), Int64(6)), (9, 9)])
    func `a change to a weekly product in grace shortens it to the week's, from then on at the latest`(
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
    func `grace lasts 3, 16 or 28 days, 6 at most for a weekly subscription`(
        plan: SubscriptionPlan, length: BillingPolicy.GraceLength, days: Int64
    ) throws {
        var life = try Life(plan, billing: Self.grace(length))
        life.cardWorks = false
        let end = life.subscription.paidUntil
        #expect(try life.advance(to: end) == [.renewalFailedWithGrace])
        #expect(life.subscription.gracePeriodExpires == end + .days(days))
        #expect(life.subscription.isEntitled(at: end + (.days(days) - 1)))
        try life.advance(to: end + .days(days))
        #expect(life.facts.last?.kind == .gracePeriodEnded)
        #expect(life.facts.last?.at == end + .days(days))
        #expect(life.subscription.status(at: end + .days(days)) == .billingRetry)
        #expect(!life.subscription.isEntitled(at: end + .days(days)))
    }

    @Test func `grace for paid renewals only leaves out the one after a free trial`() throws {
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

    @Test func `nobody pays for a period that is over when the charge succeeds`() throws {
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

    @Test func `recovery after the grace period starts the period then`() throws {
        var life = try Life(.monthly, billing: Self.grace(.threeDays))
        life.cardWorks = false
        let end = life.subscription.paidUntil
        try life.advance(to: end + .days(9))
        life.cardWorks = true
        #expect(try life.advance(to: end + .days(10)) == [.recovered])
        #expect(life.newest.purchaseDate == end + .days(10))
        #expect(life.newest.expiresDate == Period.month.end(after: end + .days(10)))
    }

    @Test func `a mended payment method is tried at once`() throws {
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

    @Test func `buying the same product while it is retried pays for it`() throws {
        var life = try Life(.monthly)
        life.cardWorks = false
        let end = life.subscription.paidUntil
        try life.advance(to: end + .days(2))
        #expect(try life.happen(.purchase(.monthly), at: end + .days(3)) == [.recovered])
        #expect(life.last.price == SubscriptionPlan.monthly.price)
    }

    @Test func `an upgrade while a charge is retried starts at once and has nothing to give back`() throws {
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
        #expect(life.facts.last?.at == end + .days(60))
        #expect(life.subscription.expirationIntent == .billingError)
        #expect(life.subscription.nextDue == nil)
    }

    @Test func `the retries are the scheduled ones`() throws {
        var life = try Life(.monthly)
        life.cardWorks = false
        let end = life.subscription.paidUntil
        try life.advance(to: end + .days(60))
        let declined = life.facts.filter { $0.kind == .attemptDeclined }.map { ($0.at - end) / .days(1) }
        #expect(declined == BillingPolicy.retryAttemptDays)
    }

    @Test func `cancelling in the grace period or while a charge is retried ends the subscription`() throws {
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

    @Test func `a decline that comes late ends what is over as well`() throws {
        var life = try Life(.monthly, billing: Self.grace(.threeDays))
        let end = life.subscription.paidUntil
        let kinds = try life.happen(.chargeDeclined(period: 2), at: end + .days(70))
        #expect(kinds == [.renewalFailedWithGrace, .gracePeriodEnded, .expiredAfterBillingRetry])
    }
}
