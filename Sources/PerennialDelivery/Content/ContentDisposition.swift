/// The header that tells a client under which name to save a file (RFC 6266).
package enum ContentDisposition {
    /// `attachment; filename="…"`, and `filename*` with the true name in UTF-8 where ASCII can't say it.
    package static func attachment(filename: String) -> String {
        let plain = String(decoding: filename.unicodeScalars.map(asciiSubstitute), as: UTF8.self)
        guard plain != filename else { return "attachment; filename=\"\(plain)\"" }
        return "attachment; filename=\"\(plain)\"; filename*=UTF-8''\(percentEncoded(filename))"
    }

    /// Quotes and backslashes would need escapes that some clients misread; a slash must not name a folder; a percent
    /// sign invites guessing.
    private static func asciiSubstitute(_ scalar: Unicode.Scalar) -> UInt8 {
        switch scalar {
        case "\"", "\\", "/", "%": UInt8(ascii: "_")
        case " "..."~": UInt8(truncatingIfNeeded: scalar.value)
        default: UInt8(ascii: "_")
        }
    }

    /// RFC 8187, `ext-value`: everything but `attr-char` is encoded.
    private static func percentEncoded(_ text: String) -> String {
        let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789!#$&+-.^_`|~".utf8)
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            if plain.contains(byte) {
                bytes.append(byte)
            } else {
                bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
