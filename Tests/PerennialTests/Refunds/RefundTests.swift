import Perennial
import Testing

/// Refunds and their fields in transactions (docs/reference/apple-behaviour.md, "Refunds", "Transactions").
struct RefundTests {
    @Test func `a full refund ends access and returns the whole price`() throws {
        var life = try Life(.monthly)
        let now = Life.start + .days(10)
        let kinds = try life.happen(.refunded(life.newest, Refund(.full, reason: .issueWithApp)), at: now)
        #expect(kinds == [.subscriptionRefunded, .autoRenewEnded])
        #expect(
            life.newest.revocation
                == Transaction.Revocation(date: now, reason: .issueWithApp, percentage: Refund.wholePercentage))
        #expect(!life.subscription.isEntitled(at: now))
        guard case .revoked(_, let terms) = life.last.changes.first else {
            Issue.record("no revocation")
            return
        }
        #expect(terms.kind.rawValue == "REFUND_FULL")
        #expect(terms.percentage == 100_000)
        #expect(
            life.last.events[0].postings
                == SaleTerms.standard.postings(forSaleAt: SubscriptionPlan.monthly.price).reversed)
    }

    @Test func `a refund sends REFUND only, an in-app request AUTO_RENEW_DISABLED too`() throws {
        func told(_ kinds: [DomainEvent.Kind]) -> [String] {
            kinds.compactMap(\.notification).map { "\($0.type)\($0.subtype.map { "/\($0)" } ?? "")" }
        }
        var support = try Life(.monthly)
        #expect(told(try support.happen(.refunded(support.newest, Refund()), at: Life.start + 1)) == ["REFUND"])
        #expect(!support.subscription.renewal.isOn)
        var app = try Life(.monthly)
        #expect(
            told(try app.happen(.refundRequested(app.newest.id), at: Life.start + 1)) == [
                "CONSUMPTION_REQUEST", "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED",
            ])
        #expect(try app.happen(.refunded(app.newest, Refund()), at: Life.start + 2) == [.subscriptionRefunded])
    }

    @Test func `a prorated refund returns the unused time`() throws {
        let life = try Life(.monthly)
        let outcome = try Refund(.prorated).outcome(for: life.newest, at: Life.start + .days(21))
        #expect(outcome.amount == Money(milliunits: 1240, .usd))
        #expect(outcome.terms.kind.rawValue == "REFUND_PRORATED")
        #expect(outcome.terms.percentage == 25_000)
    }

    @Test func `a percentage is in thousandths of a percent`() throws {
        let life = try Life(.monthly)
        let half = try Refund(.percentage(milliunits: 50_000)).outcome(for: life.newest, at: Life.start)
        #expect(half.amount == Money(milliunits: 2490, .usd))
        #expect(half.terms.kind == .proratedRefund)
        #expect(half.terms.percentage == 50_000)
        let whole = try Refund(.percentage(milliunits: 100_000)).outcome(for: life.newest, at: Life.start)
        #expect(whole.terms.kind == .fullRefund)
        for wrong: Int64 in [0, -1, 100_001] {
            #expect(throws: RefundError(.invalidPercentage, life.newest.id, "")) {
                try Refund(.percentage(milliunits: wrong)).outcome(for: life.newest, at: Life.start)
            }
        }
    }

    @Test func `a prorated refund after the period is refused`() throws {
        let life = try Life(.monthly)
        #expect(throws: RefundError(.nothingUnused, life.newest.id, "")) {
            try Refund(.prorated).outcome(for: life.newest, at: life.subscription.paidUntil)
        }
    }

    @Test func `a transaction is refunded once`() throws {
        var life = try Life(.monthly)
        try life.happen(.refunded(life.newest, Refund()), at: Life.start)
        #expect(throws: RefundError(.alreadyRefunded, life.newest.id, "")) {
            try life.happen(.refunded(life.newest, Refund()), at: Life.start)
        }
    }

    @Test func `a refund of an earlier period keeps the subscription's state`() throws {
        var life = try Life(.monthly)
        let first = life.newest
        try life.advance(to: life.subscription.paidUntil)
        let state = life.subscription.state
        #expect(
            try life.happen(.refunded(first, Refund()), at: life.newest.purchaseDate + 5) == [.subscriptionRefunded])
        #expect(life.subscription.state == state)
        #expect(life.transactions[0].revocation != nil)
    }

    @Test func `a reversal removes the revocation and keeps the renewal date`() throws {
        var life = try Life(.monthly)
        let end = life.subscription.paidUntil
        try life.happen(.refunded(life.newest, Refund()), at: Life.start + .days(1))
        let kinds = try life.happen(life.reversal(of: life.newest), at: Life.start + .days(5))
        #expect(kinds == [.subscriptionRefundReversed])
        #expect(life.newest.revocation == nil)
        #expect(life.subscription.status(at: Life.start + .days(5)) == .active)
        #expect(life.subscription.paidUntil == end)
        // Auto-renew was turned off by the refund.
        #expect(try life.advance(to: end) == [.expiredByChoice])
    }

    @Test func `a reversal after the period's end leaves it expired`() throws {
        var life = try Life(.monthly)
        let end = life.subscription.paidUntil
        try life.happen(.refunded(life.newest, Refund()), at: Life.start + .days(1))
        try life.happen(life.reversal(of: life.newest), at: end + .days(5))
        #expect(life.subscription.status(at: end + .days(5)) == .expired)
        #expect(life.newest.revocation == nil)
    }

    @Test func `a reversal after another purchase keeps the newer one in force`() throws {
        var life = try Life(.monthly)
        let first = life.newest
        try life.happen(.refunded(first, Refund()), at: Life.start + .days(1))
        try life.happen(.purchase(.monthly), at: Life.start + .days(2))
        try life.happen(life.reversal(of: life.transactions[0]), at: Life.start + .days(3))
        #expect(life.transactions.filter { $0.isInForce(at: Life.start + .days(3)) }.map(\.id) == [life.newest.id])
        #expect(life.transactions[0].revocation == nil)
    }

    @Test(arguments: [true, false])
    func `a reversal of the period charged ahead restores its product`(isInCatalog: Bool) throws {
        var life = try Life(.premium, billing: BillingPolicy(chargeLead: .days(1)))
        let end = life.subscription.paidUntil
        try life.happen(.change(.yearly), at: Life.start + .days(1))
        try life.advance(to: end + -.hours(20))
        try life.happen(.refunded(life.newest, Refund()), at: end + -.hours(19))
        #expect(life.subscription.product == SubscribedProduct(.premium))
        if !isInCatalog { life.onSale[SubscriptionPlan.yearly.productID] = nil }
        try life.happen(life.reversal(of: life.newest), at: end + -.hours(18))
        #expect(life.subscription.product.id == SubscriptionPlan.yearly.productID)
        #expect(life.subscription.product.price == SubscriptionPlan.yearly.price)
        #expect(!isInCatalog || life.subscription.product == SubscribedProduct(.yearly))
        #expect(life.subscription.previous?.product == SubscribedProduct(.premium))
        #expect(life.subscription.paidUntil == life.newest.expiresDate)
    }

    @Test func `a reversal without a refund is refused`() throws {
        var life = try Life(.monthly)
        #expect(throws: RefundError(.notRefunded, life.newest.id, "")) {
            try life.happen(life.reversal(of: life.newest), at: Life.start)
        }
    }

    @Test func `another subscription's transaction isn't refunded`() throws {
        var life = try Life(.monthly)
        var other = life.newest
        other.originalID = TransactionID(rawValue: 5)
        #expect(throws: SubscriptionError(.notThisSubscription, nil, "")) {
            try life.happen(.refunded(other, Refund()), at: Life.start)
        }
    }

    @Test func `a refund while a charge is retried stops the retry`() throws {
        var life = try Life(.monthly)
        life.cardWorks = false
        let end = life.subscription.paidUntil
        try life.advance(to: end + .days(3))
        try life.happen(.refunded(life.newest, Refund()), at: end + .days(3))
        #expect(life.subscription.nextDue == nil)
        try life.happen(life.reversal(of: life.newest), at: end + .days(4))
        #expect(life.subscription.expirationIntent == .billingError)
    }

    @Test func `a refund after an upgrade returns the rest of the price only`() throws {
        var life = try Life(.monthly)
        try life.happen(.purchase(.premium), at: Life.start + .days(14))
        let old = life.transactions[0]
        #expect(throws: RefundError(.alreadyRefunded, old.id, "")) {
            try Refund().outcome(for: old, at: Life.start + .days(15))
        }
        let outcome = try Refund(refundedBefore: life.given(for: old)).outcome(for: old, at: Life.start + .days(15))
        #expect(outcome.amount == Money(milliunits: 2500, .usd))
    }

    @Test func `an upgrade doesn't refund a refunded period again`() throws {
        var life = try Life(.monthly, billing: BillingPolicy())
        let end = life.subscription.paidUntil
        try life.advance(to: end + -.hours(20))
        try life.happen(.refunded(life.transactions[0], Refund()), at: end + -.hours(19))
        let kinds = try life.happen(.purchase(.premium), at: end + -.hours(10))
        #expect(kinds == [.upgraded, .upgradeRefunded])
    }

    @Test func `a period that ended before it began has nothing to prorate`() throws {
        var life = try Life(.monthly, billing: BillingPolicy())
        let end = life.subscription.paidUntil
        try life.advance(to: end + -.hours(20))
        try life.happen(.expireNow, at: end + -.hours(19))
        #expect(life.newest.expiresDate == life.newest.purchaseDate)
        #expect(!life.newest.isInForce(at: end + -.hours(18)))
        #expect(throws: RefundError(.nothingUnused, life.newest.id, "")) {
            try life.happen(.refunded(life.newest, Refund(.prorated)), at: end + -.hours(18))
        }
    }

    @Test func `a refund of the period charged ahead keeps the running one`() throws {
        var life = try Life(.monthly, billing: BillingPolicy())
        let end = life.subscription.paidUntil
        try life.advance(to: end + -.hours(20))
        let ahead = life.newest
        let kinds = try life.happen(.refunded(ahead, Refund()), at: end + -.hours(19))
        #expect(kinds == [.subscriptionRefunded, .autoRenewEnded])
        #expect(life.subscription.isEntitled(at: end + -1))
        #expect(life.subscription.paidUntil == end)
        var renewed = life
        #expect(try life.advance(to: end) == [.expiredByChoice])
        // With auto-renew on again it renews on the anchor's day, under a new period number.
        try renewed.happen(.setAutoRenew(true), at: end + -.hours(10))
        try renewed.advance(to: end)
        #expect(renewed.newest.purchaseDate == end)
        #expect(renewed.newest.expiresDate == ahead.expiresDate)
        #expect(renewed.subscription.current.number == 3)
    }

    @Test(arguments: [-Int64.hours(10), .hours(10)])
    func `a reversal restores the period charged ahead`(offset: Int64) throws {
        var life = try Life(.monthly, billing: BillingPolicy())
        let end = life.subscription.paidUntil
        try life.advance(to: end + -.hours(20))
        try life.happen(.refunded(life.newest, Refund()), at: end + -.hours(19))
        try life.advance(to: end + offset)
        try life.happen(life.reversal(of: life.newest), at: end + offset)
        #expect(life.subscription.status(at: end + offset) == .active)
        #expect(life.subscription.paidUntil == life.newest.expiresDate)
        #expect(life.newest.isInForce(at: end + .days(3)))
    }
}
