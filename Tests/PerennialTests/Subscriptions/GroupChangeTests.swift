import Perennial
import Testing

/// Subscription groups and levels of service (docs/reference/apple-behaviour.md, "Subscription groups").
struct GroupChangeTests {
    @Test func `an upgrade takes effect at once and refunds the unused time`() throws {
        var life = try Life(.monthly)
        let old = life.newest
        let middle = old.purchaseDate + .days(14)
        #expect(try life.happen(.purchase(.premium), at: middle) == [.upgraded, .upgradeRefunded])
        let new = life.newest
        #expect(new.reason == .purchase)
        #expect(new.originalID == old.originalID)
        #expect(new.id != old.id)
        #expect(new.purchaseDate == middle)
        #expect(new.price == SubscriptionPlan.premium.price)
        #expect(life.transactions.first?.isUpgraded == true)
        #expect(life.transactions.first?.revocation == nil)
        // 14 of 28 days are unused: half of 4.99, rounded down to a cent.
        let refund = life.last.events[1].postings.first { $0.account == .customer }
        #expect(refund?.amount == Money(milliunits: 2490, .usd))
        #expect(life.last.events[1].transactionID == old.id)
    }

    static let returns: [(SubscriptionPlan, [OfferTerms], [DomainEvent.Kind])] = [
        (.premium, [], [.upgraded, .upgradeRefunded]), (.basic, [], [.downgradeScheduled]),
        (.premium, [.promotion], [.upgradedWithOffer, .upgradeRefunded]), (.monthly, [.promotion], [.offerRedeemed]),
    ]

    @Test(arguments: returns)
    func `an upgrade, a downgrade or an offer turns auto-renew on again`(
        plan: SubscriptionPlan, offers: [OfferTerms], kinds: [DomainEvent.Kind]
    ) throws {
        var life = try Life(.monthly)
        try life.happen(.setAutoRenew(false), at: Life.start + .days(1))
        let told = try life.happen(.purchase(plan, offers: offers), at: Life.start + .days(2))
        #expect(told == kinds + [.autoRenewEnabled])
        #expect(life.subscription.renewal.isOn)
    }

    @Test func `a downgrade takes effect at the next renewal`() throws {
        var life = try Life(.monthly)
        #expect(try life.happen(.purchase(.basic), at: Life.start + .days(3)) == [.downgradeScheduled])
        #expect(life.last.price == nil)
        #expect(life.transactions.count == 1)
        #expect(life.subscription.renewalInfo.autoRenewProductID.rawValue == "basic")
        #expect(life.subscription.product.id.rawValue == "monthly")
        #expect(try life.advance(to: life.subscription.paidUntil) == [.renewed])
        #expect(life.newest.productID.rawValue == "basic")
        #expect(life.newest.reason == .renewal)
        #expect(life.newest.price == SubscriptionPlan.basic.price)
    }

    @Test func `remaining offer periods don't move to the product of a downgrade`() throws {
        var life = try Life(.monthly, offers: [.introductoryMonths])
        try life.happen(.purchase(.basic), at: Life.start + .days(3))
        #expect(life.subscription.nextPrice == SubscriptionPlan.basic.price)
        try life.advance(to: life.subscription.paidUntil)
        #expect(life.newest.productID.rawValue == "basic")
        #expect(life.newest.price == SubscriptionPlan.basic.price)
        #expect(life.newest.offer == nil)
        #expect(life.subscription.nextOffer == nil)
    }

    @Test func `cancelling a downgrade continues the running offer`() throws {
        var life = try Life(.monthly, offers: [.introductoryMonths])
        try life.happen(.purchase(.basic), at: Life.start + .days(3))
        try life.happen(.purchase(.monthly), at: Life.start + .days(4))
        try life.advance(to: life.subscription.paidUntil)
        #expect(life.newest.offer == OfferTerms.introductoryMonths.applied)
        #expect(life.newest.price == OfferTerms.introductoryMonths.price)
    }

    @Test func `a crossgrade of the same duration takes effect at once, like an upgrade`() throws {
        var life = try Life(.monthly)
        #expect(try life.happen(.purchase(.monthlyOther), at: Life.start + .days(1)) == [.upgraded, .upgradeRefunded])
        #expect(life.subscription.product.id.rawValue == "monthly.other")
    }

    @Test func `a crossgrade of another duration takes effect at the next renewal`() throws {
        var life = try Life(.monthly)
        #expect(try life.happen(.purchase(.yearly), at: Life.start + .days(1)) == [.downgradeScheduled])
        try life.advance(to: life.subscription.paidUntil)
        #expect(life.newest.productID.rawValue == "yearly")
        #expect(life.newest.expiresDate == Instant("2026-02-28T10:00:00Z"))
    }

    @Test func `choosing the current product cancels a pending change`() throws {
        var life = try Life(.monthly)
        try life.happen(.change(.basic), at: Life.start + .days(1))
        #expect(try life.happen(.change(.monthly), at: Life.start + .days(2)) == [.changeCancelled])
        #expect(life.subscription.renewal.productID.rawValue == "monthly")
        #expect(life.subscription.renewal.price == SubscriptionPlan.monthly.price)
        try life.advance(to: life.subscription.paidUntil)
        #expect(life.newest.productID.rawValue == "monthly")
    }

    @Test func `the active product can't be bought twice`() throws {
        let life = try Life(.monthly)
        #expect(throws: SubscriptionError(.alreadySubscribed, nil, "")) {
            var again = life
            try again.happen(.purchase(.monthly), at: Life.start + .days(1))
        }
    }

    @Test func `a product of another group is refused`() throws {
        var life = try Life(.monthly)
        var other = SubscriptionPlan.premium
        other.groupID = "films"
        #expect(throws: SubscriptionError(.otherGroup, nil, "")) { try life.happen(.purchase(other), at: Life.start) }
    }

    @Test func `an upgrade refunds a period paid ahead and the rest of the running one`()
        throws
    {
        var life = try Life(.monthly, billing: BillingPolicy())
        let end = life.subscription.paidUntil
        #expect(try life.advance(to: end + -.hours(12)) == [.renewed])
        let kinds = try life.happen(.purchase(.premium), at: end + -.hours(7))
        #expect(kinds == [.upgraded, .upgradeRefunded, .upgradeRefunded])
        #expect(life.transactions.dropLast().allSatisfy { $0.isUpgraded })
        let refunds = life.last.events.dropFirst().compactMap {
            $0.postings.first { $0.account == .customer }?.amount.milliunits
        }
        // 7 of 672 hours of 4.99 are 5.2 cents.
        #expect(refunds == [4990, 50])
        #expect(life.newest.isInForce(at: end))
    }

    @Test(arguments: [
        (SubscriptionPlan.premium, PlanChange.immediate), (.basic, .atRenewal), (.monthlyOther, .immediate),
        (.yearly, .atRenewal), (.monthly, .same), (.weekly, .atRenewal),
    ])
    func `the level decides first, then the duration`(plan: SubscriptionPlan, expected: PlanChange) {
        #expect(plan.change(from: SubscribedProduct(.monthly)) == expected)
    }

    @Test func `twelve months last as long as a year, four weeks not as long as a month`() {
        #expect(Period(12, .month).lasts(asLongAs: .year))
        #expect(!Period(4, .week).lasts(asLongAs: .month))
        #expect(Period(14, .day).lasts(asLongAs: Period(2, .week)))
    }

    @Test func `buying again after expiry continues the history as a resubscription`() throws {
        var life = try Life(.monthly)
        try life.happen(.setAutoRenew(false), at: Life.start + .days(1))
        #expect(try life.advance(to: Life.start + .days(100)) == [.expiredByChoice])
        #expect(try life.happen(.purchase(.basic), at: Life.start + .days(100)) == [.resubscribed])
        #expect(life.newest.originalID == life.subscription.id)
        #expect(life.newest.purchaseDate == Life.start + .days(100))
        #expect(life.subscription.current.number == 2)
        #expect(life.subscription.recentSubscriptionStartDate == Life.start + .days(100))
    }

    @Test func `a gap of up to 60 days keeps the recent start date`() throws {
        var life = try Life(.monthly)
        try life.happen(.setAutoRenew(false), at: Life.start + .days(1))
        let end = life.subscription.paidUntil
        try life.advance(to: end)
        try life.happen(.purchase(.monthly), at: end + .days(60))
        #expect(life.subscription.recentSubscriptionStartDate == Life.start)
    }
}
