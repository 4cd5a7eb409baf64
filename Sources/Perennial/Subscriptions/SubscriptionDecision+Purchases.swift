extension SubscriptionDecision {
    /// Buys a product of the group: the same one, another one, or any after the end.
    mutating func purchase(
        _ plan: SubscriptionPlan, _ offers: [OfferTerms], _ now: Instant, _ context: SubscriptionContext,
        _ id: () throws -> Int64
    ) throws {
        try expectPurchasable(plan)
        switch subscription.state {
        case .active(let until, _):
            guard now < until else { throw refusal(.workOverdue, "the period ended: renew or expire it first") }
            switch plan.change(from: subscription.product) {
            case .same: try buyRunningProduct(offers, now)
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

    /// Changes the plan in the list of subscriptions. Requires a subscription that has not ended.
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

    private func expectPurchasable(_ plan: SubscriptionPlan) throws {
        guard plan.groupID == subscription.groupID else {
            throw refusal(.otherGroup, "\(plan.productID) belongs to the group \(plan.groupID)")
        }
        guard subscription.ownership == .purchased else {
            throw refusal(.familyShared, "this is shared by a family member; buying makes a subscription of its own")
        }
    }

    /// Buys the running product again: redeems an offer for the next renewal, cancels a pending change, or turns
    /// auto-renew on.
    private mutating func buyRunningProduct(_ offers: [OfferTerms], _ now: Instant) throws {
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
            subscription.recordUse(of: offer, at: now)
            emit(.offerRedeemed, at: now)
        }
        turnOn(now)
        reschedule(now)
    }

    /// Keeps the current product and cancels the pending change.
    mutating func cancelChange(_ now: Instant) {
        subscription.renewal.productID = subscription.product.id
        subscription.renewal.price = subscription.product.price
        subscription.renewal.offer = nil
        subscription.renewal.priceIncrease = nil
        emit(.changeCancelled, at: now)
    }

    /// Schedules a downgrade, or a crossgrade of another duration. Charges nothing now.
    private mutating func schedule(_ plan: SubscriptionPlan, _ offers: [OfferTerms], _ now: Instant) throws {
        let offer = offers.first { $0.kind != .introductory }
        guard subscription.renewal.productID != plan.productID || offer != nil else {
            throw refusal(.alreadySubscribed, "\(plan.productID) is chosen for the next renewal already")
        }
        subscription.renewal.productID = plan.productID
        subscription.renewal.price = plan.price
        subscription.renewal.offer = offer
        subscription.renewal.priceIncrease = nil
        if let offer { subscription.recordUse(of: offer, at: now) }
        emit(offer == nil ? .downgradeScheduled : .downgradeScheduledWithOffer, at: now)
        turnOn(now)
        reschedule(now)
    }

    /// Upgrades, or crossgrades to a product of the same duration: a new period begins now, and the unused time of
    /// the old one is refunded. Turns auto-renew on, as every purchase does.
    private mutating func upgrade(
        to plan: SubscriptionPlan, _ offers: [OfferTerms], _ now: Instant, _ context: SubscriptionContext,
        _ id: () throws -> Int64
    ) throws {
        let replaced = subscription
        changes.append(.upgraded(replaced.current.transactionID))
        if now < replaced.current.start, let running = replaced.previous {
            changes.append(.upgraded(running.transactionID))
        }
        // A stackable code starts with the introductory offer but counts as redeemed.
        let usesOffer = offers.contains { $0.kind != .introductory }
        try begin(plan, offers, usesOffer ? .upgradedWithOffer : .upgraded, now, context, id)
        for unused in replaced.unusedPeriods(at: now.wholeSeconds) where unused.amount.milliunits > 0 {
            emit(
                .upgradeRefunded, at: now, unused.period.transactionID, unused.period.product.id,
                postings: context.sale(
                    of: unused.period.transactionID, at: unused.period.price, in: replaced.storefront
                ).refunding(unused.amount, of: unused.period.price))
        }
        if !replaced.renewal.isOn { emit(.autoRenewEnabled, at: now) }
    }

    /// Starts a period of a product now.
    private mutating func begin(
        _ plan: SubscriptionPlan, _ offers: [OfferTerms], _ kind: DomainEvent.Kind, _ now: Instant,
        _ context: SubscriptionContext, _ id: () throws -> Int64
    ) throws {
        let offer = offers.first.map(ActiveOffer.init)
        let price = offer?.terms.price ?? plan.price
        let start = subscription.startOfPeriod(soldAt: now)
        updateRecentStartDate(before: start, context.timing)
        subscription.storefront = plan.storefront
        subscription.renewals = 0
        try sell(
            PeriodSale(SubscribedProduct(plan), at: price, offer, from: start, .purchase), at: now, context, id)
        subscription.renewal = RenewalPreference(
            isOn: true, productID: plan.productID, price: plan.price, offer: offers.dropFirst().first)
        emitSale(kind, at: now, context)
    }
}

extension Subscription {
    /// Returns the paid and unused amount of each period: a share of the running one, and all of one that lies ahead.
    func unusedPeriods(at now: Instant) -> [(period: BillingPeriod, amount: Money)] {
        let end = paidUntil
        let newest = current.price.share(of: end - max(now, current.start), in: end - current.start)
        guard now < current.start, let previous else { return [(current, newest)] }
        let running = previous.price.share(of: current.start - now, in: current.start - previous.start)
        return [(current, newest), (previous, running)]
    }
}
