import Foundation

#if !canImport(Darwin)
    /// The conformance that Foundation has on Apple's platforms only. There the style is its own; here it is empty, so that its text is
    /// in the language of the process: `3 months`.
    extension Date.ComponentsFormatStyle: @retroactive FormatStyle {
        public typealias FormatInput = Range<Date>
        public typealias FormatOutput = String

        /// Returns the text of the years, months, weeks and days between two dates.
        public func format(_ value: Range<Date>) -> String {
            var calendar = Calendar(identifier: .gregorian)
            calendar.timeZone = .current
            calendar.locale = .current
            var text = DurationText()
            text.style = .full
            text.allowedUnits = [.year, .month, .weekOfMonth, .day]
            text.calendar = calendar
            return text.text(from: value.lowerBound, to: value.upperBound) ?? ""
        }

        /// The only value. Foundation offers no initializer but a decoder's.
        fileprivate static func only() -> Date.ComponentsFormatStyle {
            do {
                return try JSONDecoder().decode(Date.ComponentsFormatStyle.self, from: Data("{}".utf8))
            } catch {
                preconditionFailure("Date.ComponentsFormatStyle has members now: \(error)")
            }
        }
    }
#endif

extension Product {
    /// Format style of a subscription's period, such as `3 months`: `period.formatted(product.subscriptionPeriodFormatStyle)`.
    ///
    /// In the locale of the product's texts on Apple's platforms; in that of the process elsewhere.
    public var subscriptionPeriodFormatStyle: Date.ComponentsFormatStyle {
        #if canImport(Darwin)
            Date.ComponentsFormatStyle(style: .wide, locale: priceFormatStyle.locale)
        #else
            .only()
        #endif
    }
}
