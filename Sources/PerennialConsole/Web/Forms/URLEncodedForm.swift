import BaseEncoding

/// Fields as a browser's form encodes them: `application/x-www-form-urlencoded` (URL Standard), and the query of a URL.
enum URLEncodedForm {
    /// A limit of ours.
    static let maximumFields = 2_000

    /// Reads fields; bytes that aren't UTF-8 become U+FFFD.
    ///
    /// - Throws: ``ConsoleError`` `.badRequest` beyond ``maximumFields``.
    static func fields(_ bytes: some Collection<UInt8>) throws -> [String: [String]] {
        var fields: [String: [String]] = [:]
        var count = 0
        for pair in bytes.split(separator: UInt8(ascii: "&")) {
            count += 1
            guard count <= maximumFields else { throw ConsoleError.badRequest(.phrase(WebPhrases.tooManyFields)) }
            let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            let value = parts.count == 2 ? decoded(parts[1]) : ""
            fields[decoded(parts[0]), default: []].append(value)
        }
        return fields
    }

    /// Decodes `+` and percent-encoded bytes. A `%` without two digits stands for itself.
    static func decoded(_ bytes: some Collection<UInt8>) -> String {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(bytes.count)
        var rest = Array(bytes)[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "+"): decoded.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                if rest.count >= 2, let high = digit(rest[rest.startIndex]), let low = digit(rest[rest.startIndex + 1])
                {
                    decoded.append(high << 4 | low)
                    rest = rest.dropFirst(2)
                } else {
                    decoded.append(byte)
                }
            default: decoded.append(byte)
            }
        }
        return String(decoding: decoded, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? { Hexadecimal.value(of: byte) }
}
