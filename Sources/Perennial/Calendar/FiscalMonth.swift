/// A month of Apple's fiscal calendar, by which payments are made.
///
/// A fiscal year begins on the Sunday after the last Saturday of September. Its quarters have months of 5, 4 and 4
/// weeks. In a year of 53 weeks the third month, December, has a fifth week (App Store Connect's fiscal calendar).
package struct FiscalMonth: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The fiscal year: 2027 begins in September 2026.
    package let year: Int
    /// 1 to 12; 1 is October of the calendar year before.
    package let month: Int

    /// Creates a month by its fiscal year and number.
    ///
    /// - Returns: `nil` for a month outside 1 to 12, or a year outside 1970 to 9999.
    package init?(year: Int, month: Int) {
        guard (1970...9999).contains(year), (1...12).contains(month) else { return nil }
        (self.year, self.month) = (year, month)
    }

    /// Creates the month that contains a day.
    package init(containing day: PacificDay) {
        var year = day.date.year + (day.date.month >= 9 ? 1 : 0)
        if day.number < Self.firstDay(ofYear: year) { year -= 1 }
        let week = Int((day.number - Self.firstDay(ofYear: year)) / 7)
        let ends = Self.endWeeks(ofYear: year)
        self.year = year
        month = (ends.firstIndex { week < $0 } ?? 11) + 1
    }

    /// Creates a month from the form of requests and files, `2027-01`.
    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].count == 4, parts[1].count == 2,
            parts.allSatisfy({ $0.utf8.allSatisfy { (48...57).contains($0) } }), let year = Int(parts[0]),
            let month = Int(parts[1])
        else { return nil }
        self.init(year: year, month: month)
    }

    /// Creates a month by its number, which rises by one each month. Storage uses it.
    package init(number: Int64) {
        let (year, month) = number.quotientAndRemainder(dividingBy: 12)
        (self.year, self.month) = (Int(year), Int(month) + 1)
    }

    package var number: Int64 { Int64(year) * 12 + Int64(month - 1) }
    package var next: FiscalMonth { FiscalMonth(number: number + 1) }
    package var previous: FiscalMonth { FiscalMonth(number: number - 1) }

    /// The first day, a Sunday.
    package var firstDay: PacificDay {
        let weeks = month == 1 ? 0 : Self.endWeeks(ofYear: year)[month - 2]
        return PacificDay(number: Self.firstDay(ofYear: year) + Int64(7 * weeks))
    }

    /// The last day, a Saturday.
    package var lastDay: PacificDay { next.firstDay.adding(-1) }

    /// `2027-01`.
    package var description: String { "\(year)-\(month < 10 ? "0" : "")\(month)" }

    package static func < (one: FiscalMonth, other: FiscalMonth) -> Bool { one.number < other.number }

    /// The number of the day on which a fiscal year begins.
    private static func firstDay(ofYear year: Int) -> Int64 {
        let last = CivilDate(year: year - 1, month: 9, day: 30)
        // Back from 30 September to a Saturday; the year begins on the Sunday after it.
        return last.daysSince1970 - Int64((last.weekday + 1) % 7) + 1
    }

    /// The number of weeks of the year at each month's end.
    private static func endWeeks(ofYear year: Int) -> [Int] {
        let extra = (firstDay(ofYear: year + 1) - firstDay(ofYear: year)) / 7 == 53 ? 1 : 0
        var (total, ends): (Int, [Int]) = (0, [])
        for month in 1...12 {
            total += month % 3 == 1 ? 5 : 4
            if month == 3 { total += extra }
            ends.append(total)
        }
        return ends
    }
}
