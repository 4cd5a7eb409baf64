extension SKTestSession {
    /// Speed at which subscriptions renew.
    ///
    /// Source: Apple, StoreKitTest documentation, "SKTestSession.TimeRate".
    public enum TimeRate: Int, Sendable {
        /// Periods as long as in the App Store.
        case realTime = 0
        /// A day of a period takes an hour.
        case oneHourIsOneDay = 1
        /// A day of a period takes thirty minutes.
        case thirtyMinutesIsOneDay = 2
        /// A day of a period takes five minutes.
        case fiveMinutesIsOneDay = 3
        /// A day of a period takes one minute.
        case oneMinuteIsOneDay = 4
        /// A day of a period takes thirty seconds.
        case thirtySecondsIsOneDay = 5
        /// A day of a period takes one second.
        case oneSecondIsOneDay = 6
        /// A month takes an hour.
        case monthlyRenewalEveryHour = 10
        /// A month takes thirty minutes.
        case monthlyRenewalEveryThirtyMinutes = 11
        /// A month takes fifteen minutes.
        case monthlyRenewalEveryFifteenMinutes = 12
        /// A month takes five minutes.
        case monthlyRenewalEveryFiveMinutes = 13
        /// A month takes thirty seconds.
        case monthlyRenewalEveryThirtySeconds = 15
        /// Each period takes fifteen minutes.
        case oneRenewalEveryFifteenMinutes = 1000
        /// Each period takes five minutes.
        case oneRenewalEveryFiveMinutes = 1001
        /// Each period takes one minute.
        case oneRenewalEveryMinute = 1002
        /// Each period takes thirty seconds.
        case oneRenewalEveryThirtySeconds = 1003
        /// Each period takes ten seconds.
        case oneRenewalEveryTenSeconds = 1004
        /// Each period takes two seconds.
        case oneRenewalEveryTwoSeconds = 1005
    }
}
