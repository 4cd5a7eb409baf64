/// How long a subscription's periods, grace and billing retry last in an environment.
///
/// Production counts calendar periods; every other pace compresses them, and grace and billing retry in proportion.
package enum SubscriptionTiming: Hashable, Sendable, Codable {
    case calendar
    /// Sandbox as it was from the beginning: a week is 3 minutes, a month 5, a year an hour; a subscription renews 6
    /// times and expires.
    case compressed
    /// A pace of its own, as a sandbox tester or a test session chooses it.
    case rate(TimeRate, maximumRenewals: Int?)

    package init(_ kind: StoreEnvironment.Kind) {
        switch kind {
        case .production: self = .calendar
        case .sandbox: self = .compressed
        }
    }

    /// Automatic renewals of sandbox's original era.
    package static let maximumCompressedRenewals = 6
    /// Automatic renewals at a tester's rate of today's sandbox.
    package static let maximumTesterRenewals = 12

    /// Today's sandbox at a tester's rate.
    package static func sandbox(_ rate: TimeRate) -> SubscriptionTiming {
        .rate(rate, maximumRenewals: maximumTesterRenewals)
    }

    /// TestFlight: every duration renews once a day, six times within a week.
    package static let testFlight = SubscriptionTiming.rate(.oneRenewalEveryDay, maximumRenewals: 6)

    /// A test session of Xcode: nothing limits its renewals.
    package static func session(_ rate: TimeRate) -> SubscriptionTiming {
        .rate(rate, maximumRenewals: nil)
    }

    /// How often a subscription renews by itself before it expires; `nil` where it goes on.
    package var maximumRenewals: Int? {
        switch self {
        case .calendar: nil
        case .compressed: Self.maximumCompressedRenewals
        case .rate(_, let maximum): maximum
        }
    }

    /// The pace of compressed time; `nil` for the calendar.
    package var rate: TimeRate? {
        switch self {
        case .calendar: nil
        case .compressed: .monthlyRenewalEveryFiveMinutes
        case .rate(let rate, _): rate
        }
    }

    /// The end of the `number`-th period after `anchor`.
    package func end(of period: Period, after anchor: Instant, number: Int = 1) -> Instant {
        guard let rate else { return period.end(after: anchor, number: number) }
        return anchor + rate.length(of: period) * Int64(number)
    }

    /// Milliseconds that a period lasts in sandbox; spans that the table doesn't name go by the number of weeks or
    /// months.
    package static func compressedLength(of period: Period) -> Int64 {
        TimeRate.monthlyRenewalEveryFiveMinutes.length(of: period)
    }

    /// Milliseconds for which a renewal is tried again, counted from the expiry: 60 days, or two months of compressed
    /// time.
    package var retryLength: Int64 {
        rate?.retryLength ?? .days(BillingPolicy.retryDays)
    }

    /// Milliseconds of the billing grace period of a subscription with this period.
    package func graceLength(_ length: BillingPolicy.GraceLength, for period: Period) -> Int64 {
        let isWeekly = period.unit == .week && period.count == 1
        let days = isWeekly ? min(length.rawValue, BillingPolicy.maximumWeeklyGraceDays) : length.rawValue
        return rate?.graceLength(days: days, isWeekly: isWeekly) ?? .days(days)
    }

    /// Milliseconds of so many days of subscription time, such as those of an extension.
    ///
    /// A day is the thirtieth of a compressed month, and what is left of a minute is dropped, so that a few days may
    /// come to nothing (as developers report of sandbox). Paces whose month is below three minutes drop fractions of a
    /// second.
    package func length(ofDays days: Int64) -> Int64 {
        rate?.length(ofDays: days) ?? .days(days)
    }

    /// A gap in paid service longer than this starts a new stretch of subscription: 60 days, 10 minutes in sandbox
    /// (`recentSubscriptionStartDate`).
    package var longestGap: Int64 { retryLength }
}
