/// Writes JSON as bytes, keys in the order of the calls.
///
/// Answers and payloads of the App Store have a fixed set of keys: writing them directly is many times faster than an
/// encoder, and the same input gives the same bytes. Each member goes into the buffer in one piece whose size is known
/// beforehand, because one byte at a time is what costs.
package struct JSONWriter {
    private var buffer: [UInt8]
    private var count = 0
    private var needsComma = false

    package init(capacity: Int = 1024) {
        buffer = [UInt8](repeating: 0, count: capacity)
    }

    /// What was written so far.
    package var bytes: [UInt8] { Array(buffer[..<count]) }

    /// What was written, in the writer's own memory: the last thing that is asked of a writer.
    package consuming func finished() -> [UInt8] {
        buffer.removeLast(buffer.count - count)
        return buffer
    }

    // MARK: Structure

    /// Begins an object: the whole, an element of an array, or a member.
    package mutating func beginObject(_ key: StaticString? = nil) {
        write(key, valueCount: 1) { $0.write(UInt8(ascii: "{")) }
        needsComma = false
    }

    package mutating func endObject() {
        needsComma = false
        write(nil, valueCount: 1) { $0.write(UInt8(ascii: "}")) }
    }

    package mutating func beginArray(_ key: StaticString? = nil) {
        write(key, valueCount: 1) { $0.write(UInt8(ascii: "[")) }
        needsComma = false
    }

    package mutating func endArray() {
        needsComma = false
        write(nil, valueCount: 1) { $0.write(UInt8(ascii: "]")) }
    }

    // MARK: Members; those whose value is nil are left out

    package mutating func string(_ key: StaticString, _ value: String?) {
        if let value { write(key, string: value) }
    }

    package mutating func number(_ key: StaticString, _ value: Int64?) {
        guard let value else { return }
        write(key, valueCount: JSONCursor.maximumDigits) { $0.write(decimal: value) }
    }

    /// A number as a string, as verifyReceipt writes most of them.
    package mutating func numberString(_ key: StaticString, _ value: Int64?) {
        guard let value else { return }
        write(key, valueCount: JSONCursor.maximumDigits + 2) { cursor in
            cursor.write(UInt8(ascii: "\""))
            cursor.write(decimal: value)
            cursor.write(UInt8(ascii: "\""))
        }
    }

    package mutating func bool(_ key: StaticString, _ value: Bool?) {
        guard let value else { return }
        write(key, valueCount: 5) { $0.write(value ? "true" : "false" as StaticString) }
    }

    /// A boolean as a string, as verifyReceipt writes them.
    package mutating func boolString(_ key: StaticString, _ value: Bool) {
        write(key, valueCount: 7) { $0.write(value ? "\"true\"" : "\"false\"" as StaticString) }
    }

    package mutating func base64(_ key: StaticString, _ value: [UInt8]?) {
        if let value { write(key, base64: value) }
    }

    /// A time of a clock as a string: `2015-08-13 07:50:46`, followed by the name of the clock's zone.
    mutating func time(_ key: StaticString, suffix: StaticString, _ clock: ClockReading, zone: StaticString) {
        write(key, suffix: suffix, valueCount: CalendarText.length + zone.utf8CodeUnitCount + 2) { cursor in
            cursor.write(UInt8(ascii: "\""))
            cursor.write(clock, separator: UInt8(ascii: " "))
            cursor.write(zone)
            cursor.write(UInt8(ascii: "\""))
        }
    }

    /// A number as a string under a key in two parts.
    mutating func numberString(_ key: StaticString, suffix: StaticString, _ value: Int64) {
        write(key, suffix: suffix, valueCount: JSONCursor.maximumDigits + 2) { cursor in
            cursor.write(UInt8(ascii: "\""))
            cursor.write(decimal: value)
            cursor.write(UInt8(ascii: "\""))
        }
    }

    /// Members that another writer wrote, in its form: one or more, without braces around them.
    package mutating func members(_ written: [UInt8]) {
        guard !written.isEmpty else { return }
        write(nil, valueCount: written.count) { cursor in written.withUnsafeBufferPointer { cursor.write($0) } }
    }

    /// A value that was written before, in its form.
    package mutating func written(_ key: StaticString, _ value: [UInt8]) {
        write(key, written: value)
    }

    // MARK: Elements of arrays

    package mutating func element(_ value: String) {
        write(nil, string: value)
    }

    package mutating func element(base64 value: [UInt8]) {
        write(nil, base64: value)
    }

    /// An element that was written before, in its form.
    package mutating func element(written value: [UInt8]) {
        write(nil, written: value)
    }

    // MARK: Pieces

    private mutating func write(_ key: StaticString?, written value: [UInt8]) {
        write(key, valueCount: value.count) { cursor in value.withUnsafeBufferPointer { cursor.write($0) } }
    }

    private mutating func write(_ key: StaticString?, base64 value: [UInt8]) {
        write(key, valueCount: Base64.encodedCount(of: value.count) + 2) { cursor in
            cursor.write(UInt8(ascii: "\""))
            cursor.write(base64: value)
            cursor.write(UInt8(ascii: "\""))
        }
    }

    private mutating func write(_ key: StaticString?, string value: String) {
        var value = value
        value.withUTF8 { text in
            // Six octets for each: the longest escape.
            let isPlain = Self.isPlain(text)
            write(key, valueCount: (isPlain ? text.count : text.count * 6) + 2) { cursor in
                cursor.write(UInt8(ascii: "\""))
                if isPlain { cursor.write(text) } else { cursor.write(escaping: text) }
                cursor.write(UInt8(ascii: "\""))
            }
        }
    }

    /// Whether nothing in a text has to be escaped. Eight octets are looked at at a time: what is long is plain.
    private static func isPlain(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        let (ones, highs): (UInt64, UInt64) = (0x0101_0101_0101_0101, 0x8080_8080_8080_8080)
        let quotes = ones &* UInt64(truncatingIfNeeded: UInt8(ascii: "\""))
        let backslashes = ones &* UInt64(truncatingIfNeeded: UInt8(ascii: "\\"))
        let octets = UnsafeRawBufferPointer(text)
        var index = 0
        while index + 8 <= octets.count {
            let word = octets.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            // An octet's highest bit is set where it is less than what was taken away: less than a space, or zero.
            let (quote, backslash) = (word ^ quotes, word ^ backslashes)
            let special =
                (word &- ones &* 0x20) & ~word | (quote &- ones) & ~quote | (backslash &- ones) & ~backslash
            guard special & highs == 0 else { return false }
            index += 8
        }
        return octets[index...].allSatisfy {
            $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
        }
    }

    /// Writes a comma if one is due, a key and a value of at most so many octets.
    @inline(__always)
    private mutating func write(
        _ key: StaticString?, suffix: StaticString = "", valueCount: Int, _ value: (inout JSONCursor) -> Void
    ) {
        let keyCount = (key?.utf8CodeUnitCount ?? 0) + suffix.utf8CodeUnitCount
        reserve(keyCount + 4 + valueCount)
        let comma = needsComma
        needsComma = true
        count = buffer.withUnsafeMutableBufferPointer { buffer in
            var cursor = JSONCursor(buffer: buffer, position: count)
            if comma { cursor.write(UInt8(ascii: ",")) }
            if let key {
                cursor.write(UInt8(ascii: "\""))
                cursor.write(key)
                cursor.write(suffix)
                cursor.write(UInt8(ascii: "\""))
                cursor.write(UInt8(ascii: ":"))
            }
            value(&cursor)
            return cursor.position
        }
    }

    private mutating func reserve(_ more: Int) {
        guard buffer.count - count < more else { return }
        buffer.append(contentsOf: repeatElement(0, count: max(buffer.count, more)))
    }
}
