extension Subscription {
    /// What something that happened to the purchaser's subscription makes of a member's copy: the same periods without
    /// money, and nothing of the purchaser's decisions about renewal and price.
    ///
    /// - Parameters:
    ///   - decision: What was decided about the purchaser's.
    ///   - before: The purchaser's subscription as it was before.
    package func following(
        _ decision: SubscriptionDecision, from before: Subscription, at now: Instant, id: () throws -> Int64
    ) throws -> SubscriptionDecision {
        guard ownership == .familyShared else {
            throw SubscriptionError(
                .notFamilyShared, self.id, "only a family member's copy follows another subscription")
        }
        var copied = SubscriptionDecision(self)
        let purchased = decision.subscription
        let periods = purchased.sharedPeriods(at: now)
        if stateName == .revoked {
            // Also after a refund that was undone: what was taken back stays so, and access is given anew.
            guard !periods.isEmpty else { return copied }
            return try purchased.shared(with: accountID, earlier: self, at: now, id: id)
        }
        let isShared = purchased.stateName != .revoked && (purchased.product.isFamilyShareable || !periods.isEmpty)
        guard isShared else {
            if stateName != .expired { try copied.accessRevoked(now) }
            return copied
        }
        if !isEntitled(at: now), !periods.isEmpty, !copied.subscription.knows(before) {
            return try purchased.shared(with: accountID, earlier: self, at: now, id: id)
        }
        try copied.follow(decision, sharing: periods, now, id)
        guard copied.subscription.source?.ends == nil else { return copied }
        for fact in decision.facts where Self.followed.contains(fact.kind) { copied.note(fact.kind, at: now) }
        if !copied.transactions.isEmpty,
            !copied.facts.contains(where: { $0.transactionID == copied.transactions[0].id })
        {
            copied.note(.resubscribed, at: now)
        }
        return copied
    }

    /// What members are told of; the rest concerns the purchaser alone.
    private static let followed: Set<Fact.Kind> = [
        .resubscribed, .upgraded, .upgradedWithOffer, .renewed, .recovered, .renewalFailed, .renewalFailedWithGrace,
        .gracePeriodEnded, .expiredByChoice, .expiredAfterBillingRetry, .expiredForPriceIncrease,
        .expiredProductNotForSale, .expired, .renewalExtended,
    ]

    /// Whether the copy has the purchaser's newest period.
    private func knows(_ purchased: Subscription) -> Bool {
        source?.current == purchased.current.transactionID
    }

    /// The member's copy of a period of the purchaser's.
    fileprivate func counterpart(of id: TransactionID) -> SoldPeriod? {
        if id == source?.current { return current }
        if id == source?.previous { return previous }
        return nil
    }
}

extension SubscriptionDecision {
    /// Makes of a member's copy what was made of the purchaser's subscription.
    fileprivate mutating func follow(
        _ decision: SubscriptionDecision, sharing periods: [SharedPeriod], _ now: Instant, _ id: () throws -> Int64
    ) throws {
        let purchased = decision.subscription
        for change in decision.changes {
            guard let own = subscription.counterpart(of: change.transactionID) else { continue }
            switch change {
            case .upgraded: changes.append(.upgraded(own.transactionID))
            case .expires(_, let date): changes.append(.expires(own.transactionID, date))
            case .reinstated: changes.append(.reinstated(own.transactionID))
            case .revoked: revoke(own, at: now)
            }
        }
        arrange(as: purchased)
        let added = periods.last?.period.transactionID == subscription.source?.current ? nil : periods.last?.period
        if let added {
            add(added, id: TransactionID(rawValue: try id()))
            if purchased.previous == nil { subscription.previous = nil }
            subscription.recentSubscriptionStartDate = max(
                subscription.recentSubscriptionStartDate, purchased.recentSubscriptionStartDate)
        }
        subscription.take(state: purchased, sharing: periods)
        guard added != nil else { return try regain(periods, now, id) }
        transactions = [
            subscription.sharedTransaction(
                subscription.current, until: subscription.paidUntil, try id(),
                reason: decision.transactions.first?.reason ?? .renewal)
        ]
    }

    /// The running period is in force again while the next one is charged: as after every refund that is undone, what was
    /// taken back stays so, and the rest of the period is a transaction of its own.
    private mutating func regain(_ periods: [SharedPeriod], _ now: Instant, _ id: () throws -> Int64) throws {
        guard periods.count > 1, let running = periods.first, subscription.previous == nil else { return }
        let (ahead, period) = (subscription.current, running.period)
        let regained = SoldPeriod(
            number: ahead.number, transactionID: TransactionID(rawValue: try id()), product: period.product,
            start: max(period.start, min(now.wholeSeconds, running.end)), price: .zero(period.price.currency),
            offer: period.offer)
        subscription.previous = regained
        subscription.current = SoldPeriod(
            number: ahead.number + 1, transactionID: ahead.transactionID, product: ahead.product, start: ahead.start,
            price: ahead.price, offer: ahead.offer)
        subscription.source?.previous = period.transactionID
        transactions = [
            subscription.sharedTransaction(regained, until: running.end, try id(), reason: .purchase)
        ]
        note(.resubscribed, at: now, regained.transactionID, regained.product.id)
    }

    /// Forgets periods that the purchaser has no more: of one charged ahead and refunded, and of one that another took
    /// the place of. Numbers are not used again.
    private mutating func arrange(as purchased: Subscription) {
        if let running = subscription.previous, subscription.source?.previous == purchased.current.transactionID {
            subscription.current = SoldPeriod(
                number: subscription.current.number, transactionID: running.transactionID, product: running.product,
                start: running.start, price: running.price, offer: running.offer)
            subscription.previous = nil
            subscription.source = SharedSource(current: purchased.current.transactionID)
        } else if subscription.source?.current == purchased.current.transactionID, purchased.previous == nil {
            subscription.previous = nil
            subscription.source?.previous = nil
        }
    }
}
