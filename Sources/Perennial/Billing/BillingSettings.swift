/// What was said about subscription time and billing, of an app or of an environment. What is `nil` was not said, and stays
/// as it is without.
package struct BillingSettings: Hashable, Sendable, Codable {
    /// A renewal cap that says there is none.
    package static let withoutEnd = 0
    package static let maximumRenewalsRange = 0...10_000
    /// The days of grace that a seller can choose; 0 is none.
    package static let gracePeriodDays: [Int64] = [0] + BillingPolicy.GraceLength.allCases.map(\.rawValue)

    package var timeRate: SubscriptionPace?
    /// How often a subscription renews by itself before it expires; ``withoutEnd`` for as long as it is paid. Compressed
    /// time only.
    package var maximumRenewals: Int?
    /// 3, 16 or 28; 0 for none, which is how it begins: grace is opted in to.
    package var gracePeriodDays: Int64?
    package var gracePeriodScope: BillingPolicy.GraceScope?
    /// Whether renewals fail though the account can pay: Xcode's "billing issues on renewal".
    package var renewalsFail: Bool?

    package init(
        timeRate: SubscriptionPace? = nil, maximumRenewals: Int? = nil, gracePeriodDays: Int64? = nil,
        gracePeriodScope: BillingPolicy.GraceScope? = nil, renewalsFail: Bool? = nil
    ) {
        self.timeRate = timeRate
        self.maximumRenewals = maximumRenewals
        self.gracePeriodDays = gracePeriodDays
        self.gracePeriodScope = gracePeriodScope
        self.renewalsFail = renewalsFail
    }

    /// The field that holds a value it can't have, with what would be right; `nil` where all is well.
    package var problem: (field: String, reason: String)? {
        if let days = gracePeriodDays, !Self.gracePeriodDays.contains(days) {
            return ("gracePeriodDays", "a grace period is 3, 16 or 28 days, or 0 for none")
        }
        if let count = maximumRenewals {
            guard Self.maximumRenewalsRange.contains(count) else {
                return ("maximumRenewals", "1 to 10000 renewals, or 0 for no end")
            }
            if timeRate == .real, count != Self.withoutEnd {
                return ("maximumRenewals", "only compressed time ends after so many renewals")
            }
        }
        return nil
    }

    /// What these say, and what `others` say where these don't. A pace comes with its own cap.
    package func or(_ others: BillingSettings?) -> BillingSettings {
        guard let others else { return self }
        return BillingSettings(
            timeRate: timeRate ?? others.timeRate,
            maximumRenewals: maximumRenewals ?? (timeRate == nil ? others.maximumRenewals : nil),
            gracePeriodDays: gracePeriodDays ?? others.gracePeriodDays,
            gracePeriodScope: gracePeriodScope ?? others.gracePeriodScope,
            renewalsFail: renewalsFail ?? others.renewalsFail)
    }

    /// How long periods last.
    /// - Parameter tester: The rate that a tester chose for their own account: it goes before all else, in sandbox.
    package func timing(_ kind: StoreEnvironment.Kind, tester: TimeRate? = nil) -> SubscriptionTiming {
        if let tester, kind == .sandbox { return .sandbox(tester) }
        let usual = timeRate?.timing ?? SubscriptionTiming(kind)
        guard let maximumRenewals, let rate = usual.rate else { return usual }
        return .rate(rate, maximumRenewals: maximumRenewals == Self.withoutEnd ? nil : maximumRenewals)
    }

    package var policy: BillingPolicy {
        let length = gracePeriodDays.flatMap(BillingPolicy.GraceLength.init(rawValue:))
        return BillingPolicy(grace: length.map { BillingPolicy.Grace($0, scope: gracePeriodScope ?? .allRenewals) })
    }
}

/// The pace of subscription time, by the names that catalogs and the control API use: `real`, `compressed`, `testFlight`, or
/// a ``TimeRate``'s.
package enum SubscriptionPace: Hashable, Sendable {
    case real
    /// Sandbox as it was from the beginning.
    case compressed
    case testFlight
    case rate(TimeRate)

    /// What it comes to. Rates that sandbox testers choose end after their number of renewals; those of test sessions don't.
    package var timing: SubscriptionTiming {
        switch self {
        case .real: .calendar
        case .compressed: .compressed
        case .testFlight: .testFlight
        case .rate(let rate): TimeRate.testerRates.contains(rate) ? .sandbox(rate) : .session(rate)
        }
    }
}

extension SubscriptionPace: RawRepresentable, CaseIterable, Codable {
    package static let allCases: [SubscriptionPace] =
        [.real, .compressed, .testFlight] + TimeRate.allCases.map { .rate($0) }

    package init?(rawValue: String) {
        switch rawValue {
        case "real": self = .real
        case "compressed": self = .compressed
        case "testFlight": self = .testFlight
        default:
            guard let rate = TimeRate(rawValue: rawValue) else { return nil }
            self = .rate(rate)
        }
    }

    package var rawValue: String {
        switch self {
        case .real: "real"
        case .compressed: "compressed"
        case .testFlight: "testFlight"
        case .rate(let rate): rate.rawValue
        }
    }
}

extension TimeRate {
    /// What a sandbox tester can choose in App Store Connect.
    package static let testerRates: [TimeRate] = [
        .monthlyRenewalEveryThreeMinutes, .monthlyRenewalEveryFiveMinutes, .monthlyRenewalEveryFifteenMinutes,
        .monthlyRenewalEveryThirtyMinutes, .monthlyRenewalEveryHour,
    ]

    /// By the number of a test session's rate in a `.storekit` file; `nil` for real time and unknown numbers.
    package init?(sessionNumber: Int) {
        let numbers: [Int: TimeRate] = [
            1: .oneDayIsOneHour, 2: .oneDayIsThirtyMinutes, 3: .oneDayIsFiveMinutes, 4: .oneDayIsOneMinute,
            5: .oneDayIsThirtySeconds, 6: .oneDayIsOneSecond, 10: .monthlyRenewalEveryHour,
            11: .monthlyRenewalEveryThirtyMinutes, 12: .monthlyRenewalEveryFifteenMinutes,
            13: .monthlyRenewalEveryFiveMinutes, 15: .monthlyRenewalEveryThirtySeconds,
            1000: .oneRenewalEveryFifteenMinutes, 1001: .oneRenewalEveryFiveMinutes, 1002: .oneRenewalEveryMinute,
            1003: .oneRenewalEveryThirtySeconds, 1004: .oneRenewalEveryTenSeconds, 1005: .oneRenewalEveryTwoSeconds,
        ]
        guard let rate = numbers[sessionNumber] else { return nil }
        self = rate
    }
}

/// An app's settings in its catalog, for each of the App Store's two sides: grace in sandbox is opted in to by itself.
package struct AppBilling: Hashable, Sendable, Codable {
    package var production: BillingSettings?
    package var sandbox: BillingSettings?

    package init(production: BillingSettings? = nil, sandbox: BillingSettings? = nil) {
        self.production = production
        self.sandbox = sandbox
    }

    package subscript(kind: StoreEnvironment.Kind) -> BillingSettings? {
        switch kind {
        case .production: production
        case .sandbox: sandbox
        }
    }
}
