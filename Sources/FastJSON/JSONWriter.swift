import BaseEncoding

/// Writes JSON as bytes, keys in the order of the calls.
///
/// Answers and payloads of the App Store have a fixed set of keys: writing them directly is several times faster than
/// `JSONEncoder`, and the same input gives the same bytes. Each member goes into the buffer in one piece whose size is
/// known beforehand, because appending single bytes dominated the cost.
package struct JSONWriter {
    private var buffer: [UInt8]
    private var count = 0
    private var needsComma = false

    /// Creates a writer.
    /// - Parameter capacity: The expected size in bytes; the buffer grows beyond it.
    package init(capacity: Int = 1024) {
        buffer = [UInt8](repeating: 0, count: capacity)
    }

    /// A copy of the bytes written so far.
    package var bytes: [UInt8] { Array(buffer[..<count]) }

    /// Ends writing and returns the bytes without copying them.
    package consuming func finished() -> [UInt8] {
        // Held once, so that nothing is copied.
        var bytes: [UInt8] = []
        swap(&bytes, &buffer)
        bytes.removeLast(bytes.count - count)
        return bytes
    }

    /// Calls a closure with the bytes written so far, which are valid as long as it runs.
    package func withUnsafeBytes<Value>(_ body: (UnsafeRawBufferPointer) throws -> Value) rethrows -> Value {
        try buffer.withUnsafeBytes { try body(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
    }

    // MARK: Structure

    /// Begins an object: the whole text, an element of an array, or a member if it has a key.
    package mutating func beginObject(_ key: StaticString? = nil) {
        write(key, valueCount: 1) { $0.write(UInt8(ascii: "{")) }
        needsComma = false
    }

    /// Ends the object that was begun last.
    package mutating func endObject() {
        needsComma = false
        write(nil, valueCount: 1) { $0.write(UInt8(ascii: "}")) }
    }

    /// Begins an array: the whole text, an element of an array, or a member if it has a key.
    package mutating func beginArray(_ key: StaticString? = nil) {
        write(key, valueCount: 1) { $0.write(UInt8(ascii: "[")) }
        needsComma = false
    }

    /// Ends the array that was begun last.
    package mutating func endArray() {
        needsComma = false
        write(nil, valueCount: 1) { $0.write(UInt8(ascii: "]")) }
    }

    // MARK: Members

    /// Writes a string member; leaves it out if the value is nil.
    package mutating func string(_ key: StaticString, _ value: String?) {
        if let value { write(key, string: value) }
    }

    /// Writes a number member; leaves it out if the value is nil.
    package mutating func number(_ key: StaticString, _ value: Int64?) {
        guard let value else { return }
        write(key, valueCount: JSONCursor.maximumDigits) { $0.write(decimal: value) }
    }

    /// Writes a number as a string, as verifyReceipt has most numbers; leaves it out if it is nil.
    package mutating func numberString(_ key: StaticString, _ value: Int64?) {
        guard let value else { return }
        write(key, valueCount: JSONCursor.maximumDigits + 2) { cursor in
            cursor.write(UInt8(ascii: "\""))
            cursor.write(decimal: value)
            cursor.write(UInt8(ascii: "\""))
        }
    }

    /// Writes a boolean member; leaves it out if the value is nil.
    package mutating func bool(_ key: StaticString, _ value: Bool?) {
        guard let value else { return }
        write(key, valueCount: 5) { $0.write(value ? "true" : "false" as StaticString) }
    }

    /// Writes a boolean as a string, as verifyReceipt has them.
    package mutating func boolString(_ key: StaticString, _ value: Bool) {
        write(key, valueCount: 7) { $0.write(value ? "\"true\"" : "\"false\"" as StaticString) }
    }

    /// Writes bytes as a string of standard base64; leaves the member out if they are nil.
    package mutating func base64(_ key: StaticString, _ value: [UInt8]?) {
        if let value { write(key, base64: value) }
    }

    /// Writes a string that a closure puts into the buffer, under a key in two parts.
    /// - Parameters:
    ///   - count: The length of the string in bytes.
    ///   - fill: Fills a buffer of that length with UTF-8 that needs no escapes.
    package mutating func string(
        _ key: StaticString, suffix: StaticString, count: Int, _ fill: (UnsafeMutableBufferPointer<UInt8>) -> Void
    ) {
        write(key, suffix: suffix, valueCount: count + 2) { cursor in
            cursor.write(UInt8(ascii: "\""))
            cursor.write(count: count, fill)
            cursor.write(UInt8(ascii: "\""))
        }
    }

    /// Writes a number as a string under a key in two parts.
    package mutating func numberString(_ key: StaticString, suffix: StaticString, _ value: Int64) {
        write(key, suffix: suffix, valueCount: JSONCursor.maximumDigits + 2) { cursor in
            cursor.write(UInt8(ascii: "\""))
            cursor.write(decimal: value)
            cursor.write(UInt8(ascii: "\""))
        }
    }

    /// Writes members that are JSON already: one or more, without braces around them.
    package mutating func members(_ written: [UInt8]) {
        guard !written.isEmpty else { return }
        write(nil, valueCount: written.count) { cursor in written.withUnsafeBufferPointer { cursor.write($0) } }
    }

    /// Writes a member whose value is JSON already.
    package mutating func written(_ key: StaticString, _ value: [UInt8]) {
        write(key, written: value)
    }

    // MARK: Members with computed keys

    /// Writes the key of a member whose value is the next element, object or array.
    package mutating func key(_ key: JSONKey) {
        write(nil, written: key.bytes)
        needsComma = false
    }

    // MARK: Elements of arrays

    /// Writes a string as the next element.
    package mutating func element(_ value: String) {
        write(nil, string: value)
    }

    /// Writes a number as the next element.
    package mutating func element(_ value: Int64) {
        write(nil, valueCount: JSONCursor.maximumDigits) { $0.write(decimal: value) }
    }

    /// Writes a boolean as the next element.
    package mutating func element(_ value: Bool) {
        write(nil, valueCount: 5) { $0.write(value ? "true" : "false" as StaticString) }
    }

    /// Writes null as the next element.
    package mutating func elementNull() {
        write(nil, valueCount: 4) { $0.write("null" as StaticString) }
    }

    /// Writes bytes as the next element, a string of standard base64.
    package mutating func element(base64 value: [UInt8]) {
        write(nil, base64: value)
    }

    /// Writes an element that is JSON already.
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
            // The longest escape takes six bytes.
            let isPlain = Self.isPlain(text)
            write(key, valueCount: (isPlain ? text.count : text.count * 6) + 2) { cursor in
                cursor.write(UInt8(ascii: "\""))
                if isPlain { cursor.write(text) } else { cursor.write(escaping: text) }
                cursor.write(UInt8(ascii: "\""))
            }
        }
    }

    /// Returns true if nothing in a text needs an escape. It looks at eight bytes at once, since long texts are base64.
    private static func isPlain(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        let (ones, highs): (UInt64, UInt64) = (0x0101_0101_0101_0101, 0x8080_8080_8080_8080)
        let quotes = ones &* UInt64(truncatingIfNeeded: UInt8(ascii: "\""))
        let backslashes = ones &* UInt64(truncatingIfNeeded: UInt8(ascii: "\\"))
        let bytes = UnsafeRawBufferPointer(text)
        var index = 0
        while index + 8 <= bytes.count {
            let word = bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            // A byte's highest bit is set if the byte is less than the subtrahend: less than a space, or zero.
            let (quote, backslash) = (word ^ quotes, word ^ backslashes)
            let special =
                (word &- ones &* 0x20) & ~word | (quote &- ones) & ~quote | (backslash &- ones) & ~backslash
            guard special & highs == 0 else { return false }
            index += 8
        }
        return bytes[index...].allSatisfy {
            $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
        }
    }

    /// Writes a comma if one is due, a key, and a value of at most `valueCount` bytes.
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

/// The key of a member with its quotes and colon, encoded once for many writes.
package struct JSONKey: Hashable, Sendable {
    fileprivate let bytes: [UInt8]

    package init(_ name: String) {
        var writer = JSONWriter(capacity: name.utf8.count + 8)
        writer.element(name)
        bytes = writer.finished() + [UInt8(ascii: ":")]
    }
}
