extension SubscriptionDecision {
    /// Renews after a successful charge: ahead, at the end of the period, or after failed attempts.
    mutating func charged(
        _ period: Int, _ now: Instant, _ context: SubscriptionContext, _ id: () throws -> Int64
    ) throws {
        guard period == subscription.current.number + 1 else { throw wrongPeriod(period) }
        guard let product = context.renewedProduct(subscription.renewal.productID, at: subscription.renewal.price)
        else {
            throw refusal(.notRenewing, "\(subscription.renewal.productID) isn't sold any more")
        }
        switch subscription.state {
        case .active:
            guard subscription.willCharge(context) else {
                throw refusal(.notRenewing, "auto-renew is off, consent is missing or the last renewal was made")
            }
            guard now >= subscription.current.start else {
                throw refusal(.periodAlreadyPaid, "the next period is paid for")
            }
            let sale = PeriodSale(
                product, at: subscription.renewal.price, subscription.nextOffer, after: subscription.paidUntil,
                subscription.anchor)
            try renew(sale, .renewed, now, context, id)
        case .gracePeriod, .billingRetry: try recover(product, now, context, id)
        case .expired, .revoked: throw refusal(.wrongState, "the subscription has ended")
        }
    }

    /// Recovers the subscription after failed attempts.
    ///
    /// In the grace period service had no gap: the new period starts where the last one ended, and reaches beyond the
    /// grace, which is limited to the length that the renewing product allows. After the grace period, or if the new
    /// period would end before now, it starts now, so that past time is not charged.
    mutating func recover(
        _ product: SubscribedProduct, _ now: Instant, _ context: SubscriptionContext, _ id: () throws -> Int64
    ) throws {
        let continued = PeriodSale(
            product, at: subscription.renewal.price, subscription.nextOffer, after: subscription.paidUntil,
            subscription.anchor)
        if case .gracePeriod = subscription.state, continued.end(context.timing).end > now {
            try renew(continued, .recovered, now, context, id)
        } else {
            let start = subscription.startOfPeriod(soldAt: now)
            updateRecentStartDate(before: start, context.timing)
            let anew = PeriodSale(product, at: continued.price, continued.offer, from: start, .renewal)
            try renew(anew, .recovered, now, context, id)
        }
    }

    mutating func renew(
        _ sale: PeriodSale, _ kind: DomainEvent.Kind, _ now: Instant, _ context: SubscriptionContext,
        _ id: () throws -> Int64
    ) throws {
        let usesRedeemed = !subscription.continuesOffer
        try sell(sale, at: now, context, id)
        subscription.renewals += 1
        if usesRedeemed { subscription.renewal.offer = nil }
        if sale.offer == nil { subscription.renewal.priceIncrease = nil }
        let isPreserved = sale.offer == nil && context.renewalPlan.map { $0.price != sale.price } ?? false
        emitSale(kind, isPreserved: isPreserved, at: now, context)
    }

    /// Handles a declined charge. Before the period's end it changes nothing; at the end, grace or billing retry
    /// begins.
    mutating func chargeDeclined(_ period: Int, _ now: Instant, _ context: SubscriptionContext) throws {
        guard period == subscription.current.number + 1 else { throw wrongPeriod(period) }
        switch subscription.state {
        case .active(let until, _) where now < until:
            subscription.state = .active(until: until, chargeAt: until)
            emit(.attemptDeclined, at: now)
        case .active(let until, _): startGraceOrRetry(expired: until, now, context)
        case .gracePeriod(var failure, let until):
            failure.nextAttempt = BillingPolicy.nextAttempt(expired: failure.expired, after: now, context.timing)
            subscription.state = .gracePeriod(failure, until: until)
            emit(.attemptDeclined, at: now)
        case .billingRetry(var failure, let graceEnded):
            failure.nextAttempt = BillingPolicy.nextAttempt(expired: failure.expired, after: now, context.timing)
            subscription.state = .billingRetry(failure, graceEnded: graceEnded)
            emit(.attemptDeclined, at: now)
        case .expired, .revoked: throw refusal(.wrongState, "the subscription has ended")
        }
        try endExpiredPhases(now)
    }

    private mutating func startGraceOrRetry(expired: Instant, _ now: Instant, _ context: SubscriptionContext) {
        let failure = Subscription.BillingFailure(
            expired: expired,
            nextAttempt: BillingPolicy.nextAttempt(expired: expired, after: now, context.timing),
            retryUntil: expired + context.timing.retryLength)
        if let grace = context.billing.grace, subscription.isGranted(grace) {
            let length = context.timing.graceLength(grace.length, for: subscription.nextSpan(context))
            subscription.state = .gracePeriod(failure, until: expired + length)
            emit(.renewalFailedWithGrace, at: now)
        } else {
            subscription.state = .billingRetry(failure, graceEnded: nil)
            emit(.renewalFailed, at: now)
        }
    }

    /// Limits the grace period to the length for the product chosen in it, so that the next period isn't over before
    /// it is paid. If that time has passed, grace ends now. Grace never outlasts billing retry.
    mutating func limitGrace(toRenewing period: Period, _ now: Instant, _ context: SubscriptionContext) throws {
        guard case .gracePeriod(let failure, _) = subscription.state, let grace = context.billing.grace else { return }
        let length = context.timing.graceLength(grace.length, for: period)
        let until = max(failure.expired + length, now.wholeSeconds)
        subscription.state = .gracePeriod(failure, until: min(until, failure.retryUntil))
        // On a manual clock nothing stays overdue, so grace ends in the same step.
        if now >= min(until, failure.retryUntil) { try graceEnded(now) }
    }

    /// Ends grace and retry if the attempt failed at or after their end.
    private mutating func endExpiredPhases(_ now: Instant) throws {
        if case .gracePeriod(_, let until) = subscription.state, now >= until { try graceEnded(now) }
        if case .billingRetry(let failure, _) = subscription.state, now >= failure.retryUntil { try retryEnded(now) }
    }

    mutating func graceEnded(_ now: Instant) throws {
        guard case .gracePeriod(let failure, let until) = subscription.state else {
            throw refusal(.wrongState, "there is no grace period")
        }
        guard now >= until else { throw refusal(.notDueYet, "grace lasts until \(until.rfc3339())") }
        subscription.state = .billingRetry(failure, graceEnded: until)
        emit(.gracePeriodEnded, at: now)
    }

    mutating func retryEnded(_ now: Instant) throws {
        guard case .billingRetry(let failure, _) = subscription.state else {
            throw refusal(.wrongState, "nothing is being retried")
        }
        guard now >= failure.retryUntil else {
            throw refusal(.notDueYet, "retry lasts until \(failure.retryUntil.rfc3339())")
        }
        expire(.billingError, now)
    }

    /// Ends the subscription with its period. After Sandbox's last renewal it ends as if it had been cancelled.
    mutating func periodEnded(_ now: Instant, _ context: SubscriptionContext) throws {
        guard case .active(let until, _) = subscription.state else {
            throw refusal(.wrongState, "no paid period is running")
        }
        guard now >= until else { throw refusal(.notDueYet, "the period lasts until \(until.rfc3339())") }
        guard !subscription.willCharge(context) else { throw refusal(.notDueYet, "a renewal is to be charged") }
        expire(
            subscription.renewal.isOn && subscription.needsConsent ? .priceIncreaseDeclined : .customerCancelled, now)
    }

    /// Ends a subscription whose product is no longer sold, at the end of its period.
    mutating func productUnavailable(_ now: Instant) throws {
        switch subscription.state {
        case .active(let until, _) where now < until: subscription.state = .active(until: until, chargeAt: until)
        case .active, .gracePeriod, .billingRetry: expire(.productUnavailable, now)
        case .expired, .revoked: throw refusal(.wrongState, "the subscription has ended")
        }
    }

    /// Schedules the next attempt for now, after the payment method was updated.
    mutating func paymentMethodUpdated(_ now: Instant) throws {
        switch subscription.state {
        case .gracePeriod(var failure, let until):
            failure.nextAttempt = min(now, failure.nextAttempt)
            subscription.state = .gracePeriod(failure, until: until)
        case .billingRetry(var failure, let graceEnded):
            failure.nextAttempt = min(now, failure.nextAttempt)
            subscription.state = .billingRetry(failure, graceEnded: graceEnded)
        case .active, .expired, .revoked: throw refusal(.wrongState, "no charge is being retried")
        }
        emit(.paymentMethodUpdated, at: now)
    }

    mutating func expire(_ intent: ExpirationIntent, _ now: Instant) {
        subscription.state = .expired(at: now, paidUntil: subscription.paidUntil, intent)
        subscription.renewal.isOn = false
        subscription.renewal.offer = nil
        subscription.renewal.priceIncrease = nil
        emit(intent.event, at: now)
    }

    /// Returns the error for a charge of another period than the next one. Prevents double charges.
    private func wrongPeriod(_ period: Int) -> SubscriptionError {
        refusal(.periodAlreadyPaid, "the next period is number \(subscription.current.number + 1), not \(period)")
    }
}

extension Subscription {
    /// Returns true if a charge is due at the period's end.
    func willCharge(_ context: SubscriptionContext) -> Bool {
        renewal.isOn && !needsConsent && renewals < context.timing.maximumRenewals ?? .max
    }

    /// Returns the length of the next period. The renewing product may differ from the running one.
    fileprivate func nextSpan(_ context: SubscriptionContext) -> Period {
        nextOffer?.terms.span ?? context.renewedProduct(renewal.productID, at: renewal.price)?.period ?? product.period
    }

    fileprivate func isGranted(_ grace: BillingPolicy.Grace) -> Bool {
        switch grace.scope {
        case .allRenewals: true
        case .paidToPaidOnly: current.price.milliunits > 0 && nextPrice.milliunits > 0
        }
    }
}
