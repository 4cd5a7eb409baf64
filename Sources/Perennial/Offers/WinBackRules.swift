/// Which customers who left may have a win-back offer.
package struct WinBackRules: Hashable, Sendable, Codable {
    /// For how many months they must have paid in all.
    package var paidMonths: Int
    /// Months since the subscription ended: at least, and at most where there is a bound.
    package var monthsSinceEnd: Int
    package var maximumMonthsSinceEnd: Int?
    /// Months since they last took a win-back offer; `nil` for a wait of none.
    package var monthsBetweenOffers: Int?

    package init(
        paidMonths: Int = 1, monthsSinceEnd: Int = 1, maximumMonthsSinceEnd: Int? = nil, monthsBetweenOffers: Int? = nil
    ) {
        self.paidMonths = paidMonths
        self.monthsSinceEnd = monthsSinceEnd
        self.maximumMonthsSinceEnd = maximumMonthsSinceEnd
        self.monthsBetweenOffers = monthsBetweenOffers
    }

    /// Whether a customer may have the offer. Nobody may while a charge is being retried: the subscription isn't lost
    /// yet.
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
        func months(_ count: Int, after instant: Instant) -> Instant {
            count > 0 ? timing.end(of: Period(count, .month), after: instant) : instant
        }
        let end = subscription.paidUntil
        guard now >= months(monthsSinceEnd, after: end) else { return false }
        if let maximumMonthsSinceEnd, now > months(maximumMonthsSinceEnd, after: end) { return false }
        guard let monthsBetweenOffers else { return true }
        return subscription.offersUsed.allSatisfy {
            $0.kind != .winBack || now >= months(monthsBetweenOffers, after: $0.lastUsed)
        }
    }
}

extension Subscription {
    /// Whole months for which money was paid, by the durations of what was bought.
    package var paidMonths: Int { paidDays / 30 }
}
