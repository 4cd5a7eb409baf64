import Foundation
import Perennial
import Testing

@testable import AppStoreFormats

struct PacificTimeTests {
    @Test(
        arguments: [
            (1_439_452_246_000, "2015-08-13 07:50:46 Etc/GMT", "2015-08-13 00:50:46 America/Los_Angeles"),
            (1_375_340_400_000, "2013-08-01 07:00:00 Etc/GMT", "2013-08-01 00:00:00 America/Los_Angeles"),
            (1_418_626_434_059, "2014-12-15 06:53:54 Etc/GMT", "2014-12-14 22:53:54 America/Los_Angeles"),
            (0, "1970-01-01 00:00:00 Etc/GMT", "1969-12-31 16:00:00 America/Los_Angeles"),
            // The hour that is skipped, and the one that comes twice.
            (1_772_963_999_000, "2026-03-08 09:59:59 Etc/GMT", "2026-03-08 01:59:59 America/Los_Angeles"),
            (1_772_964_000_000, "2026-03-08 10:00:00 Etc/GMT", "2026-03-08 03:00:00 America/Los_Angeles"),
            (1_793_523_599_000, "2026-11-01 08:59:59 Etc/GMT", "2026-11-01 01:59:59 America/Los_Angeles"),
            (1_793_523_600_000, "2026-11-01 09:00:00 Etc/GMT", "2026-11-01 01:00:00 America/Los_Angeles"),
        ] as [(Int64, String, String)])
    func `known instants are written as the App Store wrote them`(milliseconds: Int64, gmt: String, pacific: String) {
        let date = Date(timeIntervalSince1970: Double(milliseconds) / 1000)
        #expect(VerifyReceiptDate.gmt(date) == gmt)
        #expect(VerifyReceiptDate.pacific(date) == pacific)
    }

    private static func isDaylightSaving(_ date: Date) -> Bool {
        let instant = Instant(date)
        return PacificTime.isDaylightSaving(instant, utc: instant.civil.date)
    }

    /// The time zone database is the judge: every five hours of 70 years, so that every hour of the day is tried.
    @Test func `the arithmetic agrees with the time zone database`() throws {
        let zone = try #require(TimeZone(identifier: "America/Los_Angeles"))
        var wrong: [Date] = []
        for hours in stride(from: 0, to: 70 * 8766, by: 5) {
            let date = Date(timeIntervalSince1970: Double(hours) * 3600)
            if zone.isDaylightSavingTime(for: date) != Self.isDaylightSaving(date) {
                wrong.append(date)
            }
        }
        #expect(wrong == [])
    }

    @Test func `the arithmetic agrees around every change`() throws {
        let zone = try #require(TimeZone(identifier: "America/Los_Angeles"))
        var date = Date(timeIntervalSince1970: 0)
        var changes = 0
        while let next = zone.nextDaylightSavingTimeTransition(after: date), next.timeIntervalSince1970 < 2_145_916_800
        {
            for offset in [-1.0, 0, 1] {
                let near = next + offset
                #expect(zone.isDaylightSavingTime(for: near) == Self.isDaylightSaving(near), "\(near)")
            }
            date = next
            changes += 1
        }
        #expect(changes > 100)
    }
}
