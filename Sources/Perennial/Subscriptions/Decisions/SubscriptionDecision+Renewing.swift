extension SubscriptionDecision {
    /// A renewal was charged: ahead, at the end of the period, or after attempts that failed.
    mutating func charged(
        _ period: Int, _ now: Instant, _ context: SubscriptionContext, _ id: () throws -> Int64
    ) throws {
        guard period == subscription.current.number + 1 else { throw paidAlready(period) }
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

    /// A charge succeeded at last. In the grace period service had no gap, so the period starts where the last one
    /// ended, and it reaches beyond the grace, which is as long as the product that renews allows. After it the period
    /// starts now, and so does one too short to reach from there to now, should there be one: nobody pays for time that is
    /// over.
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
            noteGap(before: start, context.timing)
            let anew = PeriodSale(product, at: continued.price, continued.offer, from: start, .renewal)
            try renew(anew, .recovered, now, context, id)
        }
    }

    private mutating func renew(
        _ sale: PeriodSale, _ kind: Fact.Kind, _ now: Instant, _ context: SubscriptionContext, _ id: () throws -> Int64
    ) throws {
        let usesRedeemed = !subscription.continuesOffer
        try sell(sale, at: now, context, id)
        subscription.renewals += 1
        if usesRedeemed { subscription.renewal.offer = nil }
        if sale.offer == nil { subscription.renewal.priceIncrease = nil }
        note(kind, at: now, postings: context.terms.postings(forSaleAt: sale.price))
    }

    /// A charge was declined. Before the period's end nothing is lost yet; at its end grace or billing retry begins.
    mutating func chargeDeclined(_ period: Int, _ now: Instant, _ context: SubscriptionContext) throws {
        guard period == subscription.current.number + 1 else { throw paidAlready(period) }
        switch subscription.state {
        case .active(let until, _) where now < until:
            subscription.state = .active(until: until, chargeAt: until)
            note(.attemptDeclined, at: now)
        case .active(let until, _): fail(expired: until, now, context)
        case .gracePeriod(var failure, let until):
            failure.nextAttempt = BillingPolicy.nextAttempt(expired: failure.expired, after: now, context.timing)
            subscription.state = .gracePeriod(failure, until: until)
            note(.attemptDeclined, at: now)
        case .billingRetry(var failure, let graceEnded):
            failure.nextAttempt = BillingPolicy.nextAttempt(expired: failure.expired, after: now, context.timing)
            subscription.state = .billingRetry(failure, graceEnded: graceEnded)
            note(.attemptDeclined, at: now)
        case .expired, .revoked: throw refusal(.wrongState, "the subscription has ended")
        }
        try settle(now)
    }

    private mutating func fail(expired: Instant, _ now: Instant, _ context: SubscriptionContext) {
        let failure = Subscription.BillingFailure(
            expired: expired,
            nextAttempt: BillingPolicy.nextAttempt(expired: expired, after: now, context.timing),
            retryUntil: expired + context.timing.retryLength)
        if let grace = context.billing.grace, subscription.isGranted(grace) {
            let length = context.timing.graceLength(grace.length, for: subscription.nextSpan(context))
            subscription.state = .gracePeriod(failure, until: expired + length)
            note(.renewalFailedWithGrace, at: now)
        } else {
            subscription.state = .billingRetry(failure, graceEnded: nil)
            note(.renewalFailed, at: now)
        }
    }

    /// The customer chose in grace what will renew: grace is as long as for that product, so that the period it will pay for
    /// isn't over before it is paid. Where that time is over, grace ends with the choice; it never outlasts billing retry.
    mutating func limitGrace(toRenewing period: Period, _ now: Instant, _ context: SubscriptionContext) throws {
        guard case .gracePeriod(let failure, _) = subscription.state, let grace = context.billing.grace else { return }
        let length = context.timing.graceLength(grace.length, for: period)
        let until = max(failure.expired + length, now.wholeSeconds)
        subscription.state = .gracePeriod(failure, until: min(until, failure.retryUntil))
        // On a manual clock nothing stays overdue: what ends with the choice ends in the same step.
        if now >= min(until, failure.retryUntil) { try graceEnded(now) }
    }

    /// An attempt may fail at or after the end of grace or retry: then that is over as well.
    private mutating func settle(_ now: Instant) throws {
        if case .gracePeriod(_, let until) = subscription.state, now >= until { try graceEnded(now) }
        if case .billingRetry(let failure, _) = subscription.state, now >= failure.retryUntil { try retryEnded(now) }
    }

    mutating func graceEnded(_ now: Instant) throws {
        guard case .gracePeriod(let failure, let until) = subscription.state else {
            throw refusal(.wrongState, "there is no grace period")
        }
        guard now >= until else { throw refusal(.notDueYet, "grace lasts until \(until.rfc3339())") }
        subscription.state = .billingRetry(failure, graceEnded: until)
        note(.gracePeriodEnded, at: now)
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

    /// The period is over without a renewal. Whoever used up sandbox's renewals leaves as if they had cancelled.
    mutating func periodEnded(_ now: Instant, _ context: SubscriptionContext) throws {
        guard case .active(let until, _) = subscription.state else {
            throw refusal(.wrongState, "no paid period is running")
        }
        guard now >= until else { throw refusal(.notDueYet, "the period lasts until \(until.rfc3339())") }
        guard !subscription.willCharge(context) else { throw refusal(.notDueYet, "a renewal is to be charged") }
        expire(
            subscription.renewal.isOn && subscription.needsConsent ? .priceIncreaseDeclined : .customerCancelled, now)
    }

    /// The product that should renew was taken off sale: the period runs to its end, and that is all.
    mutating func productUnavailable(_ now: Instant) throws {
        switch subscription.state {
        case .active(let until, _) where now < until: subscription.state = .active(until: until, chargeAt: until)
        case .active, .gracePeriod, .billingRetry: expire(.productUnavailable, now)
        case .expired, .revoked: throw refusal(.wrongState, "the subscription has ended")
        }
    }

    /// The customer mended the payment method: the next attempt is due at once.
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
        note(.paymentMethodUpdated, at: now)
    }

    mutating func expire(_ intent: ExpirationIntent, _ now: Instant) {
        subscription.state = .expired(at: now, paidUntil: subscription.paidUntil, intent)
        subscription.renewal.isOn = false
        subscription.renewal.offer = nil
        subscription.renewal.priceIncrease = nil
        note(intent.fact, at: now)
    }

    /// Nothing is charged twice: a charge names the period it pays for.
    private func paidAlready(_ period: Int) -> SubscriptionError {
        refusal(.periodAlreadyPaid, "the next period is number \(subscription.current.number + 1), not \(period)")
    }
}

extension Subscription {
    /// Whether the period's end brings a charge.
    func willCharge(_ context: SubscriptionContext) -> Bool {
        renewal.isOn && !needsConsent && renewals < context.timing.maximumRenewals ?? .max
    }

    /// How long the next period will be: of the product that will renew, which may be another than the one that runs.
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
