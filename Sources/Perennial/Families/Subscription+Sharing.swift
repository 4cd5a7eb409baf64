/// What a family member's copy of a subscription stands for.
package struct SharedSource: Hashable, Sendable, Codable {
    /// The purchaser's transaction of the copy's newest period.
    package var current: TransactionID
    /// The purchaser's transaction of the copy's period before.
    package var previous: TransactionID?
    /// When sharing ends by itself: from then on the purchaser has paid for a product that isn't shared.
    package var ends: Instant?
}

/// A period that a purchaser shares.
struct SharedPeriod {
    var period: SoldPeriod
    /// The instant at which it ends.
    var end: Instant
}

extension Subscription {
    /// A family member gains, or regains, access to what a purchaser subscribes to: to the rest of the running period,
    /// and to the next where it is charged already.
    ///
    /// - Parameters:
    ///   - member: Who it is shared with.
    ///   - earlier: The member's copy of the same purchaser's subscription from an earlier time.
    /// - Throws: ``SubscriptionError``, and what `id` throws.
    package func shared(
        with member: Account.ID, earlier: Subscription? = nil, at now: Instant, id: () throws -> Int64
    ) throws -> SubscriptionDecision {
        let periods = sharedPeriods(at: now)
        guard let first = periods.first else {
            throw SubscriptionError(
                .notShareable, self.id, "only an active subscription of a shareable product is shared")
        }
        var decision = SubscriptionDecision(try copy(for: member, earlier, first, from: now.wholeSeconds, id))
        decision.transactions = [
            decision.subscription.sharedTransaction(
                decision.subscription.current, until: first.end, try id(), reason: .purchase)
        ]
        decision.note(earlier == nil ? .subscribed : .resubscribed, at: now)
        for next in periods.dropFirst() {
            decision.add(next.period, id: TransactionID(rawValue: try id()))
            decision.transactions.append(
                decision.subscription.sharedTransaction(
                    decision.subscription.current, until: next.end, try id(), reason: .renewal))
            decision.note(.renewed, at: now)
        }
        decision.subscription.take(state: self, sharing: periods)
        return decision
    }

    /// What runs, and what was charged ahead, as far as a family shares it; nothing while the purchaser has no access.
    package func sharesAnything(at now: Instant) -> Bool { !sharedPeriods(at: now).isEmpty }

    /// Whether any of the periods that it names is of a product that a family shares.
    package var isShareable: Bool {
        product.isFamilyShareable || previous?.product.isFamilyShareable == true
    }

    func sharedPeriods(at now: Instant) -> [SharedPeriod] {
        guard ownership == .purchased, isEntitled(at: now) else { return [] }
        var periods = [SharedPeriod(period: current, end: paidUntil)]
        if now < current.start, let previous {
            periods.insert(SharedPeriod(period: previous, end: current.start), at: 0)
        }
        return periods.filter(\.period.product.isFamilyShareable)
    }

    /// A family member's copy ends by itself where the purchaser's goes on without it.
    var sharingEnds: Instant? {
        switch state {
        case .active, .gracePeriod, .billingRetry: source?.ends
        case .expired, .revoked: nil
        }
    }

    /// A copy with one period. Who joins in a period has the rest of it; a period begun in grace, when it is over, has
    /// no length.
    private func copy(
        for member: Account.ID, _ earlier: Subscription?, _ first: SharedPeriod, from date: Instant,
        _ id: () throws -> Int64
    ) throws -> Subscription {
        let product = first.period.product
        let transactionID = TransactionID(rawValue: try id())
        let start = max(first.period.start, min(date, first.end))
        let plan = SubscriptionPlan(
            productID: product.id, groupID: groupID, level: product.level, period: product.period, price: product.price,
            storefront: storefront, isFamilyShareable: true)
        var sale = PeriodSale(product, at: .zero(product.price.currency), first.period.offer, from: start, .purchase)
        sale.anchor = anchor
        var copy =
            earlier
            ?? Subscription(
                first: sale, plan, transactionID, Subscriber(member), .familyShared, anchor: anchor, state: state)
        if let earlier {
            copy.storefront = storefront
            copy.recentSubscriptionStartDate = start
            copy.current = SoldPeriod(
                number: earlier.current.number + 1, transactionID: transactionID, product: product, start: start,
                price: sale.price, offer: sale.offer)
            copy.previous = nil
            if let offer = sale.offer { copy.remember(offer.terms, at: start) }
        }
        copy.source = SharedSource(current: first.period.transactionID)
        return copy
    }

    /// Takes over the state of the purchaser's subscription, as far as it is about what is shared.
    mutating func take(state source: Subscription, sharing periods: [SharedPeriod]) {
        mirror(source)
        guard let last = periods.last, last.period.transactionID != source.current.transactionID else { return }
        renewal.isOn = false
        state = .active(until: last.end, chargeAt: last.end)
        self.source?.ends = last.end
    }

    /// Takes over what a member's copy has in common with the purchaser's.
    mutating func mirror(_ source: Subscription) {
        storefront = source.storefront
        anchor = source.anchor
        state = source.state
        renewal = source.renewal
        renewals = source.renewals
        self.source?.ends = nil
    }

    /// What a member is told of a period of the copy.
    func sharedTransaction(
        _ period: SoldPeriod, until end: Instant, _ lineItem: Int64, reason: Transaction.Reason
    ) -> Transaction {
        Transaction(
            id: period.transactionID, originalID: id, accountID: accountID, productID: period.product.id,
            type: .autoRenewable, purchaseDate: period.start, originalPurchaseDate: originalPurchaseDate,
            expiresDate: end, webOrderLineItemID: lineItem, subscriptionGroupID: groupID, price: period.price,
            storefront: storefront, ownership: .familyShared, reason: reason, offer: period.offer?.terms.applied)
    }
}

extension SubscriptionDecision {
    /// A period of the purchaser's, as the copy's newest.
    mutating func add(_ period: SoldPeriod, id: TransactionID) {
        let own = subscription.current
        subscription.previous = own
        subscription.source = SharedSource(
            current: period.transactionID, previous: subscription.source?.current, ends: nil)
        subscription.current = SoldPeriod(
            number: own.number + 1, transactionID: id, product: period.product, start: period.start,
            price: .zero(period.price.currency), offer: period.offer)
        if let offer = period.offer { subscription.remember(offer.terms, at: period.start) }
    }

    /// A family member loses what the purchaser shared: what runs, and what was charged ahead.
    mutating func accessRevoked(_ now: Instant) throws {
        guard subscription.ownership == .familyShared else {
            throw refusal(.notFamilyShared, "the subscription is the customer's own: refund it")
        }
        switch subscription.state {
        case .active, .gracePeriod, .billingRetry: break
        case .expired, .revoked: throw refusal(.wrongState, "the subscription has ended")
        }
        let ended: ExpirationIntent? =
            if case .active = subscription.state { nil } else { subscription.expirationIntent }
        let date = now.wholeSeconds
        subscription.state = .revoked(
            at: date,
            Subscription.Withdrawal(cause: .family, paidUntil: subscription.paidUntil, ended: ended))
        subscription.renewal.isOn = false
        subscription.source?.ends = nil
        if date < subscription.current.start, let running = subscription.previous {
            revoke(running, at: now)
        }
        revoke(subscription.current, at: now)
    }

    /// Takes back one of a member's periods, and tells of it.
    mutating func revoke(_ period: SoldPeriod, at now: Instant) {
        changes.append(
            .revoked(
                period.transactionID,
                RevocationTerms(date: now.wholeSeconds, reason: .other, kind: .familyRevoke, percentage: nil)))
        note(.familyAccessRevoked, at: now, period.transactionID, period.product.id)
    }
}
