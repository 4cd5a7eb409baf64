import BaseEncoding
import Perennial

/// Writes the `Content-Disposition` header, which names the file for the client (RFC 6266).
package enum ContentDisposition {
    /// Returns `attachment; filename="…"`, with `filename*` in UTF-8 for a name that isn't plain ASCII.
    package static func attachment(filename: String) -> String {
        let plain = String(decoding: filename.unicodeScalars.map(asciiSubstitute), as: UTF8.self)
        guard plain != filename else { return "attachment; filename=\"\(plain)\"" }
        return "attachment; filename=\"\(plain)\"; filename*=UTF-8''\(percentEncoded(filename))"
    }

    /// Replaces quotes and backslashes, whose escapes some clients misread, slashes, which name folders, and percent signs, which
    /// some clients decode.
    private static func asciiSubstitute(_ scalar: Unicode.Scalar) -> UInt8 {
        switch scalar {
        case "\"", "\\", "/", "%": UInt8(ascii: "_")
        case " "..."~": UInt8(truncatingIfNeeded: scalar.value)
        default: UInt8(ascii: "_")
        }
    }

    /// Encodes everything but `attr-char` (RFC 8187, `ext-value`).
    private static func percentEncoded(_ text: String) -> String {
        PercentEncoding.encode(text, keeping: attributeCharacters)
    }

    private static let attributeCharacters = Set(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789!#$&+-.^_`|~".utf8)
}

/// Reads and writes dates of HTTP: `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, section 5.6.7).
package enum HTTPDate {
    private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]  // from 1970-01-01
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// Writes a date.
    ///
    /// - Parameter seconds: Seconds since 1970.
    package static func text(seconds: Int64) -> String {
        let (date, millisecondOfDay) = Instant(seconds: seconds).civil
        let weekday = days[Int(((date.daysSince1970 % 7) + 7) % 7)]
        var text = Array("\(weekday), ".utf8)
        text.appendDecimal(date.day, digits: 2)
        text += Array(" \(months[date.month - 1]) ".utf8)
        text.appendDecimal(date.year, digits: 4)
        text.append(UInt8(ascii: " "))
        text.appendTime(millisecondOfDay)
        return String(decoding: text, as: UTF8.self) + " GMT"
    }

    /// Reads the preferred form in seconds since 1970. Returns `nil` for anything else, also the two obsolete forms; a header with an
    /// unreadable date is ignored.
    package static func seconds(_ text: some StringProtocol) -> Int64? {
        let parts = text.trimmed.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 6, parts[5] == "GMT", parts[1].utf8.count == 2, parts[3].utf8.count == 4,
            let month = months.firstIndex(of: String(parts[2]))
        else { return nil }
        let number = month < 9 ? "0\(month + 1)" : "\(month + 1)"
        return Instant(rfc3339: "\(parts[3])-\(number)-\(parts[1])T\(parts[4])Z").map { $0.milliseconds / 1000 }
    }
}
