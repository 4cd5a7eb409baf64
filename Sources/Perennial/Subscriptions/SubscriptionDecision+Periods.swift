/// A period about to be sold.
struct PeriodSale {
    var product: SubscribedProduct
    var price: Money
    var offer: ActiveOffer?
    var start: Instant
    var anchor: PeriodAnchor
    var reason: Transaction.Reason

    /// Creates the period that follows the paid ones, counted from the anchor. Sold at the regular price unless an
    /// offer applies.
    init(
        _ product: SubscribedProduct, at price: Money, _ offer: ActiveOffer?, after end: Instant,
        _ anchor: PeriodAnchor
    ) {
        self.product = product
        self.price = offer?.terms.price ?? price
        self.offer = offer
        self.start = end
        self.anchor = anchor
        self.reason = .renewal
    }

    /// Creates a period that starts now. Receipts carry whole seconds, so it starts at a whole second.
    init(
        _ product: SubscribedProduct, at price: Money, _ offer: ActiveOffer?, from now: Instant,
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

    /// Returns the period's end and the anchor after it.
    func end(_ timing: SubscriptionTiming) -> (end: Instant, anchor: PeriodAnchor) {
        anchor.end(of: span, from: start, timing)
    }
}

extension SubscriptionDecision {
    /// Sells the next period: creates its transaction and moves the subscription on to it.
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
        subscription.accruePaidService(until: sale.start, context.timing)
        advance(to: sale, transactionID, end: end, anchor: anchor)
        subscription.state = .running(until: end, now, context)
    }

    private mutating func advance(
        to sale: PeriodSale, _ transactionID: TransactionID, end: Instant, anchor: PeriodAnchor
    ) {
        if sale.start - subscription.endOfPaidService > 0 {
            subscription.previous = nil
        } else {
            subscription.previous = subscription.current
        }
        subscription.current = BillingPeriod(
            number: subscription.current.number + 1, transactionID: transactionID, product: sale.product,
            start: sale.start,
            price: sale.price, offer: sale.offer)
        subscription.anchor = anchor
        if sale.price.milliunits > 0 { subscription.paidDays += sale.span.approximateDays }
        if let offer = sale.offer { subscription.recordUse(of: offer.terms, at: sale.start) }
    }

    /// Updates the recent start date if service starts after a long gap (`recentSubscriptionStartDate`).
    mutating func updateRecentStartDate(before start: Instant, _ timing: SubscriptionTiming) {
        if start - subscription.endOfPaidService > timing.longestGap {
            subscription.recentSubscriptionStartDate = start
        }
    }
}

extension Subscription {
    /// The end of paid service, past or future.
    var endOfPaidService: Instant {
        guard case .revoked(let at, let revocation) = state else { return paidUntil }
        return min(at, revocation.paidUntil)
    }

    /// Returns the start of a period that is sold now rather than ahead. After the end of service it is no earlier
    /// than that end, because the clock of the node that ended it may be ahead.
    func startOfPeriod(soldAt now: Instant) -> Instant {
        if case .active = state { return now.wholeSeconds }
        return max(now.wholeSeconds, endOfPaidService)
    }

    /// Records the use of an offer. Each offer is listed once, with its last use.
    mutating func recordUse(of terms: OfferTerms, at start: Instant) {
        let use = OfferUse(kind: terms.kind, id: terms.id, lastUsed: start)
        if let index = offersUsed.firstIndex(where: { $0.kind == use.kind && $0.id == use.id }) {
            offersUsed[index] = use
        } else {
            offersUsed.append(use)
        }
    }
}

extension Subscription.State {
    /// Returns the state of a paid period. A charge that is due already is due at once, but never twice at one
    /// instant.
    static func running(until end: Instant, _ now: Instant, _ context: SubscriptionContext) -> Subscription.State {
        let lead = context.billing.chargeLead(context.timing)
        return .active(until: end, chargeAt: min(max(end + -lead, now + 1), end))
    }
}
