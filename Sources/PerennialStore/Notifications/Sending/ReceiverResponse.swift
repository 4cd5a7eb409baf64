import AppStoreFormats
import PerennialStorage

/// The beginning of a receiver's response while it arrives.
package struct ReceiverResponse: Sendable {
    /// The most bytes that are kept of a body.
    package static let maximumBytes = 4096
    private static let maximumStatusLine = 200

    private let statusLine: String
    private var body: [UInt8] = []
    private var isTruncated = false

    package init(statusLine: String) { self.statusLine = statusLine }

    /// Adds the next part of the body.
    package mutating func append(_ part: some Collection<UInt8>) {
        let room = Self.maximumBytes - body.count
        if part.count > room { isTruncated = true }
        body += part.prefix(room)
    }

    /// Returns the response as text that can be stored and shown; `nil` for a success without a body, which says no more than
    /// its status.
    package func kept(_ result: SendAttemptResult) -> NotificationRecord.Response? {
        if result == .success, body.isEmpty { return nil }
        return NotificationRecord.Response(
            statusLine: Self.safe(String(statusLine.prefix(Self.maximumStatusLine))),
            body: Self.safe(text), isTruncated: isTruncated)
    }

    /// The body as UTF-8, without a character that was cut in two.
    private var text: String {
        var bytes = body[...]
        if isTruncated {
            while let last = bytes.last, last & 0xC0 == 0x80, body.count - bytes.count < 3 { bytes.removeLast() }
            if let last = bytes.last, last >= 0xC0 { bytes.removeLast() }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns a text without characters that a terminal obeys, a database refuses, or that change the order of the text
    /// around them.
    static func safe(_ text: String) -> String {
        var safe = ""
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x0D: continue
            case 0x09, 0x0A: safe.unicodeScalars.append(scalar)
            case 0..<0x20, 0x7F...0x9F, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF:
                safe.unicodeScalars.append("\u{FFFD}")
            default: safe.unicodeScalars.append(scalar)
            }
        }
        return safe
    }
}
