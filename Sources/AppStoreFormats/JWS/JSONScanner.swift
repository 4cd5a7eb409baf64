/// Reads the members of one JSON object, strictly (RFC 8259), without building what nobody asked for.
///
/// Nested values are checked and passed over, except an array of strings. Nesting and size are bounded.
package struct JSONScanner {
    /// What a member holds.
    package enum Value {
        case string(String)
        case number(Double)
        case bool(Bool)
        case null
        /// An array of nothing but strings, one or more.
        case strings([String])
        /// Any other array or object.
        case nested

        var number: Double? {
            guard case .number(let number) = self else { return nil }
            return number
        }
    }

    /// Why the bytes are not JSON.
    package struct Failure: Error, CustomStringConvertible {
        let position: Int
        let expected: String

        package var description: String { "expected \(expected) at byte \(position)" }
    }

    /// How deep arrays and objects may be nested.
    static let maximumDepth = 64

    private let bytes: [UInt8]
    private var position = 0

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Reads the object which the bytes consist of. Where a name comes twice the first counts, as `JSONDecoder` reads it:
    /// `member` is called for that one alone.
    package mutating func scanObject(_ member: (_ key: String, _ value: Value) -> Void) throws(Failure) {
        var seen: Set<String> = []
        try scanEveryMember { key, value in
            if seen.insert(key).inserted { member(key, value) }
        }
    }

    /// Reads the object which the bytes consist of, for readers that refuse an object in which a name comes twice: `member` is
    /// called for each.
    package mutating func scanEveryMember(_ member: (_ key: String, _ value: Value) -> Void) throws(Failure) {
        skipWhitespace()
        try scanMembers(depth: 1, isWanted: true, member)
        skipWhitespace()
        guard position == bytes.count else { throw failure("the end") }
    }

    // MARK: - Values

    private mutating func scanMembers(
        depth: Int, isWanted: Bool, _ member: (_ key: String, _ value: Value) -> Void
    ) throws(Failure) {
        try expect("{")
        skipWhitespace()
        if take("}") { return }
        while true {
            skipWhitespace()
            guard peek == UInt8(ascii: "\"") else { throw failure("a key") }
            let key = try scanString(isWanted: isWanted)
            skipWhitespace()
            try expect(":")
            skipWhitespace()
            let value = try scanValue(depth: depth, isWanted: isWanted)
            if isWanted { member(key, value) }
            skipWhitespace()
            if take("}") { return }
            try expect(",")
        }
    }

    private mutating func scanValue(depth: Int, isWanted: Bool) throws(Failure) -> Value {
        switch peek {
        case UInt8(ascii: "\""): return .string(try scanString(isWanted: isWanted))
        case UInt8(ascii: "t"): return try scan("true", .bool(true))
        case UInt8(ascii: "f"): return try scan("false", .bool(false))
        case UInt8(ascii: "n"): return try scan("null", .null)
        case UInt8(ascii: "{"):
            guard depth < Self.maximumDepth else { throw failure("less nesting") }
            try scanMembers(depth: depth + 1, isWanted: false) { _, _ in }
            return .nested
        case UInt8(ascii: "["):
            guard depth < Self.maximumDepth else { throw failure("less nesting") }
            return try scanArray(depth: depth + 1, isWanted: isWanted)
        default: return .number(try scanNumber())
        }
    }

    private mutating func scanArray(depth: Int, isWanted: Bool) throws(Failure) -> Value {
        try expect("[")
        skipWhitespace()
        if take("]") { return .nested }
        var strings: [String]? = []
        while true {
            skipWhitespace()
            if case .string(let string) = try scanValue(depth: depth, isWanted: isWanted) {
                strings?.append(string)
            } else {
                strings = nil
            }
            skipWhitespace()
            if take("]") { return strings.map { .strings($0) } ?? .nested }
            try expect(",")
        }
    }

    private mutating func scan(_ word: StaticString, _ value: Value) throws(Failure) -> Value {
        for index in 0..<word.utf8CodeUnitCount {
            guard peek == word.utf8Start[index] else { throw failure("\(word)") }
            position += 1
        }
        return value
    }

    /// A number; its grammar is JSON's, its value the nearest double.
    private mutating func scanNumber() throws(Failure) -> Double {
        let start = position
        _ = take("-")
        if !take("0") { try scanDigits() }
        if take(".") { try scanDigits() }
        if take("e") || take("E") {
            if !take("+") { _ = take("-") }
            try scanDigits()
        }
        guard let number = Double(String(decoding: bytes[start..<position], as: UTF8.self)), number.isFinite else {
            throw failure("a number that can be represented")
        }
        return number
    }

    private mutating func scanDigits() throws(Failure) {
        let start = position
        while let digit = peek, (48...57).contains(digit) { position += 1 }
        guard position > start else { throw failure("a digit") }
    }

    // MARK: - Strings

    /// A string. One that is not wanted is checked but not made.
    private mutating func scanString(isWanted: Bool) throws(Failure) -> String {
        try expect("\"")
        let start = position
        var hasEscapes = false
        skipPlainCharacters()
        while let byte = peek, byte != UInt8(ascii: "\"") {
            guard byte == UInt8(ascii: "\\") else { throw failure("no control character") }
            hasEscapes = true
            position += 1
            guard peek != nil else { throw failure("an escaped character") }
            position += 1
            skipPlainCharacters()
        }
        let end = position
        try expect("\"")
        if !hasEscapes {
            guard let text = String(validating: bytes[start..<end], as: UTF8.self) else { throw failure("UTF-8") }
            return isWanted ? text : ""
        }
        return try unescape(start..<end)
    }

    /// Passes over what stands for itself: receipts are long, so this is the loop that counts. It looks at eight octets at
    /// once for as long as none of them is special.
    private mutating func skipPlainCharacters() {
        position = bytes.withUnsafeBytes { bytes in
            var index = position
            while index + 8 <= bytes.count,
                !Self.hasSpecial(bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
            {
                index += 8
            }
            while index < bytes.count, bytes[index] >= 0x20, bytes[index] != UInt8(ascii: "\""),
                bytes[index] != UInt8(ascii: "\\")
            {
                index += 1
            }
            return index
        }
    }

    /// Whether one of eight octets is a quote, a backslash or a control character. Octets above 0x7F may be taken for such:
    /// then the loop of one at a time decides.
    private static func hasSpecial(_ word: UInt64) -> Bool {
        let (ones, highs): (UInt64, UInt64) = (0x0101_0101_0101_0101, 0x8080_8080_8080_8080)
        // An octet that is zero borrows, which shows in its highest bit.
        func hasZero(_ word: UInt64) -> UInt64 { (word &- ones) & ~word & highs }
        let quotes = hasZero(word ^ (ones &* UInt64(truncatingIfNeeded: UInt8(ascii: "\""))))
        let backslashes = hasZero(word ^ (ones &* UInt64(truncatingIfNeeded: UInt8(ascii: "\\"))))
        let controls = (word &- (ones &* 0x20)) & highs
        return quotes | backslashes | controls != 0
    }

    private func unescape(_ range: Range<Int>) throws(Failure) -> String {
        var text = [UInt8]()
        text.reserveCapacity(range.count)
        var index = range.lowerBound
        while index < range.upperBound {
            let byte = bytes[index]
            index += 1
            guard byte == UInt8(ascii: "\\") else {
                text.append(byte)
                continue
            }
            let escaped = bytes[index]
            index += 1
            switch escaped {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(escaped)
            case UInt8(ascii: "b"): text.append(0x08)
            case UInt8(ascii: "f"): text.append(0x0C)
            case UInt8(ascii: "n"): text.append(0x0A)
            case UInt8(ascii: "r"): text.append(0x0D)
            case UInt8(ascii: "t"): text.append(0x09)
            case UInt8(ascii: "u"): text += Array(try unicodeScalar(&index, range.upperBound).utf8)
            default: throw failure("a known escape")
            }
        }
        guard let string = String(validating: text, as: UTF8.self) else { throw failure("UTF-8") }
        return string
    }

    /// The scalar of `\uXXXX`, or of two such that are a surrogate pair.
    private func unicodeScalar(_ index: inout Int, _ end: Int) throws(Failure) -> String {
        var units = [try codeUnit(&index, end)]
        if UTF16.isLeadSurrogate(units[0]), end - index >= 6, bytes[index] == UInt8(ascii: "\\"),
            bytes[index + 1] == UInt8(ascii: "u")
        {
            index += 2
            units.append(try codeUnit(&index, end))
        }
        guard let text = String(validating: units, as: UTF16.self) else { throw failure("a whole surrogate pair") }
        return text
    }

    private func codeUnit(_ index: inout Int, _ end: Int) throws(Failure) -> UInt16 {
        guard end - index >= 4, bytes[index..<index + 4].allSatisfy({ Self.isHexDigit($0) }),
            let unit = UInt16(String(decoding: bytes[index..<index + 4], as: UTF8.self), radix: 16)
        else { throw failure("four hexadecimal digits") }
        index += 4
        return unit
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        (48...57).contains(byte) || (65...70).contains(byte) || (97...102).contains(byte)
    }

    // MARK: - Bytes

    private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard peek == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    private mutating func expect(_ character: Unicode.Scalar) throws(Failure) {
        guard take(character) else { throw failure("'\(character)'") }
    }

    private mutating func skipWhitespace() {
        while let byte = peek, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }

    private func failure(_ expected: String) -> Failure { Failure(position: position, expected: expected) }
}
