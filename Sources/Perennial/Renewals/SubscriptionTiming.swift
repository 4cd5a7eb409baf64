/// The lengths of a subscription's periods, grace period and billing retry, which follow from its renewal rate.
///
/// Production and test sessions count calendar periods. Every other renewal rate compresses them, and grace and billing retry in
/// proportion.
package enum SubscriptionTiming: Hashable, Sendable, Codable {
    case calendar
    /// Sandbox's original rate: a week lasts 3 minutes, a month 5, a year an hour. A subscription renews 6 times and
    /// expires.
    case compressed
    /// The renewal rate of a sandbox tester or a test session.
    case rate(TimeRate, maximumRenewals: Int?)

    package init(_ kind: StoreEnvironment.Kind) {
        switch kind {
        case .production, .xcode: self = .calendar
        case .sandbox: self = .compressed
        }
    }

    /// Automatic renewals at Sandbox's original rate.
    package static let maximumCompressedRenewals = 6
    /// Automatic renewals at a sandbox tester's rate.
    package static let maximumTesterRenewals = 12

    /// Returns the timing of a sandbox tester's rate.
    package static func sandbox(_ rate: TimeRate) -> SubscriptionTiming {
        .rate(rate, maximumRenewals: maximumTesterRenewals)
    }

    /// TestFlight's timing: every duration renews once a day, six times within a week.
    package static let testFlight = SubscriptionTiming.rate(.oneRenewalEveryDay, maximumRenewals: 6)

    /// Returns the timing of a test session in Xcode, without a limit of renewals.
    package static func session(_ rate: TimeRate) -> SubscriptionTiming {
        .rate(rate, maximumRenewals: nil)
    }

    /// The number of automatic renewals before a subscription expires; `nil` for no limit.
    package var maximumRenewals: Int? {
        switch self {
        case .calendar: nil
        case .compressed: Self.maximumCompressedRenewals
        case .rate(_, let maximum): maximum
        }
    }

    /// The renewal rate of compressed time; `nil` for the calendar.
    package var rate: TimeRate? {
        switch self {
        case .calendar: nil
        case .compressed: .monthlyRenewalEveryFiveMinutes
        case .rate(let rate, _): rate
        }
    }

    /// Returns the end of the `number`-th period after `anchor`.
    package func end(of period: Period, after anchor: Instant, number: Int = 1) -> Instant {
        guard let rate else { return period.end(after: anchor, number: number) }
        return anchor + rate.length(of: period) * Int64(number)
    }

    /// Returns the milliseconds of a period at Sandbox's original rate. Lengths outside Apple's table follow from the
    /// number of weeks or months.
    package static func compressedLength(of period: Period) -> Int64 {
        TimeRate.monthlyRenewalEveryFiveMinutes.length(of: period)
    }

    /// Milliseconds of billing retry from the expiry: 60 days, or two compressed months.
    package var retryLength: Int64 {
        rate?.retryLength ?? .days(BillingPolicy.retryDays)
    }

    /// Returns the milliseconds of the grace period of a subscription with this period.
    package func graceLength(_ length: BillingPolicy.GraceLength, for period: Period) -> Int64 {
        let isWeekly = period.unit == .week && period.count == 1
        let days = isWeekly ? min(length.rawValue, BillingPolicy.maximumWeeklyGraceDays) : length.rawValue
        return rate?.graceLength(days: days, isWeekly: isWeekly) ?? .days(days)
    }

    /// Returns the milliseconds of some days of subscription time, such as those of an extension.
    ///
    /// A day is a thirtieth of a compressed month, rounded down to a minute, so a few days may be zero (as developers
    /// report of Sandbox). At rates with a month below three minutes it is rounded down to a second.
    package func length(ofDays days: Int64) -> Int64 {
        rate?.length(ofDays: days) ?? .days(days)
    }

    /// The longest gap in paid service that continues the subscription: 60 days, or 10 minutes in Sandbox
    /// (`recentSubscriptionStartDate`).
    package var longestGap: Int64 { retryLength }

    /// Milliseconds of paid service after which the seller's share rises: 365 days, or twelve compressed months.
    package var yearOfService: Int64 { rate?.yearOfService ?? .days(365) }
}
