/// The seller's grace period and the store's retry schedule for declined renewals.
package struct BillingPolicy: Hashable, Sendable, Codable {
    /// Length of the grace period in days, with the App Store Connect API's names.
    package enum GraceLength: Int64, Sendable, Codable, CaseIterable {
        case threeDays = 3
        case sixteenDays = 16
        case twentyEightDays = 28

        package var apiName: String {
            switch self {
            case .threeDays: "THREE_DAYS"
            case .sixteenDays: "SIXTEEN_DAYS"
            case .twentyEightDays: "TWENTY_EIGHT_DAYS"
            }
        }
    }

    /// The renewals that get grace, with the App Store Connect API's names.
    package enum GraceScope: String, Sendable, Codable, CaseIterable {
        case allRenewals = "ALL_RENEWALS"
        /// All but the renewal from a free period to the first paid one.
        case paidToPaidOnly = "PAID_TO_PAID_ONLY"
    }

    package struct Grace: Hashable, Sendable, Codable {
        package var length: GraceLength
        package var scope: GraceScope

        package init(_ length: GraceLength, scope: GraceScope = .allRenewals) {
            self.length = length
            self.scope = scope
        }
    }

    /// The grace period; `nil` for none: billing retry begins at the end of the paid period, without access.
    package var grace: Grace?
    /// Milliseconds before a period's end at which its renewal is charged. Production only: compressed time charges
    /// at the end.
    package var chargeLead: Int64

    package init(grace: Grace? = nil, chargeLead: Int64 = BillingPolicy.usualChargeLead) {
        self.grace = grace
        self.chargeLead = min(max(chargeLead, 0), Self.usualChargeLead)
    }

    /// The App Store charges within the last 24 hours of a period.
    package static let usualChargeLead: Int64 = .hours(24)
    /// The longest grace of a weekly subscription, so that its next period isn't over first.
    package static let maximumWeeklyGraceDays: Int64 = 6
    /// Days of billing retry from the expiry, grace included.
    package static let retryDays: Int64 = 60
    /// The retry schedule in days after the expiry: often at first, when a card has most likely been renewed. Apple
    /// doesn't publish its schedule. No attempt coincides with the end of a grace period.
    package static let retryAttemptDays: [Int64] = [1, 2, 4, 5, 7, 10, 13, 17, 21, 25, 30, 35, 40, 45, 50, 55, 59]

    /// Returns the milliseconds before a period's end at which its renewal is charged.
    func chargeLead(_ timing: SubscriptionTiming) -> Int64 {
        timing == .calendar ? chargeLead : 0
    }

    /// Returns the first scheduled attempt after `now`; the end of billing retry if none is left.
    static func nextAttempt(expired: Instant, after now: Instant, _ timing: SubscriptionTiming) -> Instant {
        let whole = timing.retryLength
        for day in retryAttemptDays {
            let attempt = expired + whole * day / retryDays
            if attempt > now { return attempt }
        }
        return expired + whole
    }
}
