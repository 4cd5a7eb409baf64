/// A day in Pacific time (Los Angeles), by which Sales and Trends and the fiscal calendar count.
///
/// Uses the rules of United States law instead of a machine's time zone database: daylight saving time starts at 2:00
/// on the second Sunday of March and ends at 2:00 on the first Sunday of November (since 2007; before, the first Sunday
/// of April and the last of October).
package struct PacificDay: Hashable, Comparable, Sendable, CustomStringConvertible {
    package let date: CivilDate

    package init(_ date: CivilDate) {
        self.date = date
    }

    /// Creates the day on which an instant falls.
    package init(_ instant: Instant) {
        let local = Instant(milliseconds: instant.milliseconds.clampedAdding(Self.offset(at: instant)))
        date = local.civil.date
    }

    /// Creates a day by its number, the count of days since 1970-01-01. Storage uses it.
    package init(number: Int64) {
        date = CivilDate(daysSince1970: number)
    }

    package var number: Int64 { date.daysSince1970 }
    /// The instant at which the day begins.
    package var start: Instant { Self.midnight(of: date) }
    /// The instant at which the day ends and the next one begins.
    package var end: Instant { next.start }
    package var next: PacificDay { adding(1) }

    package func adding(_ days: Int64) -> PacificDay { PacificDay(number: number + days) }

    /// `2026-10-03`.
    package var description: String {
        func padded(_ number: Int, _ count: Int) -> String {
            let text = String(number)
            return String(repeating: "0", count: max(0, count - text.count)) + text
        }
        return "\(padded(date.year, 4))-\(padded(date.month, 2))-\(padded(date.day, 2))"
    }

    package static func < (one: PacificDay, other: PacificDay) -> Bool { one.date < other.date }

    private static let hour: Int64 = 3_600_000
    private static let standard = -8 * hour
    private static let daylight = -7 * hour

    /// Milliseconds to add to UTC at an instant.
    private static func offset(at instant: Instant) -> Int64 {
        let year = Instant(milliseconds: instant.milliseconds.clampedAdding(standard)).civil.date.year
        let (start, end) = daylightSaving(of: year)
        return start <= instant && instant < end ? daylight : standard
    }

    private static func midnight(of date: CivilDate) -> Instant {
        let utc = Instant(date).milliseconds
        // Clocks change at 2:00, so midnight has the offset of the hour before it.
        let guess = Instant(milliseconds: utc.clampedAdding(-standard))
        return Instant(milliseconds: utc.clampedAdding(-offset(at: guess)))
    }

    private static func daylightSaving(of year: Int) -> (start: Instant, end: Instant) {
        let (first, last): (CivilDate, CivilDate) =
            switch year {
            case 2007...: (sunday(2, of: 3, year), sunday(1, of: 11, year))
            case 1987...2006: (sunday(1, of: 4, year), lastSunday(of: 10, year))
            default: (lastSunday(of: 4, year), lastSunday(of: 10, year))
            }
        return (
            Instant(first, millisecondOfDay: 2 * hour - standard), Instant(last, millisecondOfDay: 2 * hour - daylight)
        )
    }

    private static func sunday(_ count: Int, of month: Int, _ year: Int) -> CivilDate {
        let first = CivilDate(year: year, month: month, day: 1)
        return CivilDate(year: year, month: month, day: 1 + (7 - first.weekday) % 7 + 7 * (count - 1))
    }

    private static func lastSunday(of month: Int, _ year: Int) -> CivilDate {
        let last = CivilDate(year: year, month: month, day: CivilDate.days(inMonth: month, of: year))
        return CivilDate(daysSince1970: last.daysSince1970 - Int64(last.weekday))
    }
}

extension CivilDate {
    /// The day of the week: 0 is Sunday, 6 Saturday.
    package var weekday: Int {
        // 1970-01-01 was a Thursday.
        let days = (daysSince1970 + 4) % 7
        return Int(days >= 0 ? days : days + 7)
    }
}
