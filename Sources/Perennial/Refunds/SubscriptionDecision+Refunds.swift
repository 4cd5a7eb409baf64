extension SubscriptionDecision {
    /// The customer asked for a refund in the app: the seller is asked how much was used, and an active subscription
    /// doesn't renew while the request is open.
    mutating func refundRequested(_ transactionID: TransactionID, _ now: Instant) throws {
        note(.refundRequested, at: now, transactionID, subscription.product.id)
        if case .active = subscription.state { turnOff(now) }
    }

    mutating func refundDeclined(_ transactionID: TransactionID, _ now: Instant) {
        note(.subscriptionRefundDeclined, at: now, transactionID, subscription.product.id)
    }

    /// Gives money back. The newest period's refund ends the subscription and turns its renewal off; an earlier
    /// period's changes that transaction only.
    ///
    /// Receivers are told of the refund alone: `AUTO_RENEW_DISABLED` is for what the customer did, and for a refund that the
    /// customer asked for in the app (``refundRequested(_:_:)``).
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
        note(
            .subscriptionRefunded, at: now, transaction.id, transaction.productID,
            postings: outcome.postings(ofSale: context.sale(of: transaction.id, at: transaction.price)))
        guard isNewest else {
            // An upgrade gives nothing back for it any more.
            if transaction.id == subscription.previous?.transactionID { subscription.previous = nil }
            return
        }
        subscription.renewal.priceIncrease = nil
        subscription.renewal.offer = nil
        if case .active = subscription.state, now < subscription.current.start, let running = subscription.previous {
            goBack(to: running)
            return endAutoRenew(now)
        }
        let ended: ExpirationIntent? =
            if case .active = subscription.state { nil } else { subscription.expirationIntent }
        subscription.state = .revoked(
            at: outcome.terms.date,
            Subscription.Withdrawal(cause: .refund, paidUntil: subscription.paidUntil, ended: ended))
        endAutoRenew(now)
    }

    private mutating func endAutoRenew(_ now: Instant) {
        guard subscription.renewal.isOn else { return }
        subscription.renewal.isOn = false
        note(.autoRenewEnded, at: now)
    }

    /// The period charged ahead is gone; the running one is paid for and goes on to its end. Numbers are not used
    /// again.
    private mutating func goBack(to running: SoldPeriod) {
        let ahead = subscription.current
        let end = ahead.start
        subscription.anchor = subscription.anchor.before(ahead.offer?.terms.span ?? ahead.product.period, endingAt: end)
        subscription.current = SoldPeriod(
            number: ahead.number, transactionID: running.transactionID, product: running.product, start: running.start,
            price: running.price, offer: running.offer)
        subscription.previous = nil
        subscription.renewal.productID = ahead.product.id
        subscription.renewal.price = ahead.product.price
        subscription.state = .active(until: end, chargeAt: end)
    }

    /// A refund is undone: the transaction's revocation goes, the money comes back, and the renewal date is what it
    /// was. Auto-renew stays off until the customer turns it on. Where the customer bought again meanwhile, the newer
    /// purchase stays the one in force.
    mutating func refundReversed(
        _ transaction: Transaction, _ refund: [Posting], of plan: SubscriptionPlan?, _ now: Instant,
        _ context: SubscriptionContext
    ) throws {
        try expectOwn(transaction)
        guard transaction.revocation != nil else {
            throw RefundError(.notRefunded, transaction.id, "the transaction wasn't refunded")
        }
        changes.append(.reinstated(transaction.id))
        note(
            .subscriptionRefundReversed, at: now, transaction.id, transaction.productID, postings: refund.reversed)
        guard transaction.id == subscription.current.transactionID else {
            return resume(transaction, of: plan, now, context)
        }
        guard case .revoked(let at, let withdrawal) = subscription.state else {
            throw RefundError(.notRefunded, transaction.id, "the subscription wasn't refunded")
        }
        if now < withdrawal.paidUntil, withdrawal.ended == nil {
            subscription.state = .running(until: withdrawal.paidUntil, now, context)
        } else {
            let intent = withdrawal.ended ?? .customerCancelled
            // Who cancels leaves at the period's end, whenever the refund came.
            let ended = intent == .customerCancelled ? withdrawal.paidUntil : max(at, withdrawal.paidUntil)
            subscription.state = .expired(at: ended, paidUntil: withdrawal.paidUntil, intent)
        }
    }

    /// A period other than the newest is in force again: it runs up to the one charged ahead, follows the one running,
    /// or gives way to a newer purchase.
    private mutating func resume(
        _ transaction: Transaction, of plan: SubscriptionPlan?, _ now: Instant, _ context: SubscriptionContext
    ) {
        guard let expires = transaction.expiresDate, now < expires else { return }
        let (current, product) = (subscription.current, subscription.product(of: transaction, plan))
        func period(_ number: Int) -> SoldPeriod {
            SoldPeriod(
                number: number, transactionID: transaction.id, product: product, start: transaction.purchaseDate,
                price: transaction.price, offer: nil)
        }
        if transaction.purchaseDate == subscription.paidUntil, subscription.canGoOn {
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

    /// A period whose refund was undone, and that is neither what runs nor what comes next, gives way to what was bought for
    /// the same time: also where that is over.
    package func givingWay(_ period: Transaction, to others: [Transaction]) -> SubscriptionDecision {
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
    /// Whether a period that was taken back can follow the newest.
    fileprivate var canGoOn: Bool {
        switch state {
        case .active, .expired: true
        case .gracePeriod, .billingRetry, .revoked: false
        }
    }
}

extension Subscription {
    /// What a period that was sold before is of: as it was then where it is still known, or as the catalog has it now. Of a
    /// product that is gone, no more is known than its name; it counts as what the customer has, and isn't shared.
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
