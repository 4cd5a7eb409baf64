import PerennialHTTP
import Testing
import TestSupport

/// Bytes that are no complete request: 400, the end of the connection, and not a word in the log.
struct MalformedRequestTests {
    private static let token = "Authorization: Bearer \(StoreServer.controlToken)\r\n"
    /// Each way in which a route reads a body.
    static let heads = [
        "POST /sandbox/verifyReceipt HTTP/1.1\r\nHost: localhost\r\n",
        "POST /sandbox/store/v1/devices HTTP/1.1\r\nHost: localhost\r\n",
        "POST /sandbox/control/v1/accounts HTTP/1.1\r\nHost: localhost\r\n\(token)",
        "POST /delivery/v1/grants HTTP/1.1\r\nHost: localhost\r\n",
        "POST /delivery/v1/notifications HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n",
        // Answered without its body, and by nothing.
        "POST /sandbox/inApps/v1/notifications/history HTTP/1.1\r\nHost: localhost\r\n",
    ]

    static let bodies: [(name: String, text: String)] = [
        ("a chunk size that is none", "Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n"),
        ("a chunk size beyond all numbers", "Transfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n{}"),
        ("a chunk that goes on", "Transfer-Encoding: chunked\r\n\r\n2\r\n{}{}\r\n0\r\n\r\n"),
        ("an unknown transfer coding", "Transfer-Encoding: gzip\r\n\r\n{}"),
        ("two lengths", "Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}"),
        ("a length and a coding", "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
        ("a length that is none", "Content-Length: two\r\n\r\n{}"),
    ]

    @Test(arguments: heads)
    func `a malformed body is a bad request`(head: String) async throws {
        // The first was answered 401 before the body went wrong, where it did so late.
        let status = head.contains("inApps") ? ["400", "401"] : ["400"]
        try await EdgeServer.run { server in
            for body in Self.bodies {
                let answer = try await server.ask(head + body.text)
                #expect(status.contains { answer.hasPrefix("HTTP/1.1 \($0)") }, "\(body.name): \(answer)")
                #expect(server.log.recorded == [], "\(body.name)")
            }
        }
    }

    @Test(arguments: heads.dropLast())
    func `an upload that is cut is a bad request`(head: String) async throws {
        try await EdgeServer.run { server in
            let connection = try await server.connect()
            connection.send(head + "Content-Length: 100\r\n\r\n{\"account\": ")
            connection.endSending()
            let answer = try await connection.untilEnd()
            #expect(answer.hasPrefix("HTTP/1.1 400"), "\(answer)")
            #expect(server.log.recorded == [])
        }
    }

    @Test(arguments: heads)
    func `a client that goes in the middle of its upload is no error`(head: String) async throws {
        try await EdgeServer.run { server in
            let connection = try await server.connect()
            connection.send(head + "Content-Length: 100\r\n\r\n{\"account\": ")
            connection.close()
            // Answered after it, on a connection of its own.
            _ = try await server.ask("GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            #expect(server.log.recorded == [])
        }
    }

    private static let malformedHeads = [
        "nonsense\r\n\r\n", "GET / HTTP/9.9\r\nHost: localhost\r\n\r\n", "\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}",
        "GET / HTTP/1.1\r\nHost: localhost\r\nX Y: 1\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: localhost\r\nX: \(String(repeating: "x", count: 100_000))\r\n\r\n",
    ]

    @Test func `a head that is none is a bad request`() async throws {
        try await EdgeServer.run { server in
            for head in Self.malformedHeads {
                let answer = try await server.ask(head)
                #expect(answer.hasPrefix("HTTP/1.1 400"), "\(head.prefix(100)): \(answer)")
                #expect(answer.contains(#""code":"malformedRequest""#))
                #expect(server.log.recorded == [])
            }
        }
    }

    static let hosts: [(headers: String, status: Int)] = [
        ("Host: localhost\r\n", 200), ("Host: LOCALHOST.:8080\r\n", 200), ("Host: [::1]:8080\r\n", 200), ("", 400),
        ("Host: localhost\r\nHost: localhost\r\n", 400), ("Host: localhost\r\nhost: example.com\r\n", 400),
        ("Host: \r\n", 400), ("Host: a, b\r\n", 400), ("Host: user@localhost\r\n", 400),
        ("Host: localhost:port\r\n", 400), ("Host: localhost:70000\r\n", 400), ("Host: ::1\r\n", 400),
        ("Host: [localhost]\r\n", 400), ("Host: .\r\n", 400),
    ]

    @Test func `a request has one host`() async throws {
        try await EdgeServer.run { server in
            for (headers, status) in Self.hosts {
                let answer = try await server.ask("GET /health HTTP/1.1\r\nConnection: close\r\n\(headers)\r\n")
                #expect(answer.hasPrefix("HTTP/1.1 \(status)"), "\(headers): \(answer)")
            }
        }
    }

    @Test func `a request that names its host twice names the same`() async throws {
        try await EdgeServer.run { server in
            for (target, status) in [("http://localhost/health", 200), ("http://example.com/health", 400)] {
                let answer = try await server.ask(
                    "GET \(target) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                #expect(answer.hasPrefix("HTTP/1.1 \(status)"), "\(answer)")
            }
            // HTTP/1.0 has none.
            let old = try await server.ask("GET /health HTTP/1.0\r\nConnection: close\r\n\r\n")
            #expect(old.contains(" 200 "), "\(old)")
        }
    }

    @Test func `what was asked before a malformed request is answered first`() async throws {
        try await EdgeServer.run { server in
            let good = "GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n"
            for bad in ["nonsense\r\n\r\n", "GET / HTTP/1.1\r\n\r\n", Self.heads[1] + Self.bodies[0].text] {
                let answer = try await server.ask(good + good + bad)
                let statuses = answer.matches(of: #/HTTP/1\.1 (\d{3}) /#).map { String($0.1) }
                #expect(statuses == ["200", "200", "400"], "\(answer)")
            }
        }
    }

    @Test(arguments: ["100-continue", "100-Continue"])
    func `a client that waits for a word before its body gets it`(expectation: String) async throws {
        try await EdgeServer.run { server in
            let connection = try await server.connect()
            let body = #"{"receipt-data": "x"}"#
            let head = """
                POST /sandbox/verifyReceipt HTTP/1.1\r\nHost: localhost\r\nExpect: \(expectation)\r\n\
                Content-Length: \(body.utf8.count)\r\n\r\n
                """
            for number in 1...2 {
                connection.send(head)
                let word = try await connection.until("HTTP/1.1 100 Continue\r\n\r\n", times: number)
                #expect(word.hasSuffix("HTTP/1.1 100 Continue\r\n\r\n"))
                connection.send(body)
                try await connection.until("\"status\":21002", times: number)
            }
            connection.close()
        }
    }

    @Test func `no word to continue comes before an earlier answer`() async throws {
        try await EdgeServer.run { server in
            let connection = try await server.connect()
            connection.send("GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
            connection.send(Self.heads[0] + "Expect: 100-continue\r\nContent-Length: 2\r\n\r\n")
            let answer = try await connection.until("100 Continue")
            #expect(answer.hasPrefix("HTTP/1.1 200"), "\(answer)")
            connection.close()
        }
    }
}
