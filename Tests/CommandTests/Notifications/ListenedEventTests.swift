import Foundation
import NIOCore
import Synchronization
import TestSupport
import Testing

@testable import PerennialCommand

/// The lines of `perennial listen`.
struct ListenedEventTests {
    /// Returns what is printed for the data of server-sent events.
    private static func printed(_ data: String..., asJSON: Bool = false) throws -> String {
        let text = Mutex("")
        let printer = EventPrinter(asJSON: asJSON, Terminal.OutputStream(-1)) { part in text.withLock { $0 += part } }
        try printer.read(ByteBuffer(string: data.map { "id: 5\ndata: \($0)\n\n" }.joined()))
        return text.withLock { $0 }
    }

    private static let failed = #"""
        {"kind":"failedNotification","time":"2026-01-31T10:00:00.000Z","notification":{"notificationUUID":"u",\#
        "notificationType":"DID_RENEW","version":2,"url":"https://example.com/hook","account":"ann","attempt":1,\#
        "result":"UNSUCCESSFUL_HTTP_RESPONSE_CODE","httpStatus":503,"advice":"look at its log",\#
        "response":{"statusLine":"HTTP/1.1 503 Service Unavailable","body":"full\nlater","truncated":false}}}
        """#

    @Test func `a failed delivery has the receiver's answer and what to do`() throws {
        let line = try Self.printed(Self.failed)
        for part in ["2026-01-31 10:00:00", "DID_RENEW", "503", "“full later”", "no further attempt; look at its log"] {
            #expect(line.contains(part), "\(part)")
        }
        #expect(line.split(separator: "\n").count == 1)
    }

    @Test func `programs get each event as it is`() throws {
        let refusal = #"{"kind":"skipped","skipped":3}"#
        let lines = try Self.printed(Self.failed, refusal, asJSON: true)
        #expect(lines == "\(Self.failed)\n\(refusal)\n")
        let words = try Self.printed(refusal)
        #expect(words.contains("3 further events"))
    }
}
