import Perennial
import Testing

/// Offers and their eligibility (docs/reference/apple-behaviour.md, "Offers").
struct OfferTests {
    private func offer(
        _ id: String?, _ mode: Offer.PaymentMode = .freeTrial, eligibility: Set<Offer.Eligibility> = [],
        isStackable: Bool = false
    ) -> Offer {
        Offer(
            id: id, paymentMode: mode, period: .month, basePrice: .zero(.usd), eligibility: eligibility,
            isStackable: isStackable)
    }

    private func product(code: Offer? = nil, winBack rules: WinBackRules? = nil) -> Product {
        var winBack = offer("return")
        winBack.winBackRules = rules
        return Product(
            id: SubscriptionPlan.monthly.productID, type: .autoRenewable, referenceName: "Monthly",
            basePrice: SubscriptionPlan.monthly.price,
            subscription: Product.Subscription(
                groupID: "magazine", level: 2, period: .month, introductoryOffer: offer(nil),
                promotionalOffers: [offer("spring")], codeOffers: [code ?? offer("radio")],
                winBackOffers: [winBack]))
    }

    private func terms(
        _ request: OfferRequest, _ life: Life?, at now: Instant = Life.start, code: Offer? = nil,
        winBack rules: WinBackRules? = nil
    ) throws -> [OfferTerms] {
        try request.terms(
            for: product(code: code, winBack: rules), in: .usa, GroupSubscriptions(own: life?.subscription),
            at: now, life?.context.timing ?? .calendar)
    }

    private func expired(_ offers: [OfferTerms] = []) throws -> Life {
        var life = try Life(.monthly, offers: offers)
        try life.happen(.setAutoRenew(false), at: Life.start)
        try life.advance(to: life.subscription.paidUntil)
        return life
    }

    @Test func `introductory: a free trial is one free period, then the regular price`() throws {
        var life = try Life(.monthly, offers: [.trial])
        #expect(life.newest.price.milliunits == 0)
        #expect(life.newest.expiresDate == Life.start + .days(7))
        #expect(life.newest.offer == AppliedOffer(kind: .introductory, id: nil, paymentMode: .freeTrial, period: .week))
        #expect(life.last.events[0].postings.isEmpty)
        try life.advance(to: life.subscription.paidUntil)
        #expect(life.newest.price == SubscriptionPlan.monthly.price)
        #expect(life.newest.offer == nil)
    }

    @Test func `introductory: pay as you go discounts each of its periods`() throws {
        var life = try Life(.monthly, offers: [.introductoryMonths])
        try life.advance(to: Life.start + .days(130))
        #expect(life.transactions.map(\.price.milliunits) == [990, 990, 990, 4990, 4990])
        #expect(life.transactions.map { $0.offer != nil } == [true, true, true, false, false])
    }

    @Test func `introductory: pay up front has one price for its span`() throws {
        var life = try Life(.monthly, offers: [.introductoryUpFront])
        #expect(life.newest.price.milliunits == 2990)
        #expect(life.newest.expiresDate == Instant("2025-04-30T10:00:00Z"))
        try life.advance(to: life.subscription.paidUntil)
        #expect(life.newest.price == SubscriptionPlan.monthly.price)
        #expect(life.newest.expiresDate == Instant("2025-05-31T10:00:00Z"))
    }

    @Test func `introductory: once in a group, for any of its products`() throws {
        #expect(try terms(.automatic(), nil).map(\.kind) == [.introductory])
        #expect(try terms(.automatic(), expired([.trial])).isEmpty)
        #expect(try terms(.automatic(), expired()).map(\.kind) == [.introductory])
    }

    @Test func `introductory: the seller's signed decision overrides the store's rule`() throws {
        #expect(try terms(.automatic(allowIntroductory: true), expired([.trial])).count == 1)
        #expect(try terms(.automatic(allowIntroductory: false), nil).isEmpty)
    }

    @Test func `promotional: for existing and lapsed subscribers, not for new ones`() throws {
        #expect(try terms(.promotional(id: "spring"), Life(.monthly)).map(\.id) == ["spring"])
        #expect(try terms(.promotional(id: "spring"), expired()).map(\.id) == ["spring"])
        #expect(throws: OfferError(.notEligible, "", "")) { try terms(.promotional(id: "spring"), nil) }
        #expect(throws: OfferError(.unknownOffer, "", "")) { try terms(.promotional(id: "autumn"), Life(.monthly)) }
    }

    @Test func `promotional: redeemed while active, it applies from the next renewal`() throws {
        var life = try Life(.monthly)
        try life.happen(.purchase(.monthly, offers: [.promotion]), at: Life.start + .days(1))
        #expect(life.last.price == nil)
        #expect(life.subscription.renewalInfo.offer?.id == "spring")
        #expect(life.subscription.renewalInfo.renewalPrice == OfferTerms.promotion.price)
        try life.advance(to: Life.start + .days(100))
        #expect(life.transactions.map(\.price.milliunits) == [4990, 1990, 1990, 4990])
    }

    struct CodeRow: Sendable {
        var eligibility: Set<Offer.Eligibility>
        /// True for the groups that may redeem the code: new, existing and expired subscribers.
        var expected: [Bool]
    }

    @Test(arguments: [
        CodeRow(eligibility: [.new], expected: [true, false, false]),
        CodeRow(eligibility: [.existing], expected: [false, true, false]),
        CodeRow(eligibility: [.expired], expected: [false, false, true]),
        CodeRow(eligibility: [.new, .expired], expected: [true, false, true]),
        CodeRow(eligibility: [], expected: [true, true, true]),
    ])
    func `offer code: for new, existing or expired subscribers`(row: CodeRow) throws {
        let code = offer("radio", eligibility: row.eligibility)
        let customers = [nil, try Life(.monthly), try expired()]
        let granted = customers.map { (try? terms(.code(offerID: "radio"), $0, code: code)) != nil }
        #expect(granted == row.expected)
    }

    @Test func `offer code: follows the introductory offer only if stackable`() throws {
        let alone = try terms(.code(offerID: "radio"), nil)
        #expect(alone.map(\.kind) == [.code])
        let stacked = try terms(.code(offerID: "radio"), nil, code: offer("radio", isStackable: true))
        #expect(stacked.map(\.kind) == [.introductory, .code])
        var life = try Life(.monthly, offers: stacked)
        try life.advance(to: Life.start + .days(80))
        #expect(life.transactions.map { $0.offer?.kind } == [.introductory, .code, nil])
    }

    @Test func `offer code: an offer is redeemed once by a customer`() throws {
        let life = try expired([.codeOffer])
        #expect(throws: OfferError(.alreadyUsed, "", "")) { try terms(.code(offerID: "radio"), life) }
    }

    @Test func `win-back: for former subscribers, by months paid and months gone`() throws {
        var life = try Life(.monthly)
        let rules = WinBackRules(paidMonths: 3, monthsSinceEnd: 2, maximumMonthsSinceEnd: 12)
        func isGranted(_ life: Life, _ now: Instant) -> Bool {
            (try? terms(.winBack(id: "return"), life, at: now, winBack: rules)) != nil
        }
        try life.advance(to: Instant("2025-04-15T00:00:00Z"))
        #expect(!isGranted(life, Instant("2025-04-15T00:00:00Z")))
        try life.happen(.setAutoRenew(false), at: Instant("2025-04-15T00:00:00Z"))
        try life.advance(to: Instant("2025-05-01T00:00:00Z"))
        #expect(life.subscription.paidMonths == 3)
        #expect(!isGranted(life, Instant("2025-06-30T09:59:59Z")))
        #expect(isGranted(life, Instant("2025-06-30T10:00:00Z")))
        #expect(!isGranted(life, Instant("2026-05-01T00:00:00Z")))
        #expect(!isGranted(try expired(), Instant("2025-06-30T10:00:00Z")))
    }

    @Test func `win-back: not in grace and not in billing retry`() throws {
        let billing = BillingPolicy(grace: BillingPolicy.Grace(.threeDays), chargeLead: 0)
        var life = try Life(.monthly, billing: billing)
        life.cardWorks = false
        let end = life.subscription.paidUntil
        let admitsAll = WinBackRules(paidMonths: 0, monthsSinceEnd: 0)
        for days: Int64 in [1, 40] {
            try life.advance(to: end + .days(days))
            #expect(throws: OfferError(.notEligible, "", "")) {
                try terms(.winBack(id: "return"), life, at: end + .days(days), winBack: admitsAll)
            }
        }
        try life.advance(to: end + .days(60))
        let granted = try terms(.winBack(id: "return"), life, at: end + .days(60), winBack: admitsAll)
        #expect(granted.map(\.kind) == [.winBack])
    }

    @Test func `win-back: the next offer requires a wait`() throws {
        var life = try expired()
        let rules = WinBackRules(paidMonths: 0, monthsSinceEnd: 0, monthsBetweenOffers: 6)
        let back = life.subscription.paidUntil
        let offers = try terms(.winBack(id: "return"), life, at: back, winBack: rules)
        #expect(try life.happen(.purchase(.monthly, offers: offers), at: back) == [.resubscribed])
        #expect(life.newest.offer?.kind == .winBack)
        try life.happen(.setAutoRenew(false), at: back)
        try life.advance(to: life.subscription.paidUntil)
        let soon = Period(5, .month).end(after: back)
        #expect(throws: OfferError(.notEligible, "", "")) {
            try terms(.winBack(id: "return"), life, at: soon, winBack: rules)
        }
        let later = Period(6, .month).end(after: back)
        #expect(try terms(.winBack(id: "return"), life, at: later, winBack: rules).count == 1)
    }

    @Test func `no offer is available during billing retry`() throws {
        var life = try Life(.monthly)
        life.cardWorks = false
        let end = life.subscription.paidUntil
        try life.advance(to: end)
        #expect(throws: SubscriptionError(.offerNotAvailable, nil, "")) {
            try life.happen(.purchase(.monthly, offers: [.promotion]), at: end + 1)
        }
    }

    @Test func `a second offer is refused while one is running or redeemed`() throws {
        var life = try Life(.monthly)
        try life.happen(.purchase(.monthly, offers: [.promotion]), at: Life.start)
        #expect(throws: SubscriptionError(.offerNotAvailable, nil, "")) {
            try life.happen(.purchase(.monthly, offers: [.codeOffer]), at: Life.start + 1)
        }
    }
}
