/// A period about to be sold.
struct PeriodSale {
    var product: SubscribedProduct
    var price: Money
    var offer: OfferInForce?
    var start: Instant
    var anchor: PeriodAnchor
    var reason: Transaction.Reason

    /// The period after what is paid for, from where the anchor has got to; at the regular price, unless there is an
    /// offer.
    init(
        _ product: SubscribedProduct, at price: Money, _ offer: OfferInForce?, after end: Instant,
        _ anchor: PeriodAnchor
    ) {
        self.product = product
        self.price = offer?.terms.price ?? price
        self.offer = offer
        self.start = end
        self.anchor = anchor
        self.reason = .renewal
    }

    /// A period from now on, counted from now. Receipts carry whole seconds, so periods begin with one.
    init(
        _ product: SubscribedProduct, at price: Money, _ offer: OfferInForce?, from now: Instant,
        _ reason: Transaction.Reason
    ) {
        self.product = product
        self.price = price
        self.offer = offer
        self.start = now.wholeSeconds
        self.anchor = PeriodAnchor(now.wholeSeconds)
        self.reason = reason
    }

    var span: Period { offer?.terms.span ?? product.period }

    /// The period's end, and the anchor moved on to it.
    func end(_ timing: SubscriptionTiming) -> (end: Instant, anchor: PeriodAnchor) {
        anchor.end(of: span, from: start, timing)
    }
}

extension SubscriptionDecision {
    /// Sells the next period: makes its transaction and moves the subscription on to it.
    mutating func sell(
        _ sale: PeriodSale, at now: Instant, _ context: SubscriptionContext, _ id: () throws -> Int64
    ) throws {
        let (end, anchor) = sale.end(context.timing)
        let transactionID = TransactionID(rawValue: try id())
        let orderLine = try id()
        // An event sells one period.
        transactions = [
            Transaction(
                id: transactionID, originalID: subscription.id, accountID: subscription.accountID,
                productID: sale.product.id, type: .autoRenewable, purchaseDate: sale.start,
                originalPurchaseDate: subscription.originalPurchaseDate, expiresDate: end,
                webOrderLineItemID: orderLine,
                subscriptionGroupID: subscription.groupID, price: sale.price, storefront: subscription.storefront,
                ownership: subscription.ownership, reason: sale.reason, offer: sale.offer?.terms.applied,
                applicationUsername: subscription.applicationUsername)
        ]
        moveOn(to: sale, transactionID, end: end, anchor: anchor)
        subscription.state = .running(until: end, now, context)
    }

    private mutating func moveOn(
        to sale: PeriodSale, _ transactionID: TransactionID, end: Instant, anchor: PeriodAnchor
    ) {
        if sale.start - subscription.endOfPaidService > 0 {
            subscription.previous = nil
        } else {
            subscription.previous = subscription.current
        }
        subscription.current = SoldPeriod(
            number: subscription.current.number + 1, transactionID: transactionID, product: sale.product,
            start: sale.start,
            price: sale.price, offer: sale.offer)
        subscription.anchor = anchor
        if sale.price.milliunits > 0 { subscription.paidDays += sale.span.approximateDays }
        if let offer = sale.offer { subscription.remember(offer.terms, at: sale.start) }
    }

    /// Where service starts after a gap: a long one begins a new stretch of subscription.
    mutating func noteGap(before start: Instant, _ timing: SubscriptionTiming) {
        if start - subscription.endOfPaidService > timing.longestGap {
            subscription.recentSubscriptionStartDate = start
        }
    }
}

extension Subscription {
    /// When paid service last ended or will end.
    var endOfPaidService: Instant {
        guard case .revoked(let at, let withdrawal) = state else { return paidUntil }
        return min(at, withdrawal.paidUntil)
    }

    /// Where a period begins that is sold now, and not ahead: at once. Where nothing is in force any more it begins no sooner
    /// than the last one ended: another node's clock, by which it ended, may be a moment ahead.
    func startOfPeriod(soldAt now: Instant) -> Instant {
        if case .active = state { return now.wholeSeconds }
        return max(now.wholeSeconds, endOfPaidService)
    }

    /// Keeps that an offer was used: each offer once, with its last use.
    mutating func remember(_ terms: OfferTerms, at start: Instant) {
        let use = OfferUse(kind: terms.kind, id: terms.id, lastUsed: start)
        if let index = offersUsed.firstIndex(where: { $0.kind == use.kind && $0.id == use.id }) {
            offersUsed[index] = use
        } else {
            offersUsed.append(use)
        }
    }
}

extension Subscription.State {
    /// The state of a paid period. A charge that could be due already is due at once, but never twice at one instant.
    static func running(until end: Instant, _ now: Instant, _ context: SubscriptionContext) -> Subscription.State {
        let lead = context.billing.chargeLead(context.timing)
        return .active(until: end, chargeAt: min(max(end + -lead, now + 1), end))
    }
}
