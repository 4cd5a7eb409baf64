/// The purchaser's periods behind a member subscription.
package struct FamilySharingSource: Hashable, Sendable, Codable {
    /// The purchaser's transaction for the newest period.
    package var current: TransactionID
    /// The purchaser's transaction for the period before.
    package var previous: TransactionID?
    /// The end of sharing, where the purchaser has paid for a product that isn't shared.
    package var ends: Instant?
}

/// A shared period of a purchaser.
struct SharedPeriod {
    var period: BillingPeriod
    /// The end of the period.
    var end: Instant
}

extension Subscription {
    /// Grants a family member access to the purchaser's subscription: to the rest of the running period, and to the
    /// next one if it is charged already.
    ///
    /// - Parameters:
    ///   - member: The family member.
    ///   - earlier: The member's earlier subscription for the same purchaser.
    /// - Throws: ``SubscriptionError`` and the errors of `id`.
    package func shared(
        with member: Account.ID, earlier: Subscription? = nil, at now: Instant, id: () throws -> Int64
    ) throws -> SubscriptionDecision {
        let periods = sharedPeriods(at: now)
        guard let first = periods.first else {
            throw SubscriptionError(
                .notShareable, self.id, "only an active subscription of a shareable product is shared")
        }
        var decision = SubscriptionDecision(
            try memberSubscription(for: member, earlier, first, from: now.wholeSeconds, id))
        decision.transactions = [
            decision.subscription.sharedTransaction(
                decision.subscription.current, until: first.end, try id(), reason: .purchase)
        ]
        decision.emit(earlier == nil ? .subscribed : .resubscribed, at: now)
        for next in periods.dropFirst() {
            decision.add(next.period, id: TransactionID(rawValue: try id()))
            decision.transactions.append(
                decision.subscription.sharedTransaction(
                    decision.subscription.current, until: next.end, try id(), reason: .renewal))
            decision.emit(.renewed, at: now)
        }
        decision.subscription.copyState(of: self, sharing: periods)
        return decision
    }

    /// Returns true if a family shares the running period or the one charged ahead.
    package func isSharing(at now: Instant) -> Bool { !sharedPeriods(at: now).isEmpty }

    /// True if the product of the newest period or of the one before can be shared.
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

    /// The end of a member subscription whose purchaser continues without sharing.
    var sharingEnds: Instant? {
        switch state {
        case .active, .gracePeriod, .billingRetry: source?.ends
        case .expired, .revoked: nil
        }
    }

    /// Creates a member subscription with one period. A member who joins during a period gets its rest; in grace,
    /// after the period's end, the period has no length.
    private func memberSubscription(
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
        var subscription =
            earlier
            ?? Subscription(
                first: sale, plan, transactionID, Subscriber(member), .familyShared, anchor: anchor, state: state)
        if let earlier {
            subscription.storefront = storefront
            subscription.recentSubscriptionStartDate = start
            subscription.current = BillingPeriod(
                number: earlier.current.number + 1, transactionID: transactionID, product: product, start: start,
                price: sale.price, offer: sale.offer)
            subscription.previous = nil
            if let offer = sale.offer { subscription.recordUse(of: offer.terms, at: start) }
        }
        subscription.source = FamilySharingSource(current: first.period.transactionID)
        return subscription
    }

    /// Copies the purchaser's state, limited to the shared periods.
    mutating func copyState(of source: Subscription, sharing periods: [SharedPeriod]) {
        copyState(of: source)
        guard let last = periods.last, last.period.transactionID != source.current.transactionID else { return }
        renewal.isOn = false
        state = .active(until: last.end, chargeAt: last.end)
        self.source?.ends = last.end
    }

    /// Copies the fields that a member subscription has in common with the purchaser's.
    mutating func copyState(of source: Subscription) {
        storefront = source.storefront
        anchor = source.anchor
        state = source.state
        renewal = source.renewal
        renewals = source.renewals
        self.source?.ends = nil
    }

    /// Returns the member's transaction for a period.
    func sharedTransaction(
        _ period: BillingPeriod, until end: Instant, _ lineItem: Int64, reason: Transaction.Reason
    ) -> Transaction {
        Transaction(
            id: period.transactionID, originalID: id, accountID: accountID, productID: period.product.id,
            type: .autoRenewable, purchaseDate: period.start, originalPurchaseDate: originalPurchaseDate,
            expiresDate: end, webOrderLineItemID: lineItem, subscriptionGroupID: groupID, price: period.price,
            storefront: storefront, ownership: .familyShared, reason: reason, offer: period.offer?.terms.applied)
    }
}

extension SubscriptionDecision {
    /// Adds a period of the purchaser as the newest one.
    mutating func add(_ period: BillingPeriod, id: TransactionID) {
        let own = subscription.current
        subscription.previous = own
        subscription.source = FamilySharingSource(
            current: period.transactionID, previous: subscription.source?.current, ends: nil)
        subscription.current = BillingPeriod(
            number: own.number + 1, transactionID: id, product: period.product, start: period.start,
            price: .zero(period.price.currency), offer: period.offer)
        if let offer = period.offer { subscription.recordUse(of: offer.terms, at: period.start) }
    }

    /// Revokes the member's running period and the one charged ahead.
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
            Subscription.Revocation(cause: .family, paidUntil: subscription.paidUntil, ended: ended))
        subscription.renewal.isOn = false
        subscription.source?.ends = nil
        if date < subscription.current.start, let running = subscription.previous {
            revoke(running, at: now)
        }
        revoke(subscription.current, at: now)
    }

    /// Revokes one of a member's periods and emits the event.
    mutating func revoke(_ period: BillingPeriod, at now: Instant) {
        changes.append(
            .revoked(
                period.transactionID,
                RevocationTerms(date: now.wholeSeconds, reason: .other, kind: .familyRevoke, percentage: nil)))
        emit(.familyAccessRevoked, at: now, period.transactionID, period.product.id)
    }
}
