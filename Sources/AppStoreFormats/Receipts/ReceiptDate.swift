import Foundation
import Perennial

/// Dates as receipts write them: RFC 3339 in UTC with whole seconds.
enum ReceiptDate {
    /// The years that four digits can name: a date outside them is moved to the nearest end.
    private static let range = Int64(-62_167_219_200_000)...Int64(253_402_300_799_999)

    /// An instant that can be written, whatever the date holds.
    static func instant(_ date: Date) -> Instant {
        let milliseconds = Instant(date).milliseconds
        return Instant(milliseconds: min(max(milliseconds, range.lowerBound), range.upperBound))
    }

    /// Appends `2026-11-21T03:28:53Z`: always 20 octets.
    static func append(_ date: Date, to bytes: inout [UInt8]) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: length) { text in
            text.initialize(repeating: UInt8(ascii: "Z"))
            CalendarText.write(instant(date).civil, separator: UInt8(ascii: "T"), to: text[...])
            bytes.append(contentsOf: text)
        }
    }

    /// The octets of a written date.
    static let length = 20

    /// Reads a date; `nil` for anything that is not RFC 3339.
    static func read(_ text: ArraySlice<UInt8>) -> Date? {
        if let date = text.withUnsafeBufferPointer({ readUsual($0) }) { return date }
        return Instant(rfc3339: String(decoding: text, as: UTF8.self))?.date
    }

    /// Reads the form of genuine receipts, whole seconds in UTC, which need not go the long way.
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
