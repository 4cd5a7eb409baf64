extension SubscriptionDecision {
    /// Records the customer's refund request. The seller is asked about consumption, and an active subscription
    /// doesn't renew while the request is open.
    mutating func refundRequested(_ transactionID: TransactionID, _ now: Instant) throws {
        emit(.refundRequested, at: now, transactionID, subscription.product.id)
        if case .active = subscription.state { turnOff(now) }
    }

    mutating func refundDeclined(_ transactionID: TransactionID, _ now: Instant) {
        emit(.subscriptionRefundDeclined, at: now, transactionID, subscription.product.id)
    }

    /// Refunds a period. The newest period's refund ends the subscription and its renewal; an earlier period's refund
    /// changes its transaction only.
    ///
    /// The notification is `REFUND` alone: `AUTO_RENEW_DISABLED` is for changes by the customer, including a refund
    /// request in the app (``refundRequested(_:_:)``).
    mutating func refunded(
        _ transaction: Transaction, _ refund: Refund, _ now: Instant, _ context: SubscriptionContext
    ) throws {
        try expectOwn(transaction)
        let outcome = try refund.outcome(for: transaction, at: now)
        let isNewest = transaction.id == subscription.current.transactionID
        if isNewest, case .revoked = subscription.state {
            throw RefundError(.alreadyRefunded, transaction.id, "the subscription was refunded before")
        }
        changes.append(.revoked(transaction.id, outcome.terms))
        emit(
            .subscriptionRefunded, at: now, transaction.id, transaction.productID,
            postings: outcome.postings(
                ofSale: context.sale(of: transaction.id, at: transaction.price, in: transaction.storefront)))
        guard isNewest else {
            // A later upgrade has nothing left to refund for it.
            if transaction.id == subscription.previous?.transactionID { subscription.previous = nil }
            return
        }
        subscription.renewal.priceIncrease = nil
        subscription.renewal.offer = nil
        if case .active = subscription.state, now < subscription.current.start, let running = subscription.previous {
            rollBackRenewal(to: running)
            return endAutoRenew(now)
        }
        let ended: ExpirationIntent? =
            if case .active = subscription.state { nil } else { subscription.expirationIntent }
        subscription.state = .revoked(
            at: outcome.terms.date,
            Subscription.Revocation(cause: .refund, paidUntil: subscription.paidUntil, ended: ended))
        endAutoRenew(now)
    }

    private mutating func endAutoRenew(_ now: Instant) {
        guard subscription.renewal.isOn else { return }
        subscription.renewal.isOn = false
        emit(.autoRenewEnded, at: now)
    }

    /// Removes the refunded period that was charged ahead. The running period continues to its end. Period numbers
    /// are not reused.
    private mutating func rollBackRenewal(to running: BillingPeriod) {
        let ahead = subscription.current
        let end = ahead.start
        subscription.removePaidService(of: running, until: end)
        subscription.anchor = subscription.anchor.before(ahead.offer?.terms.span ?? ahead.product.period, endingAt: end)
        subscription.current = BillingPeriod(
            number: ahead.number, transactionID: running.transactionID, product: running.product, start: running.start,
            price: running.price, offer: running.offer)
        subscription.previous = nil
        subscription.renewal.productID = ahead.product.id
        subscription.renewal.price = ahead.product.price
        subscription.state = .active(until: end, chargeAt: end)
    }

    /// Reverses a refund: removes the revocation, returns the money and restores the renewal date. Auto-renew stays
    /// off until the customer turns it on. A newer purchase stays in force.
    mutating func refundReversed(
        _ transaction: Transaction, _ refund: [Posting], of plan: SubscriptionPlan?, _ now: Instant,
        _ context: SubscriptionContext
    ) throws {
        try expectOwn(transaction)
        guard transaction.revocation != nil else {
            throw RefundError(.notRefunded, transaction.id, "the transaction wasn't refunded")
        }
        changes.append(.reinstated(transaction.id))
        emit(
            .subscriptionRefundReversed, at: now, transaction.id, transaction.productID, postings: refund.reversed)
        guard transaction.id == subscription.current.transactionID else {
            return restorePeriod(transaction, of: plan, now, context)
        }
        guard case .revoked(let at, let revocation) = subscription.state else {
            throw RefundError(.notRefunded, transaction.id, "the subscription wasn't refunded")
        }
        if now < revocation.paidUntil, revocation.ended == nil {
            subscription.state = .running(until: revocation.paidUntil, now, context)
        } else {
            let intent = revocation.ended ?? .customerCancelled
            // A cancelled subscription expires at the period's end, whenever the refund came.
            let ended = intent == .customerCancelled ? revocation.paidUntil : max(at, revocation.paidUntil)
            subscription.state = .expired(at: ended, paidUntil: revocation.paidUntil, intent)
        }
    }

    /// Restores a period other than the newest. It runs up to the period charged ahead, follows the running one, or
    /// is superseded by a newer purchase.
    private mutating func restorePeriod(
        _ transaction: Transaction, of plan: SubscriptionPlan?, _ now: Instant, _ context: SubscriptionContext
    ) {
        guard let expires = transaction.expiresDate, now < expires else { return }
        let (current, product) = (subscription.current, subscription.product(of: transaction, plan))
        func period(_ number: Int) -> BillingPeriod {
            BillingPeriod(
                number: number, transactionID: transaction.id, product: product, start: transaction.purchaseDate,
                price: transaction.price, offer: nil)
        }
        if transaction.purchaseDate == subscription.paidUntil, subscription.canBeFollowed {
            subscription.accruePaidService(until: transaction.purchaseDate, context.timing)
            subscription.previous = current
            subscription.current = period(current.number)
            subscription.anchor = PeriodAnchor(expires)
            subscription.state = .running(until: expires, now, context)
        } else if expires > current.start {
            changes.append(.upgraded(transaction.id))
        } else if expires == current.start {
            subscription.previous = period(current.number - 1)
        }
    }

    /// Returns the decision with the period marked as upgraded if another purchase covers the same time. Applies to a
    /// period whose refund was reversed and that is neither the running nor the next one, also after its end.
    package func superseding(_ period: Transaction, by others: [Transaction]) -> SubscriptionDecision {
        guard let expires = period.expiresDate, !changes.contains(.upgraded(period.id)),
            ![subscription.current.transactionID, subscription.previous?.transactionID].contains(period.id)
        else { return self }
        let isReplaced = others.contains { other in
            guard other.originalID == period.originalID, other.id != period.id, let end = other.expiresDate,
                other.revocation == nil, !other.isUpgraded
            else { return false }
            return other.purchaseDate < expires && period.purchaseDate < end
        }
        guard isReplaced else { return self }
        var decision = self
        decision.changes.append(.upgraded(period.id))
        return decision
    }

    private func expectOwn(_ transaction: Transaction) throws {
        guard transaction.originalID == subscription.id else {
            throw refusal(.notThisSubscription, "the transaction \(transaction.id) belongs to another subscription")
        }
        guard subscription.ownership == .purchased else {
            throw refusal(.familyShared, "nothing was paid for a shared subscription: refund the purchaser")
        }
    }
}

extension Subscription {
    /// True if a restored period can follow the newest one.
    fileprivate var canBeFollowed: Bool {
        switch state {
        case .active, .expired: true
        case .gracePeriod, .billingRetry, .revoked: false
        }
    }
}

extension Subscription {
    /// Returns the product of an earlier period: as it was sold if that is known, otherwise as in today's catalog. Of
    /// a product that is gone only the ID is known; it counts as the current product, and isn't shared.
    fileprivate func product(of transaction: Transaction, _ plan: SubscriptionPlan?) -> SubscribedProduct {
        guard transaction.productID != product.id else { return product }
        let price = transaction.offer == nil ? transaction.price : nil
        let known = plan.flatMap { $0.productID == transaction.productID ? $0 : nil }
        return SubscribedProduct(
            known
                ?? SubscriptionPlan(
                    productID: transaction.productID, groupID: groupID, level: product.level, period: product.period,
                    price: transaction.price, storefront: storefront),
            price: price)
    }
}
