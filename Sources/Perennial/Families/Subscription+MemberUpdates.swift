extension Subscription {
    /// Decides the effect of a change of the purchaser's subscription on a member subscription: the same periods
    /// without money, and none of the purchaser's choices about renewal and price.
    ///
    /// - Parameters:
    ///   - decision: The decision about the purchaser's subscription.
    ///   - before: The purchaser's subscription before it.
    package func applyingPurchaserChange(
        _ decision: SubscriptionDecision, from before: Subscription, at now: Instant, id: () throws -> Int64
    ) throws -> SubscriptionDecision {
        guard ownership == .familyShared else {
            throw SubscriptionError(
                .notFamilyShared, self.id, "only a family member's copy follows another subscription")
        }
        var member = SubscriptionDecision(self)
        let purchased = decision.subscription
        let periods = purchased.sharedPeriods(at: now)
        if stateName == .revoked {
            // Also after a refund was reversed: a revocation stays, and access is granted anew.
            guard !periods.isEmpty else { return member }
            return try purchased.shared(with: accountID, earlier: self, at: now, id: id)
        }
        let isShared = purchased.stateName != .revoked && (purchased.product.isFamilyShareable || !periods.isEmpty)
        guard isShared else {
            if stateName != .expired { try member.accessRevoked(now) }
            return member
        }
        if !isEntitled(at: now), !periods.isEmpty, !member.subscription.hasNewestPeriod(of: before) {
            return try purchased.shared(with: accountID, earlier: self, at: now, id: id)
        }
        try member.apply(decision, sharing: periods, now, id)
        guard member.subscription.source?.ends == nil else { return member }
        for event in decision.events where Self.notifiedKinds.contains(event.kind) { member.emit(event.kind, at: now) }
        if !member.transactions.isEmpty,
            !member.events.contains(where: { $0.transactionID == member.transactions[0].id })
        {
            member.emit(.resubscribed, at: now)
        }
        return member
    }

    /// The events that members are notified of. The others concern the purchaser alone.
    private static let notifiedKinds: Set<DomainEvent.Kind> = [
        .resubscribed, .upgraded, .upgradedWithOffer, .renewed, .recovered, .renewalFailed, .renewalFailedWithGrace,
        .gracePeriodEnded, .expiredByChoice, .expiredAfterBillingRetry, .expiredForPriceIncrease,
        .expiredProductNotForSale, .expired, .renewalExtended,
    ]

    /// Returns true if the member subscription has the purchaser's newest period.
    private func hasNewestPeriod(of purchased: Subscription) -> Bool {
        source?.current == purchased.current.transactionID
    }

    /// Returns the member's period for a period of the purchaser.
    fileprivate func memberPeriod(for id: TransactionID) -> BillingPeriod? {
        if id == source?.current { return current }
        if id == source?.previous { return previous }
        return nil
    }
}

extension SubscriptionDecision {
    /// Applies the decision about the purchaser's subscription to the member subscription.
    fileprivate mutating func apply(
        _ decision: SubscriptionDecision, sharing periods: [SharedPeriod], _ now: Instant, _ id: () throws -> Int64
    ) throws {
        let purchased = decision.subscription
        for change in decision.changes {
            guard let own = subscription.memberPeriod(for: change.transactionID) else { continue }
            switch change {
            case .upgraded: changes.append(.upgraded(own.transactionID))
            case .expires(_, let date): changes.append(.expires(own.transactionID, date))
            case .reinstated: changes.append(.reinstated(own.transactionID))
            case .revoked: revoke(own, at: now)
            }
        }
        removeStalePeriods(comparedTo: purchased)
        let added = periods.last?.period.transactionID == subscription.source?.current ? nil : periods.last?.period
        if let added {
            add(added, id: TransactionID(rawValue: try id()))
            if purchased.previous == nil { subscription.previous = nil }
            subscription.recentSubscriptionStartDate = max(
                subscription.recentSubscriptionStartDate, purchased.recentSubscriptionStartDate)
        }
        subscription.copyState(of: purchased, sharing: periods)
        guard added != nil else { return try restoreRunningPeriod(periods, now, id) }
        transactions = [
            subscription.sharedTransaction(
                subscription.current, until: subscription.paidUntil, try id(),
                reason: decision.transactions.first?.reason ?? .renewal)
        ]
    }

    /// Restores the running period while the next one is charged already. As after every reversed refund, the
    /// revocation stays, and the rest of the period is a new transaction.
    private mutating func restoreRunningPeriod(_ periods: [SharedPeriod], _ now: Instant, _ id: () throws -> Int64)
        throws
    {
        guard periods.count > 1, let running = periods.first, subscription.previous == nil else { return }
        let (ahead, period) = (subscription.current, running.period)
        let restored = BillingPeriod(
            number: ahead.number, transactionID: TransactionID(rawValue: try id()), product: period.product,
            start: max(period.start, min(now.wholeSeconds, running.end)), price: .zero(period.price.currency),
            offer: period.offer)
        subscription.previous = restored
        subscription.current = BillingPeriod(
            number: ahead.number + 1, transactionID: ahead.transactionID, product: ahead.product, start: ahead.start,
            price: ahead.price, offer: ahead.offer)
        subscription.source?.previous = period.transactionID
        transactions = [
            subscription.sharedTransaction(restored, until: running.end, try id(), reason: .purchase)
        ]
        emit(.resubscribed, at: now, restored.transactionID, restored.product.id)
    }

    /// Removes periods that the purchaser no longer has: refunded ahead of their start, or superseded. Period numbers
    /// are not reused.
    private mutating func removeStalePeriods(comparedTo purchased: Subscription) {
        if let running = subscription.previous, subscription.source?.previous == purchased.current.transactionID {
            subscription.current = BillingPeriod(
                number: subscription.current.number, transactionID: running.transactionID, product: running.product,
                start: running.start, price: running.price, offer: running.offer)
            subscription.previous = nil
            subscription.source = FamilySharingSource(current: purchased.current.transactionID)
        } else if subscription.source?.current == purchased.current.transactionID, purchased.previous == nil {
            subscription.previous = nil
            subscription.source?.previous = nil
        }
    }
}
