/// Writes JSON as bytes, keys in the order of the calls.
///
/// Answers and payloads of the App Store have a fixed set of keys: writing them directly is many times faster than an
/// encoder, and the same input gives the same bytes.
package struct JSONWriter {
    /// What was written so far.
    package private(set) var bytes: [UInt8] = []
    private var needsComma = false

    package init(capacity: Int = 1024) {
        bytes.reserveCapacity(capacity)
    }

    // MARK: Structure

    /// Begins an object: the whole, an element of an array, or a member.
    package mutating func beginObject(_ key: StaticString? = nil) {
        begin(key)
        bytes.append(UInt8(ascii: "{"))
        needsComma = false
    }

    package mutating func endObject() {
        bytes.append(UInt8(ascii: "}"))
        needsComma = true
    }

    package mutating func beginArray(_ key: StaticString? = nil) {
        begin(key)
        bytes.append(UInt8(ascii: "["))
        needsComma = false
    }

    package mutating func endArray() {
        bytes.append(UInt8(ascii: "]"))
        needsComma = true
    }

    // MARK: Members; those whose value is nil are left out

    package mutating func string(_ key: StaticString, _ value: String?) {
        guard let value else { return }
        begin(key)
        append(value)
    }

    package mutating func number(_ key: StaticString, _ value: Int64?) {
        guard let value else { return }
        begin(key)
        append(decimal: value)
    }

    /// A number as a string, as verifyReceipt writes most of them.
    package mutating func numberString(_ key: StaticString, _ value: Int64?) {
        guard let value else { return }
        begin(key)
        bytes.append(UInt8(ascii: "\""))
        append(decimal: value)
        bytes.append(UInt8(ascii: "\""))
    }

    package mutating func bool(_ key: StaticString, _ value: Bool?) {
        guard let value else { return }
        begin(key)
        append(value ? "true" : "false" as StaticString)
    }

    /// A boolean as a string, as verifyReceipt writes them.
    package mutating func boolString(_ key: StaticString, _ value: Bool) {
        begin(key)
        append(value ? "\"true\"" : "\"false\"" as StaticString)
    }

    package mutating func base64(_ key: StaticString, _ value: [UInt8]?) {
        guard let value else { return }
        begin(key)
        append(base64: value)
    }

    /// A string whose characters `write` appends: ASCII which needs no escaping.
    mutating func ascii(_ key: StaticString, suffix: StaticString, _ write: (inout [UInt8]) -> Void) {
        begin(key, suffix: suffix)
        bytes.append(UInt8(ascii: "\""))
        write(&bytes)
        bytes.append(UInt8(ascii: "\""))
    }

    // MARK: Elements of arrays

    package mutating func element(_ value: String) {
        begin(nil)
        append(value)
    }

    package mutating func element(base64 value: [UInt8]) {
        begin(nil)
        append(base64: value)
    }

    // MARK: Pieces

    private mutating func begin(_ key: StaticString?, suffix: StaticString = "") {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = true
        guard let key else { return }
        bytes.append(UInt8(ascii: "\""))
        append(key)
        append(suffix)
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
    }

    private mutating func append(_ text: StaticString) {
        text.withUTF8Buffer { bytes.append(contentsOf: $0) }
    }

    private mutating func append(base64 value: [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        Base64.append(value, to: &bytes)
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func append(decimal value: Int64) {
        if value < 0 { bytes.append(UInt8(ascii: "-")) }
        var rest = value.magnitude
        let start = bytes.count
        repeat {
            bytes.append(UInt8(48 + rest % 10))
            rest /= 10
        } while rest > 0
        bytes[start...].reverse()
    }

    /// Appends a string in quotes, escaping what RFC 8259 requires.
    private mutating func append(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { characters in
            let isPlain = characters.allSatisfy { $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
            if isPlain {
                bytes.append(contentsOf: characters)
            } else {
                for character in characters { append(escaping: character) }
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func append(escaping character: UInt8) {
        switch character {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"):
            bytes.append(UInt8(ascii: "\\"))
            bytes.append(character)
        case 0x0A: append("\\n" as StaticString)
        case 0x0D: append("\\r" as StaticString)
        case 0x09: append("\\t" as StaticString)
        case 0..<0x20:
            append("\\u00" as StaticString)
            for digit in [character >> 4, character & 15] { bytes.append(digit < 10 ? 48 + digit : 87 + digit) }
        default: bytes.append(character)
        }
    }
}
