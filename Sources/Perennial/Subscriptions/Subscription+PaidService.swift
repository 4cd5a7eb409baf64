/// Accrual of paid service in a subscription group. After a year of it, Apple's commission falls from 30 % to 15 %.
///
/// Every paid period counts for the time that it ran, whatever the product: an upgrade, a downgrade and a crossgrade
/// keep accruing. Free offers, extensions, refunded periods and billing retry don't count. Grace days count once the
/// renewal is paid, because the recovered period contains them. A gap of more than 60 days starts again from zero (App
/// Store Connect help: subscription proceeds).
extension Subscription {
    /// The reason for the seller's share of the newest period's price.
    func proceedsReason(_ timing: SubscriptionTiming) -> ProceedsReason? {
        paidService >= timing.yearOfService ? .rateAfterOneYear : nil
    }

    /// Adds the newest period's paid time, before the next period begins.
    ///
    /// - Parameter start: The start of the next period. If the newest period hasn't begun by then, it is replaced, and the
    ///   period before it ends earlier.
    mutating func accruePaidService(until start: Instant, _ timing: SubscriptionTiming) {
        if start - endOfPaidService > timing.longestGap {
            paidService = 0
        } else if start < current.start {
            if let previous, previous.price.milliunits > 0 {
                paidService = max(0, paidService.clampedSubtracting(current.start - start))
            }
        } else {
            paidService = paidService.clampedAdding(paidTime(until: start))
        }
        if unpaidTime != 0 { unpaidTime = 0 }
    }

    /// Removes the paid time of a period that is the newest again, because the one after it was refunded.
    mutating func removePaidService(of period: BillingPeriod, until end: Instant) {
        guard period.price.milliunits > 0 else { return }
        paidService = max(0, paidService.clampedSubtracting(end - period.start))
        if unpaidTime != 0 { unpaidTime = 0 }
    }

    /// The paid time of the newest period up to an instant.
    private func paidTime(until end: Instant) -> Int64 {
        guard current.price.milliunits > 0 else { return 0 }
        if case .revoked(_, let revocation) = state, revocation.cause == .refund { return 0 }
        return max(0, min(end, paidUntil + -unpaidTime) - current.start)
    }

    /// Estimates the paid service of a record that was stored before it was counted: the paid days of earlier periods, no
    /// more than the time since service last began. Months count as 365 / 12 days.
    mutating func estimatePaidService() {
        let span = current.offer?.terms.span ?? product.period
        guard (0...Period.maximumCount).contains(span.count) else { return }
        let newest = current.price.milliunits > 0 ? span.approximateDays : 0
        let days = max(0, Int64(paidDays).clampedSubtracting(Int64(newest)))
        let paid = Int64.days(days.clampedMultiplied(by: 365) / 360)
        paidService = max(0, min(current.start - recentSubscriptionStartDate, paid))
    }
}
