import Perennial
import Testing

/// Renewal rates of Sandbox, testers, TestFlight and Xcode (docs/reference/apple-behaviour.md, "Accelerated time").
struct TimeRateTests {
    private static let periods = [
        Period.week, .month, Period(2, .month), Period(3, .month), Period(6, .month), .year,
    ]

    struct Rate: Sendable {
        var rate: TimeRate
        /// Seconds of a week, 1, 2, 3, 6 months and a year.
        var seconds: [Int64]
        var weeklyGrace: Int64
        var grace: Int64
        var retry: Int64
    }

    static let rates = [
        Rate(
            rate: .monthlyRenewalEveryThirtySeconds, seconds: [10, 30, 60, 90, 180, 360], weeklyGrace: 9, grace: 15,
            retry: 60),
        Rate(
            rate: .monthlyRenewalEveryFiveMinutes, seconds: [180, 300, 600, 900, 1800, 3600], weeklyGrace: 154,
            grace: 150, retry: 600),
        Rate(
            rate: .monthlyRenewalEveryFifteenMinutes, seconds: [300, 900, 1800, 2700, 5400, 10800], weeklyGrace: 257,
            grace: 450, retry: 1800),
        Rate(
            rate: .monthlyRenewalEveryThirtyMinutes, seconds: [600, 1800, 3600, 5400, 10800, 21600], weeklyGrace: 514,
            grace: 900, retry: 3600),
        Rate(
            rate: .monthlyRenewalEveryHour, seconds: [900, 3600, 7200, 10800, 21600, 43200], weeklyGrace: 771,
            grace: 1800, retry: 7200),
    ]

    @Test(arguments: rates)
    func `every rate has the documented lengths, grace and retry`(row: Rate) {
        let timing = SubscriptionTiming.session(row.rate)
        #expect(Self.periods.map { (timing.end(of: $0, after: Life.start) - Life.start) / 1000 } == row.seconds)
        #expect(timing.graceLength(.sixteenDays, for: .week) == .seconds(row.weeklyGrace))
        #expect(timing.graceLength(.sixteenDays, for: .month) == .seconds(row.grace))
        #expect(timing.graceLength(.sixteenDays, for: .year) == .seconds(row.grace))
        #expect(timing.retryLength == .seconds(row.retry))
    }

    @Test func `Sandbox's original rate: a week is 3 minutes, a year an hour`() {
        let lengths = Self.periods.map { SubscriptionTiming(.sandbox).end(of: $0, after: Life.start) - Life.start }
        #expect(lengths == [3, 5, 10, 15, 30, 60].map { .minutes($0) })
    }

    @Test func `at a tester's rate of 3 minutes a year lasts 36 minutes`() {
        let timing = SubscriptionTiming.sandbox(.monthlyRenewalEveryThreeMinutes)
        #expect(timing.end(of: .month, after: Life.start) == Life.start + .minutes(3))
        #expect(timing.end(of: .year, after: Life.start) == Life.start + .minutes(36))
    }

    @Test(arguments: [
        (SubscriptionTiming.compressed, 6), (.sandbox(.monthlyRenewalEveryFiveMinutes), 12),
        (.sandbox(.monthlyRenewalEveryHour), 12), (.testFlight, 6),
    ])
    func `a Sandbox subscription expires after its number of renewals`(timing: SubscriptionTiming, renewals: Int) throws
    {
        var life = try Life(.monthly, timing: timing)
        let kinds = try life.advance(to: Life.start + .days(30))
        #expect(kinds == Array(repeating: .renewed, count: renewals) + [.expiredByChoice])
        #expect(life.transactions.count == renewals + 1)
        let length = timing.end(of: .month, after: Life.start) - Life.start
        #expect(life.events.last?.at == Life.start + length * Int64(renewals + 1))
    }

    @Test func `buying again in Sandbox restarts the count of renewals`() throws {
        var life = try Life(.monthly, timing: .compressed)
        try life.advance(to: Life.start + .hours(1))
        #expect(try life.happen(.purchase(.monthly), at: Life.start + .hours(1)) == [.resubscribed])
        let kinds = try life.advance(to: Life.start + .hours(2))
        #expect(kinds.count(where: { $0 == .renewed }) == 6)
        // The gap of 25 minutes is longer than sandbox's 10.
        #expect(life.subscription.recentSubscriptionStartDate == Life.start + .hours(1))
    }

    @Test func `a test session has no limit of renewals`() throws {
        var life = try Life(.monthly, timing: .session(.monthlyRenewalEveryThirtySeconds))
        let kinds = try life.advance(to: Life.start + .minutes(60))
        #expect(kinds == Array(repeating: .renewed, count: 120))
    }

    @Test func `TestFlight renews every duration once a day`() {
        for period in Self.periods {
            #expect(SubscriptionTiming.testFlight.end(of: period, after: Life.start) == Life.start + .days(1))
        }
    }

    @Test func `real time follows the calendar`() {
        #expect(SubscriptionTiming(.production).graceLength(.sixteenDays, for: .week) == .days(6))
        #expect(SubscriptionTiming(.production).graceLength(.sixteenDays, for: .month) == .days(16))
        #expect(SubscriptionTiming(.production).retryLength == .days(60))
    }

    @Test(arguments: [
        (TimeRate.oneRenewalEveryTwoSeconds, Int64(2)), (.oneRenewalEveryTenSeconds, 10),
        (.oneRenewalEveryThirtySeconds, 30), (.oneRenewalEveryMinute, 60), (.oneRenewalEveryFiveMinutes, 300),
        (.oneRenewalEveryFifteenMinutes, 900),
    ])
    func `a fixed step renews every duration, with one step of grace and two of retry`(rate: TimeRate, seconds: Int64) {
        let timing = SubscriptionTiming.session(rate)
        for period in Self.periods {
            #expect(timing.end(of: period, after: Life.start) == Life.start + .seconds(seconds))
            #expect(timing.graceLength(.sixteenDays, for: period) == .seconds(seconds))
        }
        #expect(timing.retryLength == .seconds(2 * seconds))
    }

    @Test(arguments: [
        (TimeRate.oneDayIsOneSecond, Int64(1)), (.oneDayIsThirtySeconds, 30), (.oneDayIsOneMinute, 60),
        (.oneDayIsFiveMinutes, 300), (.oneDayIsThirtyMinutes, 1800), (.oneDayIsOneHour, 3600),
    ])
    func `the older rates define the length of a day`(rate: TimeRate, seconds: Int64) {
        let timing = SubscriptionTiming.session(rate)
        #expect(timing.end(of: .week, after: Life.start) == Life.start + .seconds(7 * seconds))
        #expect(timing.end(of: .year, after: Life.start) == Life.start + .seconds(365 * seconds))
        #expect(timing.retryLength == .seconds(60 * seconds))
    }

    @Test func `grace and retry in Sandbox are compressed in proportion`() throws {
        let billing = BillingPolicy(grace: BillingPolicy.Grace(.sixteenDays))
        var life = try Life(.monthly, timing: .compressed, billing: billing)
        life.cardWorks = false
        let end = life.subscription.paidUntil
        try life.advance(to: end + .minutes(10))
        let kinds = life.kinds().filter { $0 != .attemptDeclined }
        #expect(kinds == [.subscribed, .renewalFailedWithGrace, .gracePeriodEnded, .expiredAfterBillingRetry])
        #expect(life.events.first { $0.kind == .gracePeriodEnded }?.at == end + .seconds(150))
        #expect(life.events.last?.at == end + .minutes(10))
    }

    @Test func `offers of days and weeks are compressed in proportion to a week`() {
        #expect(SubscriptionTiming.compressedLength(of: Period(3, .day)) == .seconds(77))
        #expect(SubscriptionTiming.compressedLength(of: Period(2, .week)) == .minutes(6))
    }

    @Test func `an extension's days are compressed to minutes, possibly none`() {
        #expect(SubscriptionTiming.compressed.length(ofDays: 1) == 0)
        #expect(SubscriptionTiming.compressed.length(ofDays: 90) == .minutes(15))
        #expect(SubscriptionTiming.calendar.length(ofDays: 90) == .days(90))
    }
}
