import Testing

@testable import Perennial

/// The commission after one year of paid service in a subscription group.
struct PaidServiceTests {
    /// Returns the proceeds reasons of all sales, in order.
    private static func reasons(_ life: Life) -> [ProceedsReason?] {
        life.events.filter { !$0.postings.isEmpty && $0.kind != .upgradeRefunded }.map(\.facts?.proceedsReason)
    }

    private static func commission(_ event: DomainEvent?) -> Int64? {
        event?.postings.first { $0.account == .commission }?.amount.milliunits
    }

    private static func paidService(_ life: Life) -> Int64 { life.subscription.paidService / .days(1) }

    @Test func `the thirteenth month of a monthly subscription has the reduced commission`() throws {
        var life = try Life(.monthly)
        try life.advance(to: Life.start + .days(420))
        let reasons = Self.reasons(life)
        #expect(reasons.count == 14)
        #expect(reasons.prefix(12).allSatisfy { $0 == nil })
        #expect(reasons.suffix(2).allSatisfy { $0 == .rateAfterOneYear })
        let sales = life.events.filter { !$0.postings.isEmpty }
        #expect(Self.commission(sales[11]) == 1490)
        #expect(Self.commission(sales[12]) == 750)
    }

    @Test(arguments: [(SubscriptionPlan.yearly, 1), (SubscriptionPlan.weekly, 53)])
    func `the first renewal after 365 days has the reduced commission`(plan: SubscriptionPlan, before: Int) throws {
        var life = try Life(plan)
        try life.advance(to: Life.start + .days(380))
        #expect(Self.reasons(life).count { $0 == nil } == before)
        #expect(Self.reasons(life).last == .some(.rateAfterOneYear))
    }

    @Test(arguments: [(Int64(60), true), (61, false)])
    func `a gap of 60 days keeps the paid service, one of 61 doesn't`(days: Int64, isKept: Bool) throws {
        var life = try Life(.monthly)
        try life.advance(to: Life.start + .days(366))
        try life.happen(.setAutoRenew(false), at: Life.start + .days(367))
        let end = life.subscription.paidUntil
        try life.advance(to: end)
        try life.happen(.purchase(.basic), at: end + .days(days))
        #expect(life.kinds().last == .resubscribed)
        #expect(Self.reasons(life).last == .some(isKept ? .rateAfterOneYear : nil))
        #expect(Self.paidService(life) == (isKept ? 393 : 0))
    }

    @Test func `a free trial and an extension don't count`() throws {
        var life = try Life(.monthly, offers: [.trial])
        try life.advance(to: Life.start + .days(7))
        #expect(life.subscription.paidService == 0)
        let extended = RenewalExtension(days: 20, reason: .serviceIssue, requestID: "1")
        try life.happen(.extended(extended), at: Life.start + .days(8))
        try life.advance(to: life.subscription.paidUntil)
        // From 7 February to 7 March, without the 20 days.
        #expect(Self.paidService(life) == 28)
        try life.advance(to: life.subscription.paidUntil)
        #expect(Self.paidService(life) == 28 + 31)
    }

    @Test(arguments: [true, false])
    func `an upgrade and a downgrade keep accruing`(isUpgrade: Bool) throws {
        var life = try Life(.monthly)
        try life.advance(to: Life.start + .days(70))
        let before = life.subscription.paidService
        let plan: SubscriptionPlan = isUpgrade ? .premium : .basic
        let start = life.subscription.current.start
        try life.happen(.purchase(plan), at: Life.start + .days(80))
        if !isUpgrade { try life.advance(to: life.subscription.paidUntil) }
        #expect(life.subscription.product.id == plan.productID)
        #expect(life.subscription.paidService == before + (life.subscription.current.start - start))
        try life.advance(to: Life.start + .days(430))
        #expect(Self.reasons(life).last == .some(.rateAfterOneYear))
    }

    @Test func `an upgrade before a period that was charged ahead counts the time that ran`() throws {
        var life = try Life(.monthly, billing: BillingPolicy())
        let end = life.subscription.paidUntil
        try life.advance(to: end + -.hours(24))
        #expect(life.subscription.current.number == 2)
        try life.happen(.purchase(.premium), at: end + -.hours(12))
        #expect(life.subscription.paidService == end + -.hours(12) - Life.start)
    }

    @Test func `days of billing retry don't count, and recovered days of grace do`() throws {
        for isGrace in [true, false] {
            let grace = isGrace ? BillingPolicy.Grace(.sixteenDays) : nil
            var life = try Life(.monthly, billing: BillingPolicy(grace: grace, chargeLead: 0))
            life.cardWorks = false
            let end = life.subscription.paidUntil
            try life.advance(to: end + .days(3))
            life.cardWorks = true
            try life.happen(.paymentMethodUpdated, at: end + .days(3))
            try life.advance(to: end + .days(3))
            #expect(life.kinds().last == .recovered)
            let next = life.subscription.paidUntil
            try life.advance(to: next)
            let retried: Int64 = isGrace ? 0 : .days(3)
            #expect(life.subscription.paidService == next - Life.start - retried)
        }
    }

    @Test func `a refunded period doesn't count, unless its refund is reversed`() throws {
        for isReversed in [false, true] {
            var life = try Life(.monthly)
            try life.advance(to: Life.start + .days(40))
            let (before, end) = (life.subscription.paidService, life.subscription.paidUntil)
            try life.happen(.refunded(life.newest, Refund()), at: Life.start + .days(45))
            if isReversed { try life.happen(life.reversal(of: life.newest), at: Life.start + .days(46)) }
            try life.advance(to: end)
            try life.happen(.purchase(.monthly), at: end)
            #expect(life.subscription.paidService == (isReversed ? end - Life.start : before))
        }
    }

    @Test(arguments: [SubscriptionTiming.compressed, .session(.monthlyRenewalEveryHour), .session(.oneDayIsOneMinute)])
    func `compressed time has its own year`(timing: SubscriptionTiming) throws {
        var life = try Life(.yearly, timing: timing)
        try life.advance(to: life.subscription.paidUntil)
        #expect(Self.reasons(life) == [nil, .rateAfterOneYear])
    }

    @Test func `a record of version 2 estimates the paid service`() throws {
        var life = try Life(.monthly)
        try life.advance(to: Life.start + .days(380))
        let document = life.subscription.document
        let counted = "\(life.subscription.paidService / 1000);"
        let old = "2" + document.dropFirst().replacing(counted, with: "", maxReplacements: 1)
        let read = try Subscription(document: old)
        #expect(read.paidService == life.subscription.paidService)
        #expect(read.paidService == .days(365))
    }

    @Test func `a renewal at a price that isn't sold any more is preserved`() throws {
        var life = try Life(.monthly)
        life.onSale[SubscriptionPlan.monthly.productID] = .plan("monthly", level: 2, .month, 7990)
        try life.advance(to: life.subscription.paidUntil)
        let renewal = try #require(life.events.last)
        #expect(renewal.facts == SaleFacts(isPricePreserved: true))
        #expect(life.newest.price.milliunits == 4990)
        #expect(JournalEntry(renewal, of: life.subscription).facts == renewal.facts)
    }
}
