import Foundation
import Perennial

extension Product {
    /// A span of calendar time, such as the period of a subscription.
    ///
    /// Source: Apple, StoreKit documentation, "Product.SubscriptionPeriod".
    public struct SubscriptionPeriod: Equatable, Hashable, Sendable {
        /// Unit of the span.
        public let unit: Unit
        /// Number of units.
        public let value: Int

        package init(value: Int, unit: Unit) {
            self.value = value
            self.unit = unit
        }

        /// Reads an ISO 8601 duration such as `P1M`; `nil` for any other text. Seven days are a week, as in StoreKit.
        package init?(iso8601 text: String) {
            guard let period = Period(iso8601: text) else { return nil }
            switch period.unit {
            case .day where period.count.isMultiple(of: 7): self.init(value: period.count / 7, unit: .week)
            case .day: self.init(value: period.count, unit: .day)
            case .week: self.init(value: period.count, unit: .week)
            case .month: self.init(value: period.count, unit: .month)
            case .year: self.init(value: period.count, unit: .year)
            }
        }

        /// The span as an ISO 8601 duration, such as `P1M`.
        package var iso8601: String {
            switch unit {
            case .day: "P\(value)D"
            case .week: "P\(value)W"
            case .month: "P\(value)M"
            case .year: "P\(value)Y"
            }
        }

        /// One week.
        public static var weekly: SubscriptionPeriod { SubscriptionPeriod(value: 1, unit: .week) }
        /// One month.
        public static var monthly: SubscriptionPeriod { SubscriptionPeriod(value: 1, unit: .month) }
        /// One year.
        public static var yearly: SubscriptionPeriod { SubscriptionPeriod(value: 1, unit: .year) }
        /// Three days.
        public static var everyThreeDays: SubscriptionPeriod { SubscriptionPeriod(value: 3, unit: .day) }
        /// Two weeks.
        public static var everyTwoWeeks: SubscriptionPeriod { SubscriptionPeriod(value: 2, unit: .week) }
        /// Two months.
        public static var everyTwoMonths: SubscriptionPeriod { SubscriptionPeriod(value: 2, unit: .month) }
        /// Three months.
        public static var everyThreeMonths: SubscriptionPeriod { SubscriptionPeriod(value: 3, unit: .month) }
        /// Six months.
        public static var everySixMonths: SubscriptionPeriod { SubscriptionPeriod(value: 6, unit: .month) }

        /// Units of spans, shortest first.
        public enum Unit: Equatable, Hashable, Sendable, Comparable {
            case day, week, month, year

            /// Name of the unit in the language of the process.
            public var localizedDescription: String { UnitName.name(of: self, in: .current) }

            /// True if `lhs` is shorter.
            public static func < (lhs: Unit, rhs: Unit) -> Bool { lhs.rank < rhs.rank }

            private var rank: Int {
                switch self {
                case .day: 0
                case .week: 1
                case .month: 2
                case .year: 3
                }
            }
        }
    }
}

extension Product.SubscriptionPeriod: CustomDebugStringConvertible {
    public var debugDescription: String { "\(value) \(unit.debugDescription)\(value == 1 ? "" : "s")" }

    /// Returns the dates from a date to the end of the span, in the Gregorian calendar of the current time zone.
    ///
    /// Source: Apple, StoreKit documentation, "dateRange(referenceDate:)".
    public func dateRange(referenceDate: Date = .now) -> Range<Date> {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .current
        let end = calendar.date(byAdding: DateComponents(subscriptionPeriod: self), to: referenceDate)
        return referenceDate..<(end ?? referenceDate)
    }

    /// Formats the span from a date as a range of dates.
    public func formatted<S>(_ format: S, referenceDate: Date = .now) -> S.FormatOutput
    where S: FormatStyle, S.FormatInput == Range<Date> {
        format.format(dateRange(referenceDate: referenceDate))
    }

    /// Formats the length of the span from a date.
    public func formatted<S>(_ format: S, referenceDate: Date = .now) -> S.FormatOutput
    where S: FormatStyle, S.FormatInput == Duration {
        let range = dateRange(referenceDate: referenceDate)
        let seconds = range.upperBound.timeIntervalSince(range.lowerBound)
        return format.format(.seconds(Int64(nearest: seconds)))
    }
}

extension Product.SubscriptionPeriod.Unit: CustomDebugStringConvertible {
    public var debugDescription: String {
        switch self {
        case .day: "Day"
        case .week: "Week"
        case .month: "Month"
        case .year: "Year"
        }
    }
}

extension DateComponents {
    /// Makes the components of a span: days, months or years; a week is seven days.
    ///
    /// Source: Apple, StoreKit documentation, "init(subscriptionPeriod:)".
    public init(subscriptionPeriod period: Product.SubscriptionPeriod) {
        switch period.unit {
        case .day: self.init(day: period.value)
        case .week: self.init(day: 7 * period.value)
        case .month: self.init(month: period.value)
        case .year: self.init(year: period.value)
        }
    }
}
