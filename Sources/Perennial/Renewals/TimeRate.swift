/// A renewal rate, by the names of test sessions (`SKTestSession.TimeRate`).
///
/// Sources: App Store Connect help (sandbox subscription renewal rates), StoreKitTest (`SKTestSession.TimeRate`).
/// Assumed here: at a sandbox tester's month of 3 minutes a week lasts 1 minute, because at most rates it is a third
/// of the month.
package enum TimeRate: String, Hashable, Sendable, Codable, CaseIterable {
    case monthlyRenewalEveryThirtySeconds
    case monthlyRenewalEveryThreeMinutes
    case monthlyRenewalEveryFiveMinutes
    case monthlyRenewalEveryFifteenMinutes
    case monthlyRenewalEveryThirtyMinutes
    case monthlyRenewalEveryHour
    case oneRenewalEveryTwoSeconds
    case oneRenewalEveryTenSeconds
    case oneRenewalEveryThirtySeconds
    case oneRenewalEveryMinute
    case oneRenewalEveryFiveMinutes
    case oneRenewalEveryFifteenMinutes
    /// The rate of TestFlight.
    case oneRenewalEveryDay
    case oneDayIsOneSecond
    case oneDayIsThirtySeconds
    case oneDayIsOneMinute
    case oneDayIsFiveMinutes
    case oneDayIsThirtyMinutes
    case oneDayIsOneHour

    private enum Scale {
        /// Lengths of a week and a month. Other durations are multiples of them.
        case months(week: Int64, month: Int64)
        /// Every duration has the same length.
        case steps(Int64)
        case days(Int64)
    }

    private var scale: Scale {
        switch self {
        case .monthlyRenewalEveryThirtySeconds: .months(week: .seconds(10), month: .seconds(30))
        case .monthlyRenewalEveryThreeMinutes: .months(week: .minutes(1), month: .minutes(3))
        case .monthlyRenewalEveryFiveMinutes: .months(week: .minutes(3), month: .minutes(5))
        case .monthlyRenewalEveryFifteenMinutes: .months(week: .minutes(5), month: .minutes(15))
        case .monthlyRenewalEveryThirtyMinutes: .months(week: .minutes(10), month: .minutes(30))
        case .monthlyRenewalEveryHour: .months(week: .minutes(15), month: .hours(1))
        case .oneRenewalEveryTwoSeconds: .steps(.seconds(2))
        case .oneRenewalEveryTenSeconds: .steps(.seconds(10))
        case .oneRenewalEveryThirtySeconds: .steps(.seconds(30))
        case .oneRenewalEveryMinute: .steps(.minutes(1))
        case .oneRenewalEveryFiveMinutes: .steps(.minutes(5))
        case .oneRenewalEveryFifteenMinutes: .steps(.minutes(15))
        case .oneRenewalEveryDay: .steps(.days(1))
        case .oneDayIsOneSecond: .days(.seconds(1))
        case .oneDayIsThirtySeconds: .days(.seconds(30))
        case .oneDayIsOneMinute: .days(.minutes(1))
        case .oneDayIsFiveMinutes: .days(.minutes(5))
        case .oneDayIsThirtyMinutes: .days(.minutes(30))
        case .oneDayIsOneHour: .days(.hours(1))
        }
    }

    /// Returns the milliseconds of a period. Days outside the tables are sevenths of the week, rounded to seconds.
    package func length(of period: Period) -> Int64 {
        let count = Int64(period.count)
        switch (scale, period.unit) {
        case (.months(let week, _), .day): return Self.wholeSeconds(week * count, over: 7)
        case (.months(let week, _), .week): return week * count
        case (.months(_, let month), .month): return month * count
        case (.months(_, let month), .year): return month * 12 * count
        case (.steps(let step), _): return step
        case (.days(let day), _): return day * Int64(period.approximateDays)
        }
    }

    /// Returns the milliseconds of the grace period: sevenths of the compressed week for a weekly subscription,
    /// otherwise thirty-seconds of the month, so that the usual 16 days are half a month. Rounded to seconds, as the
    /// documented values are.
    func graceLength(days: Int64, isWeekly: Bool) -> Int64 {
        switch scale {
        case .months(let week, let month):
            isWeekly ? Self.wholeSeconds(week * days, over: 7) : Self.wholeSeconds(month * days, over: 32)
        case .steps(let step): step
        case .days(let day): day * days
        }
    }

    var retryLength: Int64 {
        switch scale {
        case .months(_, let month): month * 2
        case .steps(let step): step * 2
        case .days(let day): day * BillingPolicy.retryDays
        }
    }

    var yearOfService: Int64 {
        switch scale {
        case .months(_, let month), .steps(let month): month * 12
        case .days(let day): day * 365
        }
    }

    func length(ofDays days: Int64) -> Int64 {
        switch scale {
        case .months(_, let month), .steps(let month):
            let exact = month * days / 30
            let unit: Int64 = month < .minutes(3) ? .seconds(1) : .minutes(1)
            return exact / unit * unit
        case .days(let day): return day * days
        }
    }

    private static func wholeSeconds(_ dividend: Int64, over divisor: Int64) -> Int64 {
        max((dividend + divisor * 500) / (divisor * 1000), 1) * 1000
    }
}
