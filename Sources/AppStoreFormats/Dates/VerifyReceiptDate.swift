import FastJSON
import Foundation
import Perennial

/// Formats dates as verifyReceipt writes them: in GMT, in Pacific time and in milliseconds.
enum VerifyReceiptDate {
    static let gmtZone: StaticString = " Etc/GMT"
    static let pacificZone: StaticString = " America/Los_Angeles"

    /// Converts a date to an instant that both zones can write: Pacific time can't write the first day of the year 0.
    static func instant(_ date: Date) -> Instant {
        max(ReceiptDate.instant(date), Instant(milliseconds: -62_167_219_200_000 + .hours(24)))
    }

    /// Formats a date as `2015-08-13 07:50:46 Etc/GMT`.
    static func gmt(_ date: Date) -> String {
        DateFormatting.string(instant(date).civil, separator: UInt8(ascii: " "), zone: "\(gmtZone)")
    }

    /// Formats a date as `2015-08-13 00:50:46 America/Los_Angeles`, with daylight saving time.
    static func pacific(_ date: Date) -> String {
        let instant = instant(date)
        let local = PacificTime.local(instant, utc: instant.civil)
        return DateFormatting.string(local, separator: UInt8(ascii: " "), zone: "\(pacificZone)")
    }
}

extension JSONWriter {
    /// Writes a date as three strings: `key` in GMT, `key_ms` in milliseconds and `key_pst` in Pacific time.
    mutating func dateTriplet(_ key: StaticString, _ date: Date?) {
        guard let date else { return }
        let instant = VerifyReceiptDate.instant(date)
        let utc = instant.civil
        time(key, suffix: "", utc, zone: VerifyReceiptDate.gmtZone)
        numberString(key, suffix: "_ms", instant.milliseconds)
        time(key, suffix: "_pst", PacificTime.local(instant, utc: utc), zone: VerifyReceiptDate.pacificZone)
    }
    /// Writes `2015-08-13 07:50:46` with the name of its zone, under a key in two parts.
    private mutating func time(_ key: StaticString, suffix: StaticString, _ clock: ClockReading, zone: StaticString) {
        string(key, suffix: suffix, count: DateFormatting.length + zone.utf8CodeUnitCount) { text in
            DateFormatting.write(clock, separator: UInt8(ascii: " "), to: text)
            zone.withUTF8Buffer { zone in
                for (index, character) in zone.enumerated() { text[DateFormatting.length + index] = character }
            }
        }
    }
}
