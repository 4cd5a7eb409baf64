import Foundation
import Perennial

/// Converts to the time of America/Los_Angeles by arithmetic: the answers of verifyReceipt must not depend on a
/// machine's time zone database.
///
/// Daylight saving time runs, at two o'clock local time, from the second Sunday of March to the first Sunday of
/// November since 2007 (Energy Policy Act of 2005); from the first Sunday of April to the last of October from 1987;
/// from the last Sunday of April to the last of October before, with 1974 and 1975 beginning on 6 January and 23
/// February.
enum PacificTime {
    /// Returns the local time at an instant.
    /// - Parameter utc: The same instant in UTC, which usually has the same day.
    static func local(_ instant: Instant, utc: ClockReading) -> ClockReading {
        let behind: Int64 = isDaylightSaving(instant, utc: utc.date) ? .hours(7) : .hours(8)
        if utc.millisecondOfDay >= behind { return (utc.date, utc.millisecondOfDay - behind) }
        return (instant + -behind).civil
    }

    /// Returns true if daylight saving time is in force.
    /// - Parameter day: The day in UTC.
    static func isDaylightSaving(_ instant: Instant, utc day: CivilDate) -> Bool {
        // All rules agree on these months, so most instants need no days of change.
        if (5...9).contains(day.month), day.year >= 1967 { return true }
        if day.month == 12 || (day.month <= 2 && day.year >= 1976) { return false }
        let (first, last) = changes(of: day.year)
        // Two o'clock is 10:00 UTC while standard time runs and 9:00 UTC while daylight saving time does.
        return instant >= Instant(first, millisecondOfDay: .hours(10))
            && instant < Instant(last, millisecondOfDay: .hours(9))
    }

    private static func changes(of year: Int) -> (first: CivilDate, last: CivilDate) {
        switch year {
        case 2007...: (sunday(onOrAfter: 8, of: 3, year), sunday(onOrAfter: 1, of: 11, year))
        case 1987..<2007: (sunday(onOrAfter: 1, of: 4, year), sunday(onOrAfter: 25, of: 10, year))
        case 1975: (CivilDate(year: year, month: 2, day: 23), sunday(onOrAfter: 25, of: 10, year))
        case 1974: (CivilDate(year: year, month: 1, day: 6), sunday(onOrAfter: 25, of: 10, year))
        default: (sunday(onOrAfter: 24, of: 4, year), sunday(onOrAfter: 25, of: 10, year))
        }
    }

    private static func sunday(onOrAfter day: Int, of month: Int, _ year: Int) -> CivilDate {
        let start = CivilDate(year: year, month: month, day: day).daysSince1970
        // 1970-01-01 was a Thursday: 3 days after it was a Sunday.
        let sinceSunday = ((start - 3) % 7 + 7) % 7
        return CivilDate(daysSince1970: start + (7 - sinceSunday) % 7)
    }
}
