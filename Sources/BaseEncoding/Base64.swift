/// Base64 (RFC 4648) over bytes, with table look-ups.
///
/// Decoding is strict: it accepts exactly the texts that encoding writes, so that no token or receipt has a second
/// spelling. `Benchmarks/Measures/JSONMeasure.swift` measures both directions beside Foundation's
/// (docs/decisions/0012-one-json-and-base64.md).
package enum Base64 {
    /// An alphabet with its padding.
    package enum Variant: Sendable {
        /// RFC 4648, section 4: `+` and `/`, padded with `=`.
        case standard
        /// RFC 4648, section 5: `-` and `_`, without padding, as JWS uses it.
        case url
    }

    /// Encodes bytes as a string.
    package static func encode(_ bytes: [UInt8], as variant: Variant = .standard) -> String {
        String(unsafeUninitializedCapacity: encodedCount(of: bytes.count)) { write(bytes, as: variant, to: $0) }
    }

    /// Encodes bytes as ASCII bytes.
    package static func encoded(_ bytes: [UInt8], as variant: Variant = .standard) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: encodedCount(of: bytes.count)) { text, filled in
            filled = write(bytes, as: variant, to: text)
        }
    }

    /// Appends the encoding of bytes to ASCII bytes.
    package static func append(_ bytes: [UInt8], as variant: Variant = .standard, to text: inout [UInt8]) {
        let start = text.count
        text.append(contentsOf: repeatElement(0, count: encodedCount(of: bytes.count)))
        let count = text.withUnsafeMutableBufferPointer {
            write(bytes, as: variant, to: UnsafeMutableBufferPointer(rebasing: $0[start...]))
        }
        text.removeLast(text.count - start - count)
    }

    /// The most characters that the encoding of a number of bytes takes.
    package static func encodedCount(of count: Int) -> Int { (count + 2) / 3 * 4 }

    /// Writes the encoding of bytes to the beginning of a buffer.
    /// - Parameter text: A buffer of at least ``encodedCount(of:)`` bytes.
    /// - Returns: The number of characters written.
    package static func write(
        _ bytes: [UInt8], as variant: Variant, to text: UnsafeMutableBufferPointer<UInt8>
    ) -> Int {
        let pairs = variant == .standard ? Base64Digits.standardPairs : Base64Digits.urlPairs
        let whole = bytes.count / 3 * 3
        var position = 0
        bytes.withUnsafeBufferPointer { bytes in
            pairs.withUnsafeBufferPointer { pairs in
                guard let bytes = bytes.baseAddress, let pairs = pairs.baseAddress, let text = text.baseAddress else {
                    return
                }
                var index = 0
                while index < whole {
                    let group =
                        UInt32(truncatingIfNeeded: bytes[index]) << 16 | UInt32(truncatingIfNeeded: bytes[index + 1])
                        << 8 | UInt32(truncatingIfNeeded: bytes[index + 2])
                    let (first, second) = (pairs[Int(group >> 12)], pairs[Int(group & 0xFFF)])
                    text[position] = UInt8(truncatingIfNeeded: first >> 8)
                    text[position + 1] = UInt8(truncatingIfNeeded: first)
                    text[position + 2] = UInt8(truncatingIfNeeded: second >> 8)
                    text[position + 3] = UInt8(truncatingIfNeeded: second)
                    index += 3
                    position += 4
                }
            }
        }
        let rest = bytes.count - whole
        if rest > 0 {
            let group =
                UInt32(truncatingIfNeeded: bytes[whole]) << 16
                | (rest == 2 ? UInt32(truncatingIfNeeded: bytes[whole + 1]) << 8 : 0)
            let (first, second) = (pairs[Int(group >> 12)], pairs[Int(group & 0xFFF)])
            text[position] = UInt8(truncatingIfNeeded: first >> 8)
            text[position + 1] = UInt8(truncatingIfNeeded: first)
            if rest == 2 { text[position + 2] = UInt8(truncatingIfNeeded: second >> 8) }
            position += rest + 1
        }
        while variant == .standard, !position.isMultiple(of: 4) {
            text[position] = UInt8(ascii: "=")
            position += 1
        }
        return position
    }

    /// Decodes a string.
    /// - Returns: `nil` for a character outside of the variant, wrong padding, or bits set beyond the last byte.
    package static func decode(_ text: some StringProtocol, as variant: Variant = .standard) -> [UInt8]? {
        decode(text.utf8, as: variant)
    }

    /// Decodes ASCII bytes.
    /// - Returns: `nil` for a character outside of the variant, wrong padding, or bits set beyond the last byte.
    package static func decode(_ text: some Collection<UInt8>, as variant: Variant = .standard) -> [UInt8]? {
        text.withContiguousStorageIfAvailable { decodeDigits($0, as: variant) }
            ?? Array(text).withUnsafeBufferPointer { decodeDigits($0, as: variant) }
    }

    private static func decodeDigits(_ text: UnsafeBufferPointer<UInt8>, as variant: Variant) -> [UInt8]? {
        var count = text.count
        if variant == .standard {
            guard count % 4 == 0 else { return nil }
            if count > 0, text[count - 1] == UInt8(ascii: "=") {
                count -= text[count - 2] == UInt8(ascii: "=") ? 2 : 1
            }
        }
        let tail = count % 4
        guard tail != 1 else { return nil }
        let values = variant == .standard ? Base64Digits.standardValues : Base64Digits.urlValues
        let whole = count - tail
        var isValid = true
        let bytes = [UInt8](unsafeUninitializedCapacity: count / 4 * 3 + 2) { bytes, filled in
            values.withUnsafeBufferPointer { values in
                guard let first = values.baseAddress, let text = text.baseAddress, let target = bytes.baseAddress else {
                    return
                }
                // A table for each of the four places of a group.
                let (second, third, fourth) = (first + 256, first + 512, first + 768)
                // Characters outside of the alphabet have a bit above the 24: one test of all groups at the end finds them.
                var seen: UInt32 = 0
                var (index, end) = (0, 0)
                while index < whole {
                    let group =
                        first[Int(text[index])] | second[Int(text[index + 1])] | third[Int(text[index + 2])]
                        | fourth[Int(text[index + 3])]
                    seen |= group
                    target[end] = UInt8(truncatingIfNeeded: group >> 16)
                    target[end + 1] = UInt8(truncatingIfNeeded: group >> 8)
                    target[end + 2] = UInt8(truncatingIfNeeded: group)
                    index += 4
                    end += 3
                }
                if tail > 0 {
                    let group =
                        first[Int(text[whole])] | second[Int(text[whole + 1])]
                        | (tail == 3 ? third[Int(text[whole + 2])] : 0)
                    seen |= group
                    target[end] = UInt8(truncatingIfNeeded: group >> 16)
                    end += 1
                    if tail == 3 {
                        target[end] = UInt8(truncatingIfNeeded: group >> 8)
                        end += 1
                    }
                    isValid = group & (tail == 3 ? 0xFF : 0xFFFF) == 0
                }
                filled = end
                isValid = isValid && seen < 1 << 24
            }
        }
        return isValid ? bytes : nil
    }
}

/// The tables of both alphabets.
private enum Base64Digits {
    static let standard = digits("+/")
    static let url = digits("-_")
    /// The two digits of each value of twelve bits, the first in the upper byte: one look-up for two characters.
    static let standardPairs = pairs(standard)
    static let urlPairs = pairs(url)
    static let standardValues = values(standard)
    static let urlValues = values(url)

    private static func digits(_ last: StaticString) -> [UInt8] {
        Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8) + Array("\(last)".utf8)
    }

    private static func pairs(_ digits: [UInt8]) -> [UInt16] {
        digits.flatMap { first in digits.map { UInt16(truncatingIfNeeded: first) << 8 | UInt16(truncatingIfNeeded: $0) }
        }
    }

    /// Returns the bits of each byte as a digit, for each of the four places in a group of 24 bits; a higher bit for bytes
    /// outside of the alphabet.
    private static func values(_ digits: [UInt8]) -> [UInt32] {
        var values = [UInt32](repeating: 1 << 24, count: 4 * 256)
        for place in 0..<4 {
            for (value, digit) in digits.enumerated() {
                values[place * 256 + Int(digit)] = UInt32(truncatingIfNeeded: value) << (18 - 6 * place)
            }
        }
        return values
    }
}
