import Foundation
import Testing

@testable import Perennial

struct PacificDayTests {
    private static let zone = TimeZone(identifier: "America/Los_Angeles")

    /// Goal: the arithmetic agrees with the time zone database, at every hour of the day and around every change.
    @Test func `the day of an instant is that of the time zone database`() throws {
        let zone = try #require(Self.zone)
        var wrong: [Instant] = []
        for hours in stride(from: 6 * 8766, to: 67 * 8766, by: 5) {
            let instant = Instant(seconds: Int64(hours) * 3600)
            let local = instant + 1000 * Int64(zone.secondsFromGMT(for: instant.date))
            if PacificDay(instant).date != local.civil.date { wrong.append(instant) }
        }
        #expect(wrong == [])
    }

    @Test func `the days of a change have 23 and 25 hours`() throws {
        let zone = try #require(Self.zone)
        var changes = 0
        var date = try #require(Instant(rfc3339: "1987-01-01T12:00:00Z")).date
        while let next = zone.nextDaylightSavingTimeTransition(after: date), next.timeIntervalSince1970 < 2_145_916_800
        {
            let day = PacificDay(Instant(next))
            let hours = (day.end - day.start) / 3_600_000
            #expect(hours == (zone.isDaylightSavingTime(for: next) ? 23 : 25), "\(day)")
            #expect(Instant(next) == day.start + 7_200_000, "\(day)")
            date = next
            changes += 1
        }
        #expect(changes > 90)
    }

    @Test func `a day begins where the one before it ends`() throws {
        let first = try #require(PacificDay("2005-01-01")), last = try #require(PacificDay("2030-12-31"))
        var hours: [Int64: Int] = [:]
        for number in first.number...last.number {
            let day = PacificDay(number: number)
            #expect(PacificDay(day.start) == day)
            #expect(PacificDay(day.start + -1) == day.adding(-1))
            #expect(PacificDay(day.end + -1) == day)
            hours[(day.end - day.start) / 3_600_000, default: 0] += 1
        }
        #expect(hours == [23: 26, 25: 26, 24: Int(last.number - first.number) + 1 - 52])
    }

    @Test(arguments: [
        ("2026-03-08", "2026-03-08T08:00:00Z", "2026-03-09T07:00:00Z"),
        ("2026-07-04", "2026-07-04T07:00:00Z", "2026-07-05T07:00:00Z"),
        ("2026-11-01", "2026-11-01T07:00:00Z", "2026-11-02T08:00:00Z"),
        ("2026-12-31", "2026-12-31T08:00:00Z", "2027-01-01T08:00:00Z"),
    ])
    func `a day is read, written and bounded`(text: String, start: String, end: String) throws {
        let day = try #require(PacificDay(text))
        #expect(day.description == text)
        #expect((day.start.rfc3339(), day.end.rfc3339()) == (start, end))
    }

    @Test(arguments: [
        "", "2026-1-01", "2026-02-29", "2026-13-01", "26-01-01", "2026-01-32", "1899-12-31", "2026/01/01",
    ])
    func `a text that is no day isn't read`(text: String) {
        #expect(PacificDay(text) == nil)
    }
}
