import Foundation
import Perennial

/// Dates as receipts write them: RFC 3339 in UTC with whole seconds.
enum ReceiptDate {
    /// The years that four digits can name: a date outside them is moved to the nearest end.
    private static let range = Int64(-62_167_219_200_000)...Int64(253_402_300_799_999)

    /// An instant that can be written, whatever the date holds.
    static func instant(_ date: Date) -> Instant {
        let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
        guard milliseconds.isFinite else { return Instant(milliseconds: 0) }
        if milliseconds <= Double(range.lowerBound) { return Instant(milliseconds: range.lowerBound) }
        if milliseconds >= Double(range.upperBound) { return Instant(milliseconds: range.upperBound) }
        return Instant(milliseconds: Int64(milliseconds))
    }

    /// Appends `2026-11-21T03:28:53Z`: always 20 octets.
    static func append(_ date: Date, to bytes: inout [UInt8]) {
        let (day, millisecondOfDay) = instant(date).civil
        bytes.appendDecimal(day.year, digits: 4)
        bytes.append(UInt8(ascii: "-"))
        bytes.appendDecimal(day.month, digits: 2)
        bytes.append(UInt8(ascii: "-"))
        bytes.appendDecimal(day.day, digits: 2)
        bytes.append(UInt8(ascii: "T"))
        bytes.appendTime(millisecondOfDay)
        bytes.append(UInt8(ascii: "Z"))
    }

    /// The octets of a written date.
    static let length = 20

    /// Reads a date; `nil` for anything that is not RFC 3339.
    static func read(_ text: ArraySlice<UInt8>) -> Date? {
        Instant(rfc3339: String(decoding: text, as: UTF8.self))?.date
    }
}
