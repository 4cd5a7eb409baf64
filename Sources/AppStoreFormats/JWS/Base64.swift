/// Base64 over bytes, with table look-ups. Foundation's costs more than half of a cached JWS verification.
///
/// Both directions are strict: decoding accepts exactly what encoding writes, so no text has a twin.
package enum Base64 {
    /// Which digits, and whether the end is filled up.
    package enum Variant: Sendable {
        /// RFC 4648, section 4: `+` and `/`, padded with `=`.
        case standard
        /// RFC 4648, section 5: `-` and `_`, without padding, as JWS uses it.
        case url
    }

    /// Encodes bytes.
    package static func encode(_ bytes: [UInt8], as variant: Variant = .standard) -> String {
        String(decoding: encoded(bytes, as: variant), as: UTF8.self)
    }

    /// Encodes bytes into ASCII.
    package static func encoded(_ bytes: [UInt8], as variant: Variant = .standard) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: encodedCount(of: bytes.count)) { text, filled in
            filled = write(bytes, as: variant, to: text[...])
        }
    }

    /// Appends the encoding of bytes to ASCII.
    package static func append(_ bytes: [UInt8], as variant: Variant = .standard, to text: inout [UInt8]) {
        let start = text.count
        text.append(contentsOf: repeatElement(0, count: encodedCount(of: bytes.count)))
        let count = text.withUnsafeMutableBufferPointer { write(bytes, as: variant, to: $0[start...]) }
        text.removeLast(text.count - start - count)
    }

    /// How many characters the encoding of so many bytes has at most.
    static func encodedCount(of count: Int) -> Int { (count + 2) / 3 * 4 }

    /// Writes the encoding of bytes to the beginning of a buffer which has room for it.
    /// - Returns: The number of characters.
    static func write(
        _ bytes: [UInt8], as variant: Variant, to buffer: Slice<UnsafeMutableBufferPointer<UInt8>>
    ) -> Int {
        let pairs = variant == .standard ? Base64Digits.standardPairs : Base64Digits.urlPairs
        let text = UnsafeMutableBufferPointer(rebasing: buffer)
        let whole = bytes.count / 3 * 3
        var position = 0
        bytes.withUnsafeBufferPointer { bytes in
            pairs.withUnsafeBufferPointer { pairs in
                /// Twelve bits.
                func write(_ group: UInt32) {
                    let pair = pairs[Int(group & 0xFFF)]
                    text[position] = UInt8(truncatingIfNeeded: pair >> 8)
                    text[position + 1] = UInt8(truncatingIfNeeded: pair)
                    position += 2
                }
                for index in stride(from: 0, to: whole, by: 3) {
                    let group =
                        UInt32(truncatingIfNeeded: bytes[index]) << 16 | UInt32(truncatingIfNeeded: bytes[index + 1])
                        << 8 | UInt32(truncatingIfNeeded: bytes[index + 2])
                    write(group >> 12)
                    write(group)
                }
                let rest = bytes.count - whole
                guard rest > 0 else { return }
                let group =
                    UInt32(truncatingIfNeeded: bytes[whole]) << 16
                    | (rest == 2 ? UInt32(truncatingIfNeeded: bytes[whole + 1]) << 8 : 0)
                write(group >> 12)
                guard rest == 2 else { return }
                text[position] = UInt8(truncatingIfNeeded: pairs[Int(group & 0xFFF)] >> 8)
                position += 1
            }
        }
        while variant == .standard, !position.isMultiple(of: 4) {
            text[position] = UInt8(ascii: "=")
            position += 1
        }
        return position
    }

    /// Decodes text; see ``decode(_:as:allowingLineBreaks:)-(some Collection<UInt8>,_,_)``.
    package static func decode(
        _ text: String, as variant: Variant = .standard, allowingLineBreaks: Bool = false
    ) -> [UInt8]? {
        decode(text.utf8, as: variant, allowingLineBreaks: allowingLineBreaks)
    }

    /// Decodes ASCII.
    /// - Parameter allowingLineBreaks: Whether carriage returns and line feeds are passed over, wherever they stand.
    /// - Returns: `nil` for a character outside of the variant, wrong padding, or bits set beyond the last byte.
    package static func decode(
        _ text: some Collection<UInt8>, as variant: Variant = .standard, allowingLineBreaks: Bool = false
    ) -> [UInt8]? {
        if allowingLineBreaks {
            return decodeDigits(Array(text.filter { $0 != 10 && $0 != 13 }), as: variant)
        }
        return text.withContiguousStorageIfAvailable { decodeDigits($0, as: variant) }
            ?? decodeDigits(Array(text), as: variant)
    }

    private static func decodeDigits(_ text: [UInt8], as variant: Variant) -> [UInt8]? {
        text.withUnsafeBufferPointer { decodeDigits($0, as: variant) }
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
                // Wrong digits have the value 0xFF: one test of all values at the end finds them.
                var seen: UInt32 = 0
                func value(_ index: Int) -> UInt32 {
                    let value = UInt32(truncatingIfNeeded: values[Int(text[index])])
                    seen |= value
                    return value
                }
                for index in stride(from: 0, to: whole, by: 4) {
                    let group =
                        value(index) << 18 | value(index + 1) << 12 | value(index + 2) << 6 | value(index + 3)
                    bytes[filled] = UInt8(truncatingIfNeeded: group >> 16)
                    bytes[filled + 1] = UInt8(truncatingIfNeeded: group >> 8)
                    bytes[filled + 2] = UInt8(truncatingIfNeeded: group)
                    filled += 3
                }
                if tail > 0 {
                    let group =
                        value(whole) << 18 | value(whole + 1) << 12 | (tail == 3 ? value(whole + 2) << 6 : 0)
                    bytes[filled] = UInt8(truncatingIfNeeded: group >> 16)
                    filled += 1
                    if tail == 3 {
                        bytes[filled] = UInt8(truncatingIfNeeded: group >> 8)
                        filled += 1
                    }
                    isValid = group & (tail == 3 ? 0xFF : 0xFFFF) == 0
                }
                isValid = isValid && seen < 64
            }
        }
        return isValid ? bytes : nil
    }
}

private enum Base64Digits {
    static let standard = digits("+/")
    static let url = digits("-_")
    /// The digits of twelve bits, the first of them in the upper octet: one look-up for two.
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

    /// The value of each octet as a digit; 0xFF if it is none.
    private static func values(_ digits: [UInt8]) -> [UInt8] {
        var values = [UInt8](repeating: 0xFF, count: 256)
        for (value, digit) in digits.enumerated() { values[Int(digit)] = UInt8(truncatingIfNeeded: value) }
        return values
    }
}
