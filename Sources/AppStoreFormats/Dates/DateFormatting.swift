import Perennial

/// A date and time of day in some zone: the calendar day, and the milliseconds since midnight.
typealias ClockReading = (date: CivilDate, millisecondOfDay: Int64)

/// Writes dates and times as 19 characters, `2015-08-13?07:50:46`: the part that all date formats of receipts share.
enum DateFormatting {
    static let length = 19

    /// Writes a date of the years 0 to 9999 to the beginning of a buffer.
    /// - Parameter separator: The character between the date and the time.
    static func write(_ clock: ClockReading, separator: UInt8, to text: UnsafeMutableBufferPointer<UInt8>) {
        let (day, millisecondOfDay) = clock
        let second = Int(millisecondOfDay / 1000)
        write(day.year / 100, to: text, at: 0)
        write(day.year % 100, to: text, at: 2)
        text[4] = UInt8(ascii: "-")
        write(day.month, to: text, at: 5)
        text[7] = UInt8(ascii: "-")
        write(day.day, to: text, at: 8)
        text[10] = separator
        write(second / 3600, to: text, at: 11)
        text[13] = UInt8(ascii: ":")
        write(second / 60 % 60, to: text, at: 14)
        text[16] = UInt8(ascii: ":")
        write(second % 60, to: text, at: 17)
    }

    /// Returns a date of the years 0 to 9999, followed by the name of its zone.
    static func string(_ clock: ClockReading, separator: UInt8, zone: String) -> String {
        String(unsafeUninitializedCapacity: length) { buffer in
            write(clock, separator: separator, to: buffer)
            return length
        } + zone
    }

    private static func write(_ number: Int, to text: UnsafeMutableBufferPointer<UInt8>, at index: Int) {
        text[index] = UInt8(truncatingIfNeeded: 48 + number / 10)
        text[index + 1] = UInt8(truncatingIfNeeded: 48 + number % 10)
    }
}
