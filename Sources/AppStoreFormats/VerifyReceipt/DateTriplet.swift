import Foundation
import Perennial

/// The forms in which verifyReceipt writes a date.
enum DateTriplet {
    static let gmtZone: StaticString = " Etc/GMT"
    static let pacificZone: StaticString = " America/Los_Angeles"

    /// A date that can be written in Pacific time as well: the first day of the calendar has none.
    static func instant(_ date: Date) -> Instant {
        max(ReceiptDate.instant(date), Instant(milliseconds: -62_167_219_200_000 + .hours(24)))
    }

    /// `2015-08-13 07:50:46 Etc/GMT`.
    static func gmt(_ date: Date) -> String {
        CalendarText.string(instant(date).civil, separator: UInt8(ascii: " "), zone: "\(gmtZone)")
    }

    /// `2015-08-13 00:50:46 America/Los_Angeles`, with daylight saving time.
    static func pacific(_ date: Date) -> String {
        let instant = instant(date)
        let local = PacificTime.local(instant, utc: instant.civil)
        return CalendarText.string(local, separator: UInt8(ascii: " "), zone: "\(pacificZone)")
    }
}

extension JSONWriter {
    /// A date as three members: `key` in GMT, `key_ms` in milliseconds and `key_pst` in Pacific time, all strings.
    mutating func dateTriplet(_ key: StaticString, _ date: Date?) {
        guard let date else { return }
        let instant = DateTriplet.instant(date)
        let utc = instant.civil
        time(key, suffix: "", utc, zone: DateTriplet.gmtZone)
        numberString(key, suffix: "_ms", instant.milliseconds)
        time(key, suffix: "_pst", PacificTime.local(instant, utc: utc), zone: DateTriplet.pacificZone)
    }
}
