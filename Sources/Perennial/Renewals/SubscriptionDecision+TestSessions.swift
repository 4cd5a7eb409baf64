/// Actions of a test session (`SKTestSession`), which no customer, seller or store can do.
extension Subscription {
    /// Renews at once (`forceRenewalOfSubscription`): the running period ends, and the next begins. Turns auto-renew on
    /// and drops a pending price increase. Whatever the payment method, the charge succeeds, also after the
    /// subscription has expired.
    ///
    /// Source: Apple, StoreKitTest documentation, "forceRenewalOfSubscription(productIdentifier:)".
    ///
    /// - Throws: ``SubscriptionError`` `.familyShared`, `.wrongState` after a revocation, `.notRenewing` for a product
    ///   that isn't sold any more.
    package func decideForcedRenewal(
        at now: Instant, in context: SubscriptionContext, id: () throws -> Int64
    ) throws -> SubscriptionDecision {
        var decision = SubscriptionDecision(self)
        try decision.forceRenewal(now, context, id)
        return decision
    }

    /// Asks the customer to consent to a higher price, which stays the price of the catalog
    /// (`requestPriceIncreaseConsentForTransaction`). Without consent the subscription expires with its period.
    ///
    /// - Throws: ``SubscriptionError`` `.wrongState`, `.familyShared`.
    package func decidePriceConsentRequest(at now: Instant) throws -> SubscriptionDecision {
        var decision = SubscriptionDecision(self)
        try decision.requestPriceConsent(now)
        return decision
    }
}

extension SubscriptionDecision {
    fileprivate mutating func forceRenewal(
        _ now: Instant, _ context: SubscriptionContext, _ id: () throws -> Int64
    ) throws {
        try refuseMember()
        dropPriceIncrease()
        guard let product = context.renewedProduct(subscription.renewal.productID, at: subscription.renewal.price)
        else {
            throw refusal(.notRenewing, "\(subscription.renewal.productID) isn't sold any more")
        }
        switch subscription.state {
        case .active(let until, _): cut(runningUntil: until, now)
        case .gracePeriod, .billingRetry, .expired: break
        case .revoked: throw refusal(.wrongState, "the subscription was revoked")
        }
        subscription.renewal.isOn = true
        let start = subscription.startOfPeriod(soldAt: now)
        updateRecentStartDate(before: start, context.timing)
        let sale = PeriodSale(
            product, at: subscription.renewal.price, subscription.nextOffer, from: start, .renewal)
        try renew(sale, .renewed, now, context, id)
    }

    /// Ends the running period now. A period that was charged ahead ends where it begins.
    private mutating func cut(runningUntil until: Instant, _ now: Instant) {
        let end = min(now.wholeSeconds, until)
        if end < subscription.current.start, let running = subscription.previous {
            changes.append(.expires(running.transactionID, end))
        }
        let last = max(end, subscription.current.start)
        changes.append(.expires(subscription.current.transactionID, last))
        subscription.state = .active(until: last, chargeAt: last)
    }

    private mutating func dropPriceIncrease() {
        guard subscription.renewal.priceIncrease != nil else { return }
        subscription.renewal.priceIncrease = nil
        if subscription.renewal.productID == subscription.product.id {
            subscription.renewal.price = subscription.product.price
        }
    }

    fileprivate mutating func requestPriceConsent(_ now: Instant) throws {
        try refuseMember()
        guard case .active = subscription.state else {
            throw refusal(.wrongState, "only an active subscription is told of a new price")
        }
        subscription.renewal.priceIncrease = .awaitingConsent
        emit(.priceIncreasePending, at: now)
    }

    private func refuseMember() throws {
        guard subscription.ownership == .purchased else {
            throw refusal(.familyShared, "the purchaser's subscription decides")
        }
    }
}
