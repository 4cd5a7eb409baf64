/// The day from which a subscription's dates are counted.
///
/// Months are added to the day of the first purchase, never to the last expiry: a subscription that began on 31
/// January renews on 28 February and then on 31 March. A new anchor begins with a resubscription, an upgrade, a
/// recovery after the grace period, an extension, and after spans counted in days.
package struct PeriodAnchor: Hashable, Sendable, Codable {
    package let origin: Instant
    /// Calendar months from `origin` to the end of the newest period.
    package let months: Int

    package init(_ origin: Instant, months: Int = 0) {
        self.origin = origin
        self.months = months
    }

    /// Returns the end of the next period and the anchor after it.
    package func end(of period: Period, from start: Instant, _ timing: SubscriptionTiming) -> (Instant, PeriodAnchor) {
        guard timing == .calendar, let count = period.months else {
            let end = timing.end(of: period, after: start)
            return (end, PeriodAnchor(end))
        }
        let moved = PeriodAnchor(origin, months: months + count)
        return (Period(moved.months, .month).end(after: origin), moved)
    }

    /// Returns the anchor before a period that ends at `end` was counted.
    func before(_ period: Period, endingAt end: Instant) -> PeriodAnchor {
        guard let count = period.months, count <= months else { return PeriodAnchor(end) }
        return PeriodAnchor(origin, months: months - count)
    }
}

extension Period {
    /// The number of calendar months; `nil` for spans of days and weeks.
    package var months: Int? {
        switch unit {
        case .day, .week: nil
        case .month: count
        case .year: 12 * count
        }
    }

    /// The number of days; `nil` for spans of months and years.
    package var days: Int? {
        switch unit {
        case .day: count
        case .week: 7 * count
        case .month, .year: nil
        }
    }

    /// Returns true if both periods always have the same length: twelve months are a year, four weeks are no month.
    package func lasts(asLongAs other: Period) -> Bool {
        months == other.months && days == other.days
    }

    /// Returns this period repeated `factor` times.
    package func times(_ factor: Int) -> Period { Period(count * factor, unit) }
}
