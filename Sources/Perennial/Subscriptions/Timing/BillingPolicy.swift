/// What a seller grants to customers whose renewal can't be charged, and when the store tries again.
package struct BillingPolicy: Hashable, Sendable, Codable {
    /// Days of the billing grace period, by their names in the App Store Connect API.
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

    /// Which renewals are given grace, by the names of the App Store Connect API.
    package enum GraceScope: String, Sendable, Codable, CaseIterable {
        case allRenewals = "ALL_RENEWALS"
        /// Not the one from a free period to the first paid one.
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

    /// `nil`: access ends with the paid period, and billing retry begins at once.
    package var grace: Grace?
    /// How many milliseconds before a period's end its renewal is charged. Production only: compressed time charges at
    /// the end.
    package var chargeLead: Int64

    package init(grace: Grace? = nil, chargeLead: Int64 = BillingPolicy.usualChargeLead) {
        self.grace = grace
        self.chargeLead = min(max(chargeLead, 0), Self.usualChargeLead)
    }

    /// The store charges within the last 24 hours of a period.
    package static let usualChargeLead: Int64 = .hours(24)
    /// A weekly subscription has no longer grace, since its next period would be over.
    package static let maximumWeeklyGraceDays: Int64 = 6
    /// Billing retry lasts this long from the expiry, grace included.
    package static let retryDays: Int64 = 60
    /// Days after the expiry on which a charge is tried again: often at first, when a card has most likely been
    /// renewed. The App Store doesn't publish its own; none coincides with the end of a grace period.
    package static let retryAttemptDays: [Int64] = [1, 2, 4, 5, 7, 10, 13, 17, 21, 25, 30, 35, 40, 45, 50, 55, 59]

    /// How long before a period's end its renewal is charged.
    func chargeLead(_ timing: SubscriptionTiming) -> Int64 {
        timing == .calendar ? chargeLead : 0
    }

    /// The first scheduled attempt after `now` for what expired at `expired`; the end of billing retry where none is
    /// left.
    static func nextAttempt(expired: Instant, after now: Instant, _ timing: SubscriptionTiming) -> Instant {
        let whole = timing.retryLength
        for day in retryAttemptDays {
            let attempt = expired + whole * day / retryDays
            if attempt > now { return attempt }
        }
        return expired + whole
    }
}
