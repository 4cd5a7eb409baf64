import Foundation
import Perennial

/// Reads and writes the dates of app receipts: RFC 3339 in UTC with whole seconds.
enum ReceiptDate {
    /// The instants that a year of four digits can name, in milliseconds since 1970.
    private static let range = Int64(-62_167_219_200_000)...Int64(253_402_300_799_999)

    /// Converts a date to an instant; one outside of the years 0 to 9999 is moved to the nearest end.
    static func instant(_ date: Date) -> Instant {
        let milliseconds = Instant(date).milliseconds
        return Instant(milliseconds: min(max(milliseconds, range.lowerBound), range.upperBound))
    }

    /// Appends `2026-11-21T03:28:53Z`: always 20 bytes.
    static func append(_ date: Date, to bytes: inout [UInt8]) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: length) { text in
            text.initialize(repeating: UInt8(ascii: "Z"))
            DateFormatting.write(instant(date).civil, separator: UInt8(ascii: "T"), to: text)
            bytes.append(contentsOf: text)
        }
    }

    /// The length of a written date in bytes.
    static let length = 20

    /// Reads a date; `nil` for anything that is not RFC 3339.
    static func read(_ text: ArraySlice<UInt8>) -> Date? {
        if let date = text.withUnsafeBufferPointer({ readUsual($0) }) { return date }
        return Instant(rfc3339: String(decoding: text, as: UTF8.self))?.date
    }

    /// Reads the format of genuine receipts, whole seconds in UTC, without the general parser.
    private static func readUsual(_ text: UnsafeBufferPointer<UInt8>) -> Date? {
        guard text.count == length, text[4] == UInt8(ascii: "-"), text[7] == UInt8(ascii: "-"),
            text[10] == UInt8(ascii: "T"), text[13] == UInt8(ascii: ":"), text[16] == UInt8(ascii: ":"),
            text[19] == UInt8(ascii: "Z")
        else { return nil }
        var isNumber = true
        func number(_ index: Int) -> Int {
            let (tens, units) = (Int(text[index]) - 48, Int(text[index + 1]) - 48)
            isNumber = isNumber && (0...9).contains(tens) && (0...9).contains(units)
            return tens * 10 + units
        }
        let day = CivilDate(year: number(0) * 100 + number(2), month: number(5), day: number(8))
        let (hour, minute, second) = (number(11), number(14), number(17))
        guard isNumber, (1...12).contains(day.month), day.day >= 1,
            day.day <= CivilDate.days(inMonth: day.month, of: day.year), hour < 24, minute < 60, second < 60
        else { return nil }
        let secondOfDay = (hour * 60 + minute) * 60 + second
        return Instant(day, millisecondOfDay: Int64(secondOfDay) * 1000).date
    }
}
