/// The rules that decide which former subscribers are eligible for a win-back offer.
package struct WinBackRules: Hashable, Sendable, Codable {
    /// The fewest months paid in all.
    package var paidMonths: Int
    /// The fewest months since the subscription ended; `maximumMonthsSinceEnd` has the most, if there is a bound.
    package var monthsSinceEnd: Int
    package var maximumMonthsSinceEnd: Int?
    /// The fewest months since the last win-back offer; `nil` for no wait.
    package var monthsBetweenOffers: Int?

    package init(
        paidMonths: Int = 1, monthsSinceEnd: Int = 1, maximumMonthsSinceEnd: Int? = nil, monthsBetweenOffers: Int? = nil
    ) {
        self.paidMonths = paidMonths
        self.monthsSinceEnd = monthsSinceEnd
        self.maximumMonthsSinceEnd = maximumMonthsSinceEnd
        self.monthsBetweenOffers = monthsBetweenOffers
    }

    /// Rules that all former subscribers meet at once.
    package static let allFormerSubscribers = WinBackRules(paidMonths: 0, monthsSinceEnd: 0)
    /// Rules that no customer meets.
    package static let neverMet = WinBackRules(paidMonths: 1_000_000)

    /// Returns true if a customer is eligible. Never during billing retry, because the subscription isn't lost yet.
    package func admits(
        _ subscription: Subscription?, offer id: String, at now: Instant, _ timing: SubscriptionTiming
    ) -> Bool {
        guard let subscription, subscription.ownership == .purchased, subscription.paidMonths >= paidMonths else {
            return false
        }
        switch subscription.state {
        case .active, .gracePeriod, .billingRetry, .revoked: return false
        case .expired: break
        }
        let end = subscription.paidUntil
        guard now >= timing.months(monthsSinceEnd, after: end) else { return false }
        if let maximumMonthsSinceEnd, now > timing.months(maximumMonthsSinceEnd, after: end) { return false }
        guard let monthsBetweenOffers else { return true }
        return subscription.offersUsed.allSatisfy {
            $0.kind != .winBack || now >= timing.months(monthsBetweenOffers, after: $0.lastUsed)
        }
    }

    /// Returns the instants at which time alone changes the answer of ``admits(_:offer:at:_:)``.
    func changes(_ subscription: Subscription, _ timing: SubscriptionTiming) -> [Instant] {
        let end = subscription.paidUntil
        var changes = [timing.months(monthsSinceEnd, after: end)]
        // The last instant is within the bound.
        if let maximumMonthsSinceEnd { changes.append(timing.months(maximumMonthsSinceEnd, after: end) + 1) }
        guard let monthsBetweenOffers else { return changes }
        return changes
            + subscription.offersUsed.filter { $0.kind == .winBack }.map {
                timing.months(monthsBetweenOffers, after: $0.lastUsed)
            }
    }
}

extension SubscriptionTiming {
    fileprivate func months(_ count: Int, after instant: Instant) -> Instant {
        count > 0 ? end(of: Period(count, .month), after: instant) : instant
    }
}

extension Subscription {
    /// Whole paid months, by the products' durations.
    package var paidMonths: Int { paidDays / 30 }
}
