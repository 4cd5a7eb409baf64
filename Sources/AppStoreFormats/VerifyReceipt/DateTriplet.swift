import Foundation
import Perennial

/// The forms in which verifyReceipt writes a date.
enum DateTriplet {
    /// Appends `2015-08-13 07:50:46`.
    static func appendTime(_ clock: Instant, to bytes: inout [UInt8]) {
        let (day, millisecondOfDay) = clock.civil
        bytes.appendDecimal(day.year, digits: 4)
        bytes.append(UInt8(ascii: "-"))
        bytes.appendDecimal(day.month, digits: 2)
        bytes.append(UInt8(ascii: "-"))
        bytes.appendDecimal(day.day, digits: 2)
        bytes.append(UInt8(ascii: " "))
        bytes.appendTime(millisecondOfDay)
    }

    /// `2015-08-13 07:50:46 Etc/GMT`.
    static func appendGMT(_ instant: Instant, to bytes: inout [UInt8]) {
        appendTime(instant, to: &bytes)
        bytes.append(contentsOf: " Etc/GMT".utf8)
    }

    /// `2015-08-13 00:50:46 America/Los_Angeles`, with daylight saving time.
    static func appendPacific(_ instant: Instant, to bytes: inout [UInt8]) {
        appendTime(PacificTime.local(instant), to: &bytes)
        bytes.append(contentsOf: " America/Los_Angeles".utf8)
    }

    /// A date that can be written in Pacific time as well: the first day of the calendar has none.
    static func instant(_ date: Date) -> Instant {
        max(ReceiptDate.instant(date), Instant(milliseconds: -62_167_219_200_000 + .hours(24)))
    }

    static func gmt(_ date: Date) -> String { text(date, appendGMT) }
    static func pacific(_ date: Date) -> String { text(date, appendPacific) }

    private static func text(_ date: Date, _ append: (Instant, inout [UInt8]) -> Void) -> String {
        var bytes = [UInt8]()
        append(instant(date), &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension JSONWriter {
    /// A date as three members: `key` in GMT, `key_ms` in milliseconds and `key_pst` in Pacific time, all strings.
    mutating func dateTriplet(_ key: StaticString, _ date: Date?) {
        guard let date else { return }
        let instant = DateTriplet.instant(date)
        ascii(key, suffix: "") { DateTriplet.appendGMT(instant, to: &$0) }
        ascii(key, suffix: "_ms") { $0.append(contentsOf: String(instant.milliseconds).utf8) }
        ascii(key, suffix: "_pst") { DateTriplet.appendPacific(instant, to: &$0) }
    }
}
