import AppStoreFormats
import AsyncHTTPClient
import Foundation
import NIOCore
import PerennialHTTP
import PerennialStorage
import PerennialStore
import Testing

/// Attempts to post a notification to a real socket, and the App Store's result for each.
struct NotificationClientTests {
    static let body = Array(#"{"signedPayload":"a.b.c"}"#.utf8)

    /// - Parameter timeout: Long enough for a slow machine, but where a time-out is what is expected.
    static func post(to url: String, timeout: Int64 = 20_000) async throws -> NotificationOutcome {
        let client = HTTPClient(
            eventLoopGroupProvider: .singleton, configuration: NotificationClient.clientConfiguration)
        let outcome = await NotificationClient(client: client).post(body, to: url, timeout: timeout)
        try await client.shutdown()
        return outcome
    }

    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var behaviour: RawReceiver.Behaviour
        var outcome: NotificationOutcome
        var timeout: Int64 = 20_000

        var testDescription: String { name }

        init(_ name: String, _ behaviour: RawReceiver.Behaviour, _ result: SendAttemptResult, _ status: Int? = nil) {
            self.name = name
            self.behaviour = behaviour
            outcome = NotificationOutcome(result, httpStatus: status)
        }
    }

    static func answer(_ status: Int, _ headers: String = "", body: String = "", length: Int? = nil) -> String {
        // The receiver closes each connection, and says so: who isn't told may send the next request on it.
        "HTTP/1.1 \(status) Some\r\nConnection: close\r\nContent-Length: \(length ?? body.utf8.count)\r\n\(headers)\r\n\(body)"
    }

    static let cases: [Case] =
        (200...206).map { Case("\($0)", .answer(answer($0)), .success, $0) } + [
            Case("207", .answer(answer(207)), .unsuccessfulHTTPResponseCode, 207),
            Case("300", .answer(answer(300)), .unsuccessfulHTTPResponseCode, 300),
            Case("404", .answer(answer(404, body: "no")), .unsuccessfulHTTPResponseCode, 404),
            Case("503", .answer(answer(503)), .unsuccessfulHTTPResponseCode, 503),
            Case("redirect to nowhere", .answer(answer(301)), .unsuccessfulHTTPResponseCode, 301),
            Case("a charset", .answer(answer(200, "Content-Type: text/html; Charset=\"UTF-8\"\r\n")), .success, 200),
            Case(
                "no such charset", .answer(answer(200, "Content-Type: text/html; charset=klingon\r\n")),
                .unsupportedCharset, 200),
            Case("no HTTP", .answer("SSH-2.0-OpenSSH_9.9\r\n\r\n"), .invalidResponse),
            Case("no answer", .close, .noResponse),
            Case("half an answer", .answer(answer(200, body: "half", length: 100)), .prematureClose, 200),
            Case("reset", .reset, .prematureClose),
        ]

    @Test(arguments: cases)
    func `each outcome has its word`(expected: Case) async throws {
        try await RawReceiver.run({ _ in expected.behaviour }) { receiver in
            var outcome = try await Self.post(to: "http://127.0.0.1:\(receiver.port)/hook")
            outcome.response = nil
            // A reset is seen as such, or as the close that follows it: whichever the event loop is told first.
            let others = expected.behaviour == .reset ? [NotificationOutcome(.noResponse)] : []
            #expect(([expected.outcome] + others).contains(outcome))
        }
    }

    static let answers: [(answer: String, line: String, body: String)] = [
        (answer(503, body: "the queue is full"), "HTTP/1.1 503 Service Unavailable", "the queue is full"),
        (answer(404), "HTTP/1.1 404 Not Found", ""), (answer(200, body: "OK"), "HTTP/1.1 200 OK", "OK"),
        (answer(200, body: "half", length: 100), "HTTP/1.1 200 OK", "half"),
    ]

    @Test(arguments: answers)
    func `the receiver's status line and body are kept`(answer: String, line: String, body: String) async throws {
        try await RawReceiver.run({ _ in .answer(answer) }) { receiver in
            let response = try #require(try await Self.post(to: "http://127.0.0.1:\(receiver.port)/").response)
            #expect((response.statusLine, response.body, response.isTruncated) == (line, body, false))
        }
    }

    @Test func `the beginning of a long answer is kept`() async throws {
        let long = String(repeating: "é", count: ReceiverResponse.maximumBytes)
        try await RawReceiver.run({ _ in .answer(Self.answer(500, body: long)) }) { receiver in
            let response = try #require(try await Self.post(to: "http://127.0.0.1:\(receiver.port)/").response)
            #expect(response.isTruncated && long.hasPrefix(response.body))
            #expect(response.body.utf8.count > ReceiverResponse.maximumBytes - 4)
            #expect(response.body.utf8.count <= ReceiverResponse.maximumBytes)
        }
    }

    @Test func `a receiver that never answers has its time`() async throws {
        try await RawReceiver.run({ _ in .silence }) { receiver in
            let outcome = try await Self.post(to: "http://127.0.0.1:\(receiver.port)/", timeout: 50)
            #expect(outcome == NotificationOutcome(.timedOut))
        }
    }

    @Test func `an untrusted certificate is a TLS issue, and so is no TLS`() async throws {
        try await RawReceiver.run(tls: SelfSignedCertificate.context(), { _ in .answer(Self.answer(200)) }) {
            receiver in
            let outcome = try await Self.post(to: "https://127.0.0.1:\(receiver.port)/")
            #expect(outcome == NotificationOutcome(.tlsIssue))
            #expect(receiver.requests.isEmpty)
        }
        try await RawReceiver.run({ _ in .answer(Self.answer(400)) }) { receiver in
            let outcome = try await Self.post(to: "https://127.0.0.1:\(receiver.port)/")
            #expect(outcome == NotificationOutcome(.tlsIssue))
        }
    }

    @Test func `a circle of redirects is told from a way that ends`() async throws {
        try await RawReceiver.run({ request in
            switch request.split(separator: " ").dropFirst().first {
            case "/a": .answer(Self.answer(307, "Location: /b\r\n"))
            case "/b": .answer(Self.answer(302, "Location: /a\r\n"))
            case "/moved": .answer(Self.answer(301, "Location: here\r\n"))
            case "/here": .answer(Self.answer(200))
            default:
                .answer(Self.answer(308, "Location: \(request.split(separator: " ")[1])x\r\n"))
            }
        }) { receiver in
            let base = "http://127.0.0.1:\(receiver.port)"
            let circle = try await Self.post(to: "\(base)/a")
            #expect(circle.result == .circularRedirect)
            let endless = try await Self.post(to: "\(base)/endless")
            #expect(endless.result == .circularRedirect)
            let moved = try await Self.post(to: "\(base)/moved")
            #expect(moved == NotificationOutcome(.success, httpStatus: 200))
            // The whole notification goes to where it moved.
            let last = try #require(receiver.requests.last)
            #expect(last.hasPrefix("POST /here HTTP/1.1\r\n") && last.hasSuffix(#"{"signedPayload":"a.b.c"}"#))
        }
    }

    @Test func `a closed port and an unknown host are issues of the network`() async throws {
        let port = try await closedPort()
        #expect(try await Self.post(to: "http://127.0.0.1:\(port)/").result == .socketIssue)
        #expect(try await Self.post(to: "http://receiver.invalid/").result == .socketIssue)
        #expect(try await Self.post(to: "http://").result == .socketIssue)
    }

    private func closedPort() async throws -> Int {
        let kept = SendablePort()
        try await RawReceiver.run({ _ in .close }) { await kept.set($0.port) }
        return await kept.port
    }

    private actor SendablePort {
        private(set) var port = 0
        func set(_ port: Int) { self.port = port }
    }

    @Test func `a notification is a POST of JSON`() async throws {
        try await RawReceiver.run({ _ in .answer(Self.answer(200)) }) { receiver in
            _ = try await Self.post(to: "http://127.0.0.1:\(receiver.port)/hook?app=1")
            let request = try #require(receiver.requests.first)
            #expect(request.hasPrefix("POST /hook?app=1 HTTP/1.1\r\n"))
            let head = request.lowercased()
            #expect(head.contains("\r\ncontent-type: application/json; charset=utf-8\r\n"))
            #expect(head.contains("\r\nuser-agent: perennial-notifications/2.0\r\n"))
            #expect(head.contains("\r\ncontent-length: \(Self.body.count)\r\n"))
            #expect(request.hasSuffix(#"{"signedPayload":"a.b.c"}"#))
        }
    }
}
