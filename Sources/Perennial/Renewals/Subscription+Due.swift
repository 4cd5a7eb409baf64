/// A due charge for a renewal.
package struct RenewalCharge: Hashable, Sendable {
    package let subscriptionID: TransactionID
    /// The number of the period to pay. With the subscription it is the charge's idempotency key.
    package let period: Int
    package let productID: Product.ID
    /// The amount; zero in a free offer, which counts as paid.
    package let price: Money
}

/// The due work of a subscription.
package enum DueWork: Hashable, Sendable {
    /// A charge, whose result is ``SubscriptionEvent/charged(period:)`` or
    /// ``SubscriptionEvent/chargeDeclined(period:)``.
    case charge(RenewalCharge)
    case event(SubscriptionEvent)
}

extension Subscription {
    /// The instant of the next due work if no other event comes first; `nil` for never.
    ///
    /// It depends on the subscription alone, so that storage keeps it in an indexed column. Due work that is done at
    /// its due instant leaves a later one. A member subscription follows the purchaser's, and has due work of its own
    /// only when the purchaser's continues without it.
    package var nextDue: Instant? {
        guard ownership == .purchased else { return sharingEnds }
        switch state {
        case .active(let until, let chargeAt): return renewal.isOn && !needsConsent ? chargeAt : until
        case .gracePeriod(let failure, let until): return min(failure.nextAttempt, until)
        case .billingRetry(let failure, _): return min(failure.nextAttempt, failure.retryUntil)
        case .expired, .revoked: return nil
        }
    }

    /// Returns the work that is due at an instant; `nil` if there is none. More may be due after it.
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
