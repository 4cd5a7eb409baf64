/// An ISO 8601 duration by which a clock is advanced, such as `P1M`, `P1Y6M`, `PT5M` or `P1DT12H30M0.5S`.
///
/// Years and months follow the calendar, with the last day of a month that is too short. Weeks, days and times have a
/// fixed length. A ``Period``, by contrast, is the length of a subscription: one number of one unit.
package struct CalendarDuration: Hashable, Sendable, CustomStringConvertible {
    /// The reason why a text isn't a duration.
    package struct Malformed: Error, Equatable {
        package let reason: String
    }

    /// The longest duration in years, because protocols write years with four digits.
    package static let maximumYears: Int64 = 10_000

    /// The months, with twelve for each year.
    package let months: Int64
    /// The milliseconds of the weeks, days, hours, minutes and seconds.
    package let milliseconds: Int64
    /// The text as it was written.
    package let description: String

    /// Parses `P` years `Y` months `M` weeks `W` days `D` `T` hours `H` minutes `M` seconds `S`: whole numbers, each
    /// optional but at least one. Seconds may have a fraction of one to three digits.
    ///
    /// - Throws: ``Malformed``, also for zero and for negative durations.
    package init(iso8601 text: String) throws(Malformed) {
        let unsigned = text.drop { $0 == "-" || $0 == "+" }
        guard unsigned.first == "P" else { throw Self.unreadable }
        let parts = unsigned.dropFirst().split(separator: "T", maxSplits: 1, omittingEmptySubsequences: false)
        var reader = Reader()
        try reader.read(parts[0], Self.dateUnits)
        if parts.count == 2 {
            guard !parts[1].isEmpty else { throw Self.unreadable }
            try reader.read(parts[1], Self.timeUnits)
        }
        guard reader.hasRead else { throw Self.unreadable }
        guard unsigned.startIndex == text.startIndex, !reader.isNegative else {
            throw Malformed(reason: "a clock only moves forward: a duration has no sign")
        }
        guard reader.months > 0 || reader.milliseconds > 0 else {
            throw Malformed(reason: "a duration is longer than nothing")
        }
        guard reader.months <= 12 * Self.maximumYears, reader.milliseconds <= .days(366 * Self.maximumYears) else {
            throw Self.tooLong
        }
        (months, milliseconds, description) = (reader.months, reader.milliseconds, text)
    }

    /// Returns the instant after this duration; `nil` beyond ``Instant/endOfTime``.
    package func end(after anchor: Instant) -> Instant? {
        guard anchor <= .endOfTime, anchor >= .beginningOfTime else { return nil }
        let (date, millisecondOfDay) = anchor.civil
        let end = Instant(date.adding(months: Int(months)), millisecondOfDay: millisecondOfDay) + milliseconds
        return end <= .endOfTime ? end : nil
    }

    private static let dateUnits: [Unit] = [
        Unit(letter: "Y", months: 12), Unit(letter: "M", months: 1), Unit(letter: "W", milliseconds: .days(7)),
        Unit(letter: "D", milliseconds: .days(1)),
    ]
    private static let timeUnits: [Unit] = [
        Unit(letter: "H", milliseconds: .hours(1)), Unit(letter: "M", milliseconds: .minutes(1)),
        Unit(letter: "S", milliseconds: .seconds(1)),
    ]

    fileprivate static let unreadable = Malformed(
        reason: "expected an ISO 8601 duration such as P1M, P2W, P1DT12H or PT5M")
    fileprivate static let tooLong = Malformed(reason: "a duration has \(maximumYears) years at most")

    fileprivate struct Unit {
        var letter: Character
        var months: Int64 = 0
        var milliseconds: Int64 = 0
    }
}

/// Adds up the parts of a duration.
private struct Reader {
    /// A number of digits above what a duration of ``CalendarDuration/maximumYears`` in seconds has.
    private static let maximumDigits = 15

    var months: Int64 = 0
    var milliseconds: Int64 = 0
    var hasRead = false
    var isNegative = false

    /// Reads numbers with their units, each unit at most once and in order.
    mutating func read(_ text: Substring, _ units: [CalendarDuration.Unit]) throws(CalendarDuration.Malformed) {
        var text = text
        var units = units[...]
        while !text.isEmpty {
            if text.first == "-" {
                isNegative = true
                text.removeFirst()
            }
            let number = text.prefix { $0.isASCII && ($0.isNumber || $0 == "." || $0 == ",") }
            text = text.dropFirst(number.count)
            guard let letter = text.popFirst(), let place = units.firstIndex(where: { $0.letter == letter }) else {
                throw CalendarDuration.unreadable
            }
            try add(number, of: units[place])
            units = units[(place + 1)...]
            hasRead = true
        }
    }

    private mutating func add(_ number: Substring, of unit: CalendarDuration.Unit) throws(CalendarDuration.Malformed) {
        let parts = number.split(maxSplits: 1, omittingEmptySubsequences: false) { $0 == "." || $0 == "," }
        guard let whole = parts.first, !whole.isEmpty, whole.allSatisfy(\.isNumber) else {
            throw CalendarDuration.unreadable
        }
        guard whole.count <= Self.maximumDigits, let count = Int64(whole) else { throw CalendarDuration.tooLong }
        months = try sum(months, count, unit.months)
        milliseconds = try sum(milliseconds, count, unit.milliseconds)
        guard parts.count == 2 else { return }
        let fraction = parts[1]
        guard unit.letter == "S", (1...3).contains(fraction.count), let thousandths = Int64(fraction), thousandths >= 0
        else { throw CalendarDuration.Malformed(reason: "only seconds have a fraction, of up to three digits") }
        let scale: Int64 = [100, 10, 1][fraction.count - 1]
        milliseconds = try sum(milliseconds, thousandths, scale)
    }

    private func sum(_ total: Int64, _ count: Int64, _ size: Int64) throws(CalendarDuration.Malformed) -> Int64 {
        let (product, isTooMuch) = count.multipliedReportingOverflow(by: size)
        let (sum, isOver) = total.addingReportingOverflow(product)
        guard !isTooMuch, !isOver else { throw CalendarDuration.tooLong }
        return sum
    }
}
