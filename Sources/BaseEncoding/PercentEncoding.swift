/// Percent-encoding of parts of URLs and header fields (RFC 3986, section 2.1).
package enum PercentEncoding {
    /// The characters that stand for themselves in every part of a URL (RFC 3986, section 2.3).
    private static let unreserved = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8)
    private static let digits = Array("0123456789ABCDEF".utf8)

    /// Encodes the bytes of a text in UTF-8, all but unreserved characters.
    ///
    /// - Parameter others: Further ASCII characters that stay as they are.
    package static func encode(_ text: String, keeping others: String = "") -> String {
        encode(text, keeping: unreserved.union(others.utf8))
    }

    /// Encodes the bytes of a text in UTF-8, all but those of a set.
    package static func encode(_ text: String, keeping kept: Set<UInt8>) -> String {
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            if kept.contains(byte) {
                bytes.append(byte)
            } else {
                bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
