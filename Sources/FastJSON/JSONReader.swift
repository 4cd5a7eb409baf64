import BaseEncoding

/// Reads the tokens of JSON (RFC 8259) from bytes, strictly: strings, numbers, literals and punctuation.
///
/// The grammar of values is left to ``JSONScanner`` and to readers that build a tree.
package struct JSONReader {
    /// The bytes that are read.
    package let bytes: [UInt8]
    /// The index of the next byte.
    package private(set) var position: Int

    /// Creates a reader.
    /// - Parameter position: The index of the first byte to read.
    package init(_ bytes: [UInt8], at position: Int = 0) {
        self.bytes = bytes
        self.position = position
    }

    /// The next byte; `nil` at the end.
    package var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    /// Skips spaces, tabs and line ends.
    package mutating func skipWhitespace() {
        while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }

    /// Skips a character if it is next.
    /// - Returns: True if it was next.
    package mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    /// Skips a character that must be next.
    package mutating func expect(_ character: Unicode.Scalar) throws(JSONSyntaxError) {
        guard take(character) else { throw error(.character(character)) }
    }

    /// Skips `true`, `false` or `null`, which must be next.
    package mutating func expect(literal: StaticString) throws(JSONSyntaxError) {
        let start = position
        for index in 0..<literal.utf8CodeUnitCount {
            guard next == literal.utf8Start[index] else { throw error(.literal("\(literal)", start: start)) }
            position += 1
        }
    }

    /// Creates an error at the next byte.
    package func error(_ expected: JSONSyntaxError.Expectation) -> JSONSyntaxError {
        JSONSyntaxError(expected, at: position)
    }

    // MARK: - Numbers

    /// Skips a number.
    /// - Returns: The indices of its characters.
    package mutating func number() throws(JSONSyntaxError) -> Range<Int> {
        let start = position
        _ = take("-")
        if !take("0") { try skipDigits() }
        if take(".") { try skipDigits() }
        if take("e") || take("E") {
            if !take("+") { _ = take("-") }
            try skipDigits()
        }
        return start..<position
    }

    private mutating func skipDigits() throws(JSONSyntaxError) {
        let start = position
        while let digit = next, (48...57).contains(digit) { position += 1 }
        guard position > start else { throw error(.digit) }
    }

    /// Returns the value of a number: the nearest double, which may be infinite.
    /// - Parameter range: The indices of its characters, as ``number()`` returned them.
    package func value(ofNumber range: Range<Int>) -> Double? {
        let characters = bytes[range]
        let isNegative = characters.first == UInt8(ascii: "-")
        // Fifteen digits always have an exact double, and most numbers are integers.
        guard characters.count <= 15 else { return Double(String(decoding: characters, as: UTF8.self)) }
        var integer: Int64 = 0
        for digit in characters.dropFirst(isNegative ? 1 : 0) {
            guard (48...57).contains(digit) else { return Double(String(decoding: characters, as: UTF8.self)) }
            integer = integer * 10 + Int64(truncatingIfNeeded: digit - 48)
        }
        return isNegative ? -Double(integer) : Double(integer)
    }

    // MARK: - Strings

    /// Reads a string with its quotes, and replaces its escapes.
    package mutating func string() throws(JSONSyntaxError) -> String {
        let quote = position
        try expect("\"")
        let start = position
        var hasEscapes = false
        var isASCII = skipPlainCharacters()
        while let byte = next, byte != UInt8(ascii: "\"") {
            let end = position
            guard byte == UInt8(ascii: "\\") else {
                throw try firstError(in: start..<end, or: error(.noControlCharacter))
            }
            hasEscapes = true
            position += 1
            guard next != nil else { throw try firstError(in: start..<end, or: error(.escapedCharacter)) }
            position += 1
            if !skipPlainCharacters() { isASCII = false }
        }
        let end = position
        guard take("\"") else { throw try firstError(in: start..<end, or: error(.endOfString(start: quote))) }
        guard hasEscapes || !isASCII else {
            return bytes.withUnsafeBufferPointer {
                String(decoding: UnsafeBufferPointer(rebasing: $0[start..<end]), as: UTF8.self)
            }
        }
        let text = hasEscapes ? try unescaped(start..<end) : Array(bytes[start..<end])
        guard let text = String(validating: text, as: UTF8.self) else {
            throw JSONSyntaxError(.utf8(start: quote), at: position)
        }
        return text
    }

    /// Skips characters that need no unescaping.
    ///
    /// Receipts are strings of many kilobytes, so this loop dominates: it looks at eight bytes at once until one of
    /// them is special.
    /// - Returns: True if all of them are ASCII.
    private mutating func skipPlainCharacters() -> Bool {
        let start = position
        let (end, seen) = bytes.withUnsafeBytes { bytes in
            var index = start
            var seen: UInt64 = 0
            while index + 8 <= bytes.count {
                let word = bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
                guard !Self.hasSpecial(word) else { break }
                seen |= word
                index += 8
            }
            while index < bytes.count, bytes[index] >= 0x20, bytes[index] != UInt8(ascii: "\""),
                bytes[index] != UInt8(ascii: "\\")
            {
                seen |= UInt64(truncatingIfNeeded: bytes[index])
                index += 1
            }
            return (index, seen)
        }
        position = end
        return seen & 0x8080_8080_8080_8080 == 0
    }

    /// Returns true if one of eight bytes is a quote, a backslash or a control character, and for some words with bytes above
    /// 0x7F; the loop over single bytes decides then.
    private static func hasSpecial(_ word: UInt64) -> Bool {
        let (ones, highs): (UInt64, UInt64) = (0x0101_0101_0101_0101, 0x8080_8080_8080_8080)
        // A byte that is zero borrows, which sets its highest bit.
        func hasZero(_ word: UInt64) -> UInt64 { (word &- ones) & ~word & highs }
        let quotes = hasZero(word ^ (ones &* UInt64(truncatingIfNeeded: UInt8(ascii: "\""))))
        let backslashes = hasZero(word ^ (ones &* UInt64(truncatingIfNeeded: UInt8(ascii: "\\"))))
        let controls = (word &- (ones &* 0x20)) & highs
        return quotes | backslashes | controls != 0
    }

    /// Returns the error of a string that doesn't end as it must, or of a wrong escape before that place.
    private func firstError(
        in range: Range<Int>, or other: JSONSyntaxError
    ) throws(JSONSyntaxError) -> JSONSyntaxError {
        _ = try unescaped(range)
        return other
    }

    /// Replaces the escapes in a part of the bytes.
    private func unescaped(_ range: Range<Int>) throws(JSONSyntaxError) -> [UInt8] {
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
            default: throw JSONSyntaxError(.escape, at: index - 1)
            }
        }
        return text
    }

    /// Reads the scalar of `\uXXXX`, or of two such that are a surrogate pair.
    private func unicodeScalar(_ index: inout Int, _ end: Int) throws(JSONSyntaxError) -> String {
        let start = index
        var units = [try codeUnit(&index, end)]
        if UTF16.isLeadSurrogate(units[0]), end - index >= 2, bytes[index] == UInt8(ascii: "\\"),
            bytes[index + 1] == UInt8(ascii: "u")
        {
            index += 2
            units.append(try codeUnit(&index, end))
        }
        guard let text = String(validating: units, as: UTF16.self) else {
            throw JSONSyntaxError(.surrogatePair, at: start)
        }
        return text
    }

    private func codeUnit(_ index: inout Int, _ end: Int) throws(JSONSyntaxError) -> UInt16 {
        guard end - index >= 4 else { throw JSONSyntaxError(.hexadecimalDigits, at: index) }
        var unit: UInt16 = 0
        for digit in bytes[index..<index + 4] {
            guard let value = Hexadecimal.value(of: digit) else {
                throw JSONSyntaxError(.hexadecimalDigits, at: index)
            }
            unit = unit << 4 | UInt16(truncatingIfNeeded: value)
        }
        index += 4
        return unit
    }
}

/// An error in the syntax of JSON.
package struct JSONSyntaxError: Error, Equatable, CustomStringConvertible {
    /// The token that the grammar asks for.
    package enum Expectation: Equatable, Sendable, CustomStringConvertible {
        case character(Unicode.Scalar)
        case key
        /// `true`, `false` or `null`, with the index of its first character.
        case literal(String, start: Int)
        case digit
        case finiteNumber
        case noControlCharacter
        case escapedCharacter
        case escape
        case hexadecimalDigits
        case surrogatePair
        /// UTF-8 in the string whose opening quote is at an index.
        case utf8(start: Int)
        /// The end of the string whose opening quote is at an index.
        case endOfString(start: Int)
        case lessNesting
        case end

        /// The expectation in words, for error messages.
        package var description: String {
            switch self {
            case .character(let character): "'\(character)'"
            case .key: "a key"
            case .literal(let word, _): word
            case .digit: "a digit"
            case .finiteNumber: "a number that can be represented"
            case .noControlCharacter: "no control character"
            case .escapedCharacter: "an escaped character"
            case .escape: "a known escape"
            case .hexadecimalDigits: "four hexadecimal digits"
            case .surrogatePair: "a whole surrogate pair"
            case .utf8: "UTF-8"
            case .endOfString: "'\"'"
            case .lessNesting: "less nesting"
            case .end: "the end"
            }
        }
    }

    package let expected: Expectation
    /// The index of the byte at which the text goes wrong.
    package let position: Int

    /// Creates an error.
    package init(_ expected: Expectation, at position: Int) {
        self.expected = expected
        self.position = position
    }

    /// The expectation and the position in one line.
    package var description: String { "expected \(expected) at byte \(position)" }
}
