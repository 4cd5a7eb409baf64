extension SubscriptionDecision {
    /// The customer buys a product of the group.
    mutating func purchase(
        _ plan: SubscriptionPlan, _ offers: [OfferTerms], _ now: Instant, _ context: SubscriptionContext,
        _ id: () throws -> Int64
    ) throws {
        try admit(plan)
        switch subscription.state {
        case .active(let until, _):
            guard now < until else { throw refusal(.workOverdue, "the period ended: renew or expire it first") }
            switch plan.change(from: subscription.product) {
            case .same: try buySame(offers, now)
            case .immediate: try upgrade(to: plan, offers, now, context, id)
            case .atRenewal: try schedule(plan, offers, now)
            }
        case .gracePeriod, .billingRetry:
            guard offers.allSatisfy({ $0.kind == .introductory }) else {
                throw refusal(.offerNotAvailable, "no offer is available while a renewal is being retried")
            }
            switch plan.change(from: subscription.product) {
            case .same where subscription.renewal.productID == plan.productID:
                try recover(SubscribedProduct(plan, price: subscription.renewal.price), now, context, id)
            case .same:
                cancelChange(now)
                try limitGrace(toRenewing: plan.period, now, context)
            case .immediate: try begin(plan, [], .upgraded, now, context, id)
            case .atRenewal:
                try schedule(plan, [], now)
                try limitGrace(toRenewing: plan.period, now, context)
            }
        case .expired, .revoked:
            try begin(plan, offers, .resubscribed, now, context, id)
        }
    }

    /// The customer chooses another product in the list of subscriptions: possible as long as there is one.
    mutating func change(
        _ plan: SubscriptionPlan, _ offers: [OfferTerms], _ now: Instant, _ context: SubscriptionContext,
        _ id: () throws -> Int64
    ) throws {
        switch subscription.state {
        case .expired, .revoked: throw refusal(.wrongState, "the subscription has ended: buy it again")
        case .active, .gracePeriod, .billingRetry: break
        }
        if plan.productID == subscription.product.id, subscription.renewal.productID == plan.productID {
            throw refusal(.alreadySubscribed, "\(plan.productID) is what renews")
        }
        try purchase(plan, offers, now, context, id)
    }

    private func admit(_ plan: SubscriptionPlan) throws {
        guard plan.groupID == subscription.groupID else {
            throw refusal(.otherGroup, "\(plan.productID) belongs to the group \(plan.groupID)")
        }
        guard subscription.ownership == .purchased else {
            throw refusal(.familyShared, "this is shared by a family member; buying makes a subscription of its own")
        }
    }

    /// The running product again: an offer for its next renewal, the end of a pending change, or auto-renew turned on.
    private mutating func buySame(_ offers: [OfferTerms], _ now: Instant) throws {
        let isPending = subscription.renewal.productID != subscription.product.id
        let wasOn = subscription.renewal.isOn
        let offer = offers.first { $0.kind != .introductory }
        guard offer != nil || isPending || !wasOn else {
            throw refusal(.alreadySubscribed, "the subscription is active; it renews by itself")
        }
        if offer != nil, subscription.nextOffer != nil {
            throw refusal(.offerNotAvailable, "an offer is running or redeemed already")
        }
        if isPending { cancelChange(now) }
        if let offer {
            subscription.renewal.offer = offer
            subscription.remember(offer, at: now)
            note(.offerRedeemed, at: now)
        }
        turnOn(now)
        reschedule(now)
    }

    /// Keeps the current product: what was chosen for the next renewal is forgotten.
    mutating func cancelChange(_ now: Instant) {
        subscription.renewal.productID = subscription.product.id
        subscription.renewal.price = subscription.product.price
        subscription.renewal.offer = nil
        subscription.renewal.priceIncrease = nil
        note(.changeCancelled, at: now)
    }

    /// A downgrade, or a crossgrade of another duration: nothing is charged now.
    private mutating func schedule(_ plan: SubscriptionPlan, _ offers: [OfferTerms], _ now: Instant) throws {
        let offer = offers.first { $0.kind != .introductory }
        guard subscription.renewal.productID != plan.productID || offer != nil else {
            throw refusal(.alreadySubscribed, "\(plan.productID) is chosen for the next renewal already")
        }
        subscription.renewal.productID = plan.productID
        subscription.renewal.price = plan.price
        subscription.renewal.offer = offer
        subscription.renewal.priceIncrease = nil
        if let offer { subscription.remember(offer, at: now) }
        note(offer == nil ? .downgradeScheduled : .downgradeScheduledWithOffer, at: now)
        turnOn(now)
        reschedule(now)
    }

    /// An upgrade, or a crossgrade of the same duration: the new period begins now, and the unused time of the old one
    /// is given back. Whoever had turned auto-renew off turns it on by it, as by every other purchase.
    private mutating func upgrade(
        to plan: SubscriptionPlan, _ offers: [OfferTerms], _ now: Instant, _ context: SubscriptionContext,
        _ id: () throws -> Int64
    ) throws {
        let replaced = subscription
        changes.append(.upgraded(replaced.current.transactionID))
        if now < replaced.current.start, let running = replaced.previous {
            changes.append(.upgraded(running.transactionID))
        }
        // A stackable code begins with the introductory offer and is redeemed all the same.
        let usesOffer = offers.contains { $0.kind != .introductory }
        try begin(plan, offers, usesOffer ? .upgradedWithOffer : .upgraded, now, context, id)
        for unused in replaced.unusedPeriods(at: now.wholeSeconds) where unused.amount.milliunits > 0 {
            note(
                .upgradeRefunded, at: now, unused.period.transactionID, unused.period.product.id,
                postings: context.sale(of: unused.period.transactionID, at: unused.period.price)
                    .refunding(unused.amount))
        }
        if !replaced.renewal.isOn { note(.autoRenewEnabled, at: now) }
    }

    /// A period of a product that starts now.
    private mutating func begin(
        _ plan: SubscriptionPlan, _ offers: [OfferTerms], _ kind: Fact.Kind, _ now: Instant,
        _ context: SubscriptionContext, _ id: () throws -> Int64
    ) throws {
        let offer = offers.first.map(OfferInForce.init)
        let price = offer?.terms.price ?? plan.price
        let start = subscription.startOfPeriod(soldAt: now)
        noteGap(before: start, context.timing)
        subscription.storefront = plan.storefront
        subscription.renewals = 0
        try sell(
            PeriodSale(SubscribedProduct(plan), at: price, offer, from: start, .purchase), at: now, context, id)
        subscription.renewal = RenewalPreference(
            isOn: true, productID: plan.productID, price: plan.price, offer: offers.dropFirst().first)
        note(kind, at: now, postings: context.terms.postings(forSaleAt: price))
    }
}

extension Subscription {
    /// What has been paid for and not been used at an instant: a share of the running period, and all of one that lies
    /// ahead.
    func unusedPeriods(at now: Instant) -> [(period: SoldPeriod, amount: Money)] {
        let end = paidUntil
        let newest = current.price.share(of: end - max(now, current.start), in: end - current.start)
        guard now < current.start, let previous else { return [(current, newest)] }
        let running = previous.price.share(of: current.start - now, in: current.start - previous.start)
        return [(current, newest), (previous, running)]
    }
}
