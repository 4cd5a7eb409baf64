/// A renewal to be charged.
package struct RenewalCharge: Hashable, Sendable {
    package let subscriptionID: TransactionID
    /// The number of the period that it pays for: with the subscription, the charge's idempotency key.
    package let period: Int
    package let productID: Product.ID
    /// Zero in a free offer: then there is nothing to charge, and it counts as paid.
    package let price: Money
}

/// What must be done with a subscription now.
package enum DueWork: Hashable, Sendable {
    /// Charge, then tell by ``SubscriptionEvent/charged(period:)`` or ``SubscriptionEvent/chargeDeclined(period:)``.
    case charge(RenewalCharge)
    case event(SubscriptionEvent)
}

extension Subscription {
    /// When the subscription must be looked at next, if nothing happens to it before; `nil` for never.
    ///
    /// It depends on the subscription alone, so that storage can keep it as an indexed column. Each piece of due work,
    /// done at the instant at which it was due, leaves a later one. A family member's copy follows the purchaser's, and
    /// has work of its own only where that goes on without it.
    package var nextDue: Instant? {
        guard ownership == .purchased else { return sharingEnds }
        switch state {
        case .active(let until, let chargeAt): return renewal.isOn && !needsConsent ? chargeAt : until
        case .gracePeriod(let failure, let until): return min(failure.nextAttempt, until)
        case .billingRetry(let failure, _): return min(failure.nextAttempt, failure.retryUntil)
        case .expired, .revoked: return nil
        }
    }

    /// What is due at an instant; `nil` if nothing is. After it was done there may be more.
    package func dueWork(at now: Instant, in context: SubscriptionContext) -> DueWork? {
        guard let due = nextDue, due <= now else { return nil }
        guard ownership == .purchased else { return .event(.accessRevoked) }
        switch state {
        case .active(let until, _):
            if willCharge(context) { return charge(context) }
            return now >= until ? .event(.periodEnded) : nil
        case .gracePeriod(let failure, let until):
            return failure.nextAttempt <= min(now, until) ? charge(context) : .event(.graceEnded)
        case .billingRetry(let failure, _):
            return failure.nextAttempt < failure.retryUntil ? charge(context) : .event(.retryEnded)
        case .expired, .revoked: return nil
        }
    }

    private func charge(_ context: SubscriptionContext) -> DueWork {
        guard context.renewalPlan?.productID == renewal.productID else { return .event(.productUnavailable) }
        return .charge(
            RenewalCharge(
                subscriptionID: id, period: current.number + 1, productID: renewal.productID, price: nextPrice))
    }
}
