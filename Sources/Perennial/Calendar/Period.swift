/// A span of calendar time such as a subscription period or the term of a non-renewing subscription.
///
/// Written as an ISO 8601 duration (`P1W`, `P3M`, `P1Y`), as in `.storekit` files and signed transactions.
package struct Period: Hashable, Sendable, Codable, CustomStringConvertible {
    package enum Unit: String, Sendable, Codable, CaseIterable {
        case day = "D"
        case week = "W"
        case month = "M"
        case year = "Y"
    }

    package let count: Int
    package let unit: Unit

    /// The largest count, of a century in days.
    package static let maximumCount = 36_525

    package init(_ count: Int, _ unit: Unit) {
        self.count = count
        self.unit = unit
    }

    package static let week = Period(1, .week)
    package static let month = Period(1, .month)
    package static let year = Period(1, .year)

    /// Parses `P` number unit; `nil` for any other text, and for a count of zero or above ``maximumCount``.
    package init?(iso8601 text: some StringProtocol) {
        guard text.first == "P", let last = text.last, let unit = Unit(rawValue: String(last)) else { return nil }
        let digits = text.dropFirst().dropLast()
        guard !digits.isEmpty, digits.count <= 5, digits.allSatisfy({ $0.isASCII && $0.isNumber }),
            let count = Int(digits), count > 0, count <= Self.maximumCount
        else { return nil }
        self.init(count, unit)
    }

    package var iso8601: String { "P\(count)\(unit.rawValue)" }
    package var description: String { iso8601 }

    /// Returns the end of the `number`-th period after `anchor`.
    ///
    /// Months and years are counted from the anchor's day each time, never from the previous end, so that a
    /// subscription bought on 31 January renews on 28 February and then on 31 March, without drift.
    package func end(after anchor: Instant, number: Int = 1) -> Instant {
        switch unit {
        case .day: anchor + .days(Int64(count * number))
        case .week: anchor + .days(Int64(7 * count * number))
        case .month: Self.adding(months: count * number, to: anchor)
        case .year: Self.adding(months: 12 * count * number, to: anchor)
        }
    }

    private static func adding(months: Int, to anchor: Instant) -> Instant {
        let (date, millisecondOfDay) = anchor.civil
        return Instant(date.adding(months: months), millisecondOfDay: millisecondOfDay)
    }

    /// The approximate number of days, to compare durations, never to compute a date.
    package var approximateDays: Int {
        switch unit {
        case .day: count
        case .week: 7 * count
        case .month: 30 * count + count / 2
        case .year: 365 * count
        }
    }
}
