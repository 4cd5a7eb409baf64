extension Subscription {
    /// A family member gains, or regains, access to what a purchaser subscribes to.
    ///
    /// - Parameters:
    ///   - member: Who it is shared with.
    ///   - earlier: The member's copy of the same purchaser's subscription from an earlier time.
    /// - Throws: ``SubscriptionError``, and what `id` throws.
    package func shared(
        with member: Account.ID, earlier: Subscription? = nil, at now: Instant, id: () throws -> Int64
    ) throws -> SubscriptionDecision {
        guard product.isFamilyShareable, ownership == .purchased, isEntitled(at: now) else {
            throw SubscriptionError(
                .notShareable, self.id, "only an active subscription of a shareable product is shared")
        }
        let date = now.wholeSeconds
        let transactionID = TransactionID(rawValue: try id())
        let lineItem = try id()
        var decision = SubscriptionDecision(
            copy(for: member, earlier, transactionID, from: date))
        decision.transactions = [decision.subscription.sharedTransaction(lineItem, reason: .purchase)]
        decision.note(earlier == nil ? .subscribed : .resubscribed, at: now)
        return decision
    }

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
        guard stateName != .revoked || decision.facts.contains(where: { Self.reopens.contains($0.kind) }) else {
            return copied
        }
        let source = decision.subscription
        if !source.product.isFamilyShareable || source.stateName == .revoked {
            if stateName == .active || stateName == .gracePeriod || stateName == .billingRetry {
                try copied.accessRevoked(now)
            }
            return copied
        }
        try copied.follow(source, decision, before, id)
        for fact in decision.facts where Self.followed.contains(fact.kind) { copied.note(fact.kind, at: now) }
        if stateName == .revoked, copied.facts.isEmpty, copied.subscription.isEntitled(at: now) {
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

    /// What gives access back to members who had lost it with the purchaser.
    private static let reopens: Set<Fact.Kind> = [.resubscribed, .subscriptionRefundReversed]

    private func copy(
        for member: Account.ID, _ earlier: Subscription?, _ transactionID: TransactionID, from date: Instant
    ) -> Subscription {
        let plan = SubscriptionPlan(
            productID: product.id, groupID: groupID, level: product.level, period: product.period, price: product.price,
            storefront: storefront, isFamilyShareable: true)
        var sale = PeriodSale(product, at: .zero(product.price.currency), current.offer, from: date, .purchase)
        sale.anchor = anchor
        var copy =
            earlier
            ?? Subscription(
                first: sale, plan, transactionID, Subscriber(member), .familyShared, anchor: anchor, state: state)
        if let earlier {
            copy.recentSubscriptionStartDate = date
            copy.current = SoldPeriod(
                number: earlier.current.number + 1, transactionID: transactionID, product: product, start: date,
                price: sale.price, offer: sale.offer)
            copy.previous = nil
        }
        copy.mirror(self)
        return copy
    }

    /// Takes over what a member's copy has in common with the purchaser's.
    fileprivate mutating func mirror(_ source: Subscription) {
        storefront = source.storefront
        anchor = source.anchor
        state = source.state
        renewal = source.renewal
        renewals = source.renewals
    }

    fileprivate func sharedTransaction(_ lineItem: Int64, reason: Transaction.Reason) -> Transaction {
        Transaction(
            id: current.transactionID, originalID: id, accountID: accountID, productID: product.id,
            type: .autoRenewable,
            purchaseDate: current.start, originalPurchaseDate: originalPurchaseDate, expiresDate: paidUntil,
            webOrderLineItemID: lineItem, subscriptionGroupID: groupID, price: current.price, storefront: storefront,
            ownership: .familyShared, reason: reason, offer: current.offer?.terms.applied)
    }
}

extension SubscriptionDecision {
    /// A family member loses what the purchaser shared.
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
        changes.append(
            .revoked(
                subscription.current.transactionID,
                RevocationTerms(date: date, reason: .other, kind: .familyRevoke, percentage: nil)))
        note(.familyAccessRevoked, at: now)
    }

    /// Makes of a member's copy what was made of the purchaser's subscription.
    fileprivate mutating func follow(
        _ source: Subscription, _ decision: SubscriptionDecision, _ before: Subscription, _ id: () throws -> Int64
    ) throws {
        let own = subscription
        for change in decision.changes {
            guard let ownID = own.counterpart(of: change.transactionID, in: before) else { continue }
            switch change {
            case .upgraded: changes.append(.upgraded(ownID))
            case .expires(_, let date): changes.append(.expires(ownID, date))
            case .reinstated: changes.append(.reinstated(ownID))
            case .revoked: break
            }
        }
        subscription.mirror(source)
        guard let sold = decision.transactions.first else { return }
        let transactionID = TransactionID(rawValue: try id())
        subscription.previous = source.previous == nil ? nil : own.current
        subscription.current = SoldPeriod(
            number: own.current.number + 1, transactionID: transactionID, product: source.product,
            start: sold.purchaseDate, price: .zero(sold.price.currency), offer: source.current.offer)
        subscription.recentSubscriptionStartDate = max(
            own.recentSubscriptionStartDate, source.recentSubscriptionStartDate)
        transactions = [subscription.sharedTransaction(try id(), reason: sold.reason)]
    }
}

extension Subscription {
    /// The member's transaction for a period of the purchaser's.
    fileprivate func counterpart(of id: TransactionID, in purchaser: Subscription) -> TransactionID? {
        if id == purchaser.current.transactionID { return current.transactionID }
        if id == purchaser.previous?.transactionID { return previous?.transactionID }
        return nil
    }
}
