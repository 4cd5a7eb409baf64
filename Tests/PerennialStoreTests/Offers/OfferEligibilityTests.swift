import Perennial
import PerennialStorage
import PerennialStore
import TestSupport
import Testing

/// Eligibility for offers in a running store (docs/reference/apple-behaviour.md, "Offers").
struct OfferEligibilityTests {
    private static let start = Magazine.start
    private static let monthEnd = Period.month.end(after: start)
    private static let month = Product.ID(rawValue: "month")
    private static let notForThem = PurchaseRefusal(.offerNotAvailable, month, "")

    private static func cancel(_ bought: [Transaction], in shop: TestStore) async throws {
        for transaction in bought {
            _ = try await shop.store.subscriptions.perform(.setAutoRenew(false), on: transaction.originalID)
        }
    }

    private static func redeem(_ code: String, as account: String, in shop: TestStore) async throws -> Transaction {
        try await shop.store.purchases.redeem(code, idempotencyKey: nil, by: try await shop.customer(account))
    }

    /// Creates a code that any number of customers can redeem for the offer `radio`.
    private static func makeCode(_ word: String, in shop: TestStore) async throws {
        let order = OfferCodeOrder(
            productID: month, offerID: "radio", kind: .custom(word, maximumRedemptions: nil))
        _ = try await shop.store.offers.makeCodes(order, of: TestCatalog.bundleID)
    }

    @Test func `an introductory offer applies by itself, once a group, offerType 1`() async throws {
        let shop = try await Magazine.shop(
            app: Magazine.app(changing: ["month", "gold"]) {
                $0.introductoryOffer = Magazine.offer(nil, .freeTrial, .week, 0)
            })
        let ann = try await shop.buy("month", as: "ann")
        let signed = try await shop.signed(ann)
        #expect(signed["offerType"]?.number == 1)
        #expect(signed["offerIdentifier"]?.text == nil)
        let ben = try await shop.buy("other", as: "ben")
        try await Self.cancel([ann, ben], in: shop)
        try await shop.advance(to: Self.monthEnd)
        #expect(try await shop.buy("gold", as: "ann").offer?.kind == nil, "another product of the same group")
        #expect(try await shop.buy("month", as: "ben").offer?.kind == .introductory)
    }

    @Test func `a change in the list of subscriptions gets the introductory offer too`() async throws {
        let shop = try await Magazine.shop(
            app: Magazine.app(changing: ["gold"]) {
                $0.introductoryOffer = Magazine.offer(nil, .freeTrial, .week, 0)
            })
        func change(_ customer: String, to product: String) async throws -> Transaction {
            let sold = try await shop.buy("month", as: customer)
            return try await shop.store.subscriptions.perform(
                .change(Product.ID(rawValue: product)), on: sold.originalID
            ).transaction
        }
        let gold = try await change("ann", to: "gold")
        #expect(gold.offer?.kind == .introductory)
        #expect(gold.price.milliunits == 0)
        // Once a group, whichever way.
        _ = try await shop.store.subscriptions.perform(.expire, on: gold.originalID)
        #expect(try await shop.buy("month", as: "ann").offer == nil)
        let again = try await shop.store.subscriptions.perform(
            .change(Product.ID(rawValue: "gold")), on: gold.originalID)
        #expect(again.transaction.offer == nil)
        #expect(try await change("ben", to: "other").offer == nil)
        #expect(try await shop.sumOfPostings() == ["USD": 0])
    }

    @Test func `a promotional offer is for present and former subscribers, offerType 2`() async throws {
        let shop = try await Magazine.shop(
            app: Magazine.app(changing: ["month"]) {
                $0.promotionalOffers = [Magazine.offer("half", .payAsYouGo, .month, 4990)]
            })
        let key = TestOfferKey()
        try await key.register(in: shop)
        func buy(_ number: Int) async throws -> Transaction {
            let offer = try key.sign(
                product: "month", nonce: "00000000-0000-4000-8000-00000000000\(number)", at: try await shop.store.now())
            return try await shop.buy("month", claiming: .signed(offer), as: "ann")
        }
        await #expect(throws: Self.notForThem) { try await buy(1) }
        let first = try await shop.buy("month", as: "ann")
        _ = try await buy(2)
        try await shop.advance(to: Self.monthEnd)
        let periods = try await RenewalTests.periods(shop, of: "ann")
        #expect(periods.map(\.price.milliunits) == [9990, 4990])
        let signed = try await shop.signed(periods[1])
        #expect(signed["offerType"]?.number == 2)
        #expect(signed["offerIdentifier"]?.text == "half")
        try await Self.cancel([first], in: shop)
        try await shop.advance(to: Period(2, .month).end(after: Self.start))
        #expect(try await shop.buy("month", as: "ben").offer?.kind == nil, "not without a signature")
        #expect(try await buy(3).price.milliunits == 4990)
    }

    static let audiences: [(eligibility: Set<Offer.Eligibility>, accounts: Set<String>)] = [
        ([.new], ["new"]), ([.existing], ["existing"]), ([.expired], ["expired"]),
        ([.new, .expired], ["new", "expired"]), ([], ["new", "existing", "expired"]),
    ]

    @Test(arguments: audiences.indices)
    func `an offer code is for the subscribers that its offer names`(index: Int) async throws {
        let (eligibility, accounts) = Self.audiences[index]
        let shop = try await Magazine.shop(
            app: Magazine.app(changing: ["month"]) {
                var offer = Magazine.offer("radio", .payAsYouGo, .month, 990)
                offer.eligibility = eligibility
                $0.codeOffers = [offer]
            })
        try await Self.makeCode("SPRING", in: shop)
        try await shop.buy("month", as: "existing")
        try await Self.cancel([try await shop.buy("month", as: "expired")], in: shop)
        try await shop.advance(to: Self.monthEnd)
        for account in ["new", "existing", "expired"] {
            guard accounts.contains(account) else {
                await #expect(throws: Self.notForThem, "\(account)") {
                    try await Self.redeem("SPRING", as: account, in: shop)
                }
                continue
            }
            let line = try await Self.redeem("SPRING", as: account, in: shop).originalID
            try await shop.advance(to: try await shop.store.now() + 1)
            let applies = try await shop.snapshot(line).0
            #expect((applies.renewal.offer ?? applies.current.offer?.terms)?.kind == .code, "\(account)")
        }
    }

    @Test(arguments: [true, false])
    func `a stackable offer code follows the introductory offer`(stacks: Bool) async throws {
        let shop = try await Magazine.shop(
            app: Magazine.app(changing: ["month"]) {
                var offer = Magazine.offer("radio", .payAsYouGo, .month, 990)
                offer.isStackable = stacks
                $0.codeOffers = [offer]
                $0.introductoryOffer = Magazine.offer(nil, .freeTrial, .week, 0)
            })
        try await Self.makeCode("SPRING", in: shop)
        _ = try await Self.redeem("SPRING", as: "ann", in: shop)
        try await shop.advance(to: Self.start + .days(60))
        let periods = try await RenewalTests.periods(shop, of: "ann")
        #expect(periods.prefix(3).map(\.price.milliunits) == (stacks ? [0, 990, 9990] : [990, 9990, 9990]))
        #expect(periods.prefix(2).map { $0.offer?.kind } == (stacks ? [.introductory, .code] : [.code, nil]))
    }

    @Test func `a win-back offer is for former subscribers by its rules, offerType 4`()
        async throws
    {
        let shop = try await Magazine.shop(
            app: Magazine.app(changing: ["month"]) {
                var offer = Magazine.offer("return", .payAsYouGo, .month, 990)
                offer.winBackRules = WinBackRules(
                    paidMonths: 2, monthsSinceEnd: 1, maximumMonthsSinceEnd: 4, monthsBetweenOffers: 3)
                $0.winBackOffers = [offer]
            })
        func takes(_ account: String) async throws -> Bool {
            do {
                return try await shop.buy("month", claiming: .winBack(id: "return"), as: account).offer?.kind
                    == .winBack
            } catch let refusal as PurchaseRefusal where refusal == Self.notForThem {
                return false
            }
        }
        func passes(to day: String) async throws {
            try await shop.advance(to: try #require(Instant(rfc3339: "\(day)T10:00:00Z")))
        }
        let (ann, ben, cem) = (
            try await shop.buy("month", as: "ann"), try await shop.buy("month", as: "ben"),
            try await shop.buy("month", as: "cem")
        )
        #expect(try await !takes("ann"), "subscribed")
        try await Self.cancel([ben], in: shop)
        // Ann and cem leave on 31 March with two months paid, ben on 28 February with one.
        try await passes(to: "2025-03-01")
        try await Self.cancel([ann, cem], in: shop)
        try await passes(to: "2025-04-29")
        #expect(try await !takes("ann"), "not away for a month")
        try await passes(to: "2025-04-30")
        #expect(try await !takes("ben"), "one month paid")
        #expect(try await shop.signedRenewal(ann.id)["eligibleWinBackOfferIds"] == ["return"])
        #expect(try await takes("ann"))
        let back = try #require(try await RenewalTests.periods(shop, of: "ann").last)
        let signed = try await shop.signed(back)
        #expect((signed["offerType"]?.number, signed["offerIdentifier"]?.text) == (4, "return"))
        try await Self.cancel([ann], in: shop)
        try await passes(to: "2025-07-29")
        #expect(try await !takes("ann"), "the wait since the last one")
        try await passes(to: "2025-07-30")
        let shown = PurchaseRequest(productID: Self.month, offerID: "return")
        #expect(
            try await shop.store.purchases.buy(shown, by: shop.customer("ann")).offer?.kind == .winBack, "by the store")
        try await passes(to: "2025-08-01")
        #expect(try await !takes("cem"), "away for more than four months")
    }

    @Test func `win-back offers aren't listed in the grace period or billing retry`() async throws {
        let app = Magazine.app(changing: ["month"]) {
            var offer = Magazine.offer("return", .payAsYouGo, .month, 990)
            offer.winBackRules = WinBackRules(paidMonths: 0, monthsSinceEnd: 0)
            $0.winBackOffers = [offer]
        }
        let shop = try await Magazine.shop(.production, BillingSettings(gracePeriodDays: 3), app: app)
        let first = try await shop.buy("month", as: "ann")
        try await shop.account("ann", payment: .declined)
        for (days, status) in [(Int64(1), SubscriptionStatus.gracePeriod), (10, .billingRetry)] {
            try await shop.advance(to: Self.monthEnd + .days(days))
            #expect(try await shop.snapshot(first.id).1 == status)
            #expect(try await shop.signedRenewal(first.id)["eligibleWinBackOfferIds"]?.elements == nil)
            await #expect(throws: Self.notForThem) {
                try await shop.buy("month", claiming: .winBack(id: "return"), as: "ann")
            }
        }
        try await shop.advance(to: Self.monthEnd + .days(60))
        #expect(try await shop.signedRenewal(first.id)["eligibleWinBackOfferIds"] == ["return"])
    }

    @Test func `an app's codes are redeemed at most a million times a quarter`() async throws {
        let shop = try await Magazine.shop(
            app: Magazine.app(changing: ["month"]) {
                $0.codeOffers = [Magazine.offer("radio", .payAsYouGo, .month, 990)]
            })
        try await Self.makeCode("SPRING", in: shop)
        let environment = shop.store.environment.id.rawValue
        try await shop.database.write { connection in
            _ = try connection.execute(
                """
                INSERT INTO offer_code_redemptions (environment, app, code, account, at, transaction_id)
                WITH RECURSIVE redeemed (number) AS (
                    SELECT 1 UNION ALL SELECT number + 1 FROM redeemed WHERE number < 999999)
                SELECT $1, $2, 'WINTER', 1000000 + number, $3, number FROM redeemed
                """,
                [.integer(environment), .integer(Magazine.app.appleID), .integer(Self.start.milliseconds)])
        }
        #expect(try await Self.redeem("SPRING", as: "ann", in: shop).offer?.kind == .code)
        let tooMany = PurchaseRefusal(.codeNotRedeemable, Self.month, "")
        await #expect(throws: tooMany) { try await Self.redeem("SPRING", as: "ben", in: shop) }
        try await shop.advance(to: try #require(Instant(rfc3339: "2025-03-31T23:59:59Z")))
        await #expect(throws: tooMany) { try await Self.redeem("SPRING", as: "ben", in: shop) }
        try await shop.advance(to: try #require(Instant(rfc3339: "2025-04-01T00:00:00Z")))
        #expect(try await Self.redeem("SPRING", as: "ben", in: shop).offer?.kind == .code)
    }
}
