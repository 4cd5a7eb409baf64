/// The setting of the renewal rate, by its name in catalogs and in the control API: `real`, `compressed`,
/// `testFlight` or a ``TimeRate``.
package enum RenewalRate: Hashable, Sendable {
    case real
    /// Sandbox's original rate.
    case compressed
    case testFlight
    case rate(TimeRate)

    /// Returns the timing of this rate in an environment.
    func timing(_ kind: StoreEnvironment.Kind) -> SubscriptionTiming {
        guard kind == .xcode, let rate = timing.rate else { return timing }
        return .session(rate)
    }

    /// The timing of this rate. A sandbox tester's rates have a limit of renewals; those of test sessions don't.
    package var timing: SubscriptionTiming {
        switch self {
        case .real: .calendar
        case .compressed: .compressed
        case .testFlight: .testFlight
        case .rate(let rate): TimeRate.testerRates.contains(rate) ? .sandbox(rate) : .session(rate)
        }
    }
}

extension RenewalRate: RawRepresentable, CaseIterable, Codable {
    package static let allCases: [RenewalRate] =
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
    /// The rates that App Store Connect offers for a sandbox tester.
    package static let testerRates: [TimeRate] = [
        .monthlyRenewalEveryThreeMinutes, .monthlyRenewalEveryFiveMinutes, .monthlyRenewalEveryFifteenMinutes,
        .monthlyRenewalEveryThirtyMinutes, .monthlyRenewalEveryHour,
    ]

    /// The rates by their numbers in `.storekit` files.
    private static let sessionNumbers: [Int: TimeRate] = [
        1: .oneDayIsOneHour, 2: .oneDayIsThirtyMinutes, 3: .oneDayIsFiveMinutes, 4: .oneDayIsOneMinute,
        5: .oneDayIsThirtySeconds, 6: .oneDayIsOneSecond, 10: .monthlyRenewalEveryHour,
        11: .monthlyRenewalEveryThirtyMinutes, 12: .monthlyRenewalEveryFifteenMinutes,
        13: .monthlyRenewalEveryFiveMinutes, 15: .monthlyRenewalEveryThirtySeconds,
        1000: .oneRenewalEveryFifteenMinutes, 1001: .oneRenewalEveryFiveMinutes, 1002: .oneRenewalEveryMinute,
        1003: .oneRenewalEveryThirtySeconds, 1004: .oneRenewalEveryTenSeconds, 1005: .oneRenewalEveryTwoSeconds,
    ]

    /// Creates a rate from its number in a `.storekit` file; `nil` for real time and unknown numbers.
    package init?(sessionNumber: Int) {
        guard let rate = Self.sessionNumbers[sessionNumber] else { return nil }
        self = rate
    }

    /// The number in a `.storekit` file; `nil` for a rate that such files don't have.
    package var sessionNumber: Int? { Self.sessionNumbers.first { $0.value == self }?.key }
}
