import AppStoreFormats
import AsyncHTTPClient
import HTTPTypes
import PerennialHTTP
import PerennialStore
import TestSupport
import Testing

/// control/v1/apps/BUNDLE_ID/notifications, with a receiver on a real socket.
struct NotificationControlTests {
    static let path = "control/v1/apps/com.example.magazine/notifications"

    /// Lends a store whose notifications go out, and a receiver that answers with a status.
    private static func run(
        answer status: Int = 200, _ test: @escaping @Sendable (StoreServer, RawReceiver) async throws -> Void
    ) async throws {
        let client = HTTPClient(
            eventLoopGroupProvider: .singleton, configuration: NotificationClient.clientConfiguration)
        let outcome: Result<Void, any Error>
        do {
            try await RawReceiver.run({ _ in .answer(NotificationClientTests.answer(status)) }) { receiver in
                try await StoreServer.run(sender: NotificationClient(client: client)) { try await test($0, receiver) }
            }
            outcome = .success(())
        } catch {
            outcome = .failure(error)
        }
        try await client.shutdown()
        try outcome.get()
    }

    @Test func `where notifications go is set, shown and taken away`() async throws {
        try await Self.run { server, _ in
            let path = "/environments/staging/\(Self.path)"
            let missing = try await server.control(.get, path)
            #expect((missing.status, missing.error?["code"]) == (404, "notificationURLNotFound"))
            let set = try await server.control(.put, path, ["url": "http://127.0.0.1:9/hook", "version": 1])
            let expected: JSONValue = [
                "url": "http://127.0.0.1:9/hook", "version": 1, "retries": "app-store", "timeoutMilliseconds": 10_000,
            ]
            #expect(set.json == expected)
            #expect(try await server.control(.get, path).json == expected)
            #expect(try await server.control(.get, "/sandbox/\(Self.path)").status == 404)
            #expect(try await server.control(.delete, path).status == 204)
            #expect(try await server.control(.get, path).status == 404)
            let unknown = try await server.control(
                .put, "/control/v1/apps/com.example.none/notifications", ["url": "http://127.0.0.1:9/"])
            #expect((unknown.status, unknown.error?["code"]) == (404, "appNotFound"))
        }
    }

    static let refusals: [(JSONValue, String)] = [
        (["url": "ftp://example.com"], "url"), (["url": "https://"], "url"), (["url": "https://a b"], "url"),
        ([:], "url"), (["url": "https://a", "version": 3], "version"),
        (["url": "https://a", "retries": "often"], "retries"),
        (["url": "https://a", "timeoutMilliseconds": 0], "timeoutMilliseconds"), (["url": "https://a", "v": 2], "v"),
    ]

    @Test func `what makes no sense is refused with its field`() async throws {
        try await Self.run { server, _ in
            for (body, field) in Self.refusals {
                let reply = try await server.control(.put, "/sandbox/\(Self.path)", body)
                #expect((reply.status, reply.error?["field"]?.text) == (400, field))
            }
            let malformed: [(JSONValue, String)] = [
                (["delayMilliseconds": -5], "delayMilliseconds"), (["dropFirst": 101], "dropFirst"),
                (["percentage": .number(33.3)], "percentage"), (["seed": -3], "seed"), (["bogus": 1], "bogus"),
            ]
            _ = try await server.control(.put, "/sandbox/\(Self.path)", ["url": "https://a"])
            for (body, field) in malformed {
                let reply = try await server.control(.put, "/sandbox/\(Self.path)/faults", body)
                #expect((reply.status, reply.error?["field"]?.text) == (400, field))
                #expect(reply.error?["message"]?.text?.contains(field) == true)
            }
        }
    }

    @Test func `an advance answers when every notification that was due has been attempted`() async throws {
        try await Self.run { server, receiver in
            let base = "/environments/staging"
            _ = try await server.control(
                .put, "\(base)/\(Self.path)",
                ["url": .string("http://127.0.0.1:\(receiver.port)/hook"), "version": 2])
            let bought = try await server.control(
                .post, "\(base)/control/v1/purchases",
                ["bundleId": "com.example.magazine", "account": "ann", "productId": "monthly"])
            #expect(bought.status == 200)
            let moved = try await server.control(.post, "\(base)/control/v1/clock/advance", ["by": "P1D"])
            #expect(moved.status == 200)
            #expect(receiver.requests.count == 8)
            let list = try await server.control(.get, "\(base)/\(Self.path)/history")
            let told = try #require(list["notifications"]?.elements)
            #expect(told.count == 8)
            #expect(told.first?["notificationType"] == "EXPIRED" && told.last?["subtype"] == "INITIAL_BUY")
            #expect(told.allSatisfy { $0["attempts"]?.elements?.first?["result"] == "SUCCESS" })
            let uuid = try #require(told.last?["notificationUUID"]?.text)
            let one = try await server.control(.get, "\(base)/\(Self.path)/history/\(uuid)")
            let payload = try #require(one["signedPayload"]?.text)
            #expect(receiver.requests.first?.hasSuffix(#"{"signedPayload":"\#(payload)"}"#) == true)
            let resent = try await server.control(.post, "\(base)/\(Self.path)/history/\(uuid)/resend")
            #expect(resent.json == ["notificationUUID": .string(uuid)])
            _ = try await server.control(.post, "\(base)/control/v1/clock/advance", ["by": "P1D"])
            #expect(receiver.requests.count == 9)
            #expect(receiver.requests.last?.hasSuffix(#"{"signedPayload":"\#(payload)"}"#) == true)
            let reset = try await server.control(.post, "\(base)/control/v1/reset")
            #expect(reset.status == 204)
            let emptied = try await server.control(.get, "\(base)/\(Self.path)/history")
            #expect(emptied["notifications"] == [])
        }
    }

    @Test func `a test that fails says so`() async throws {
        try await Self.run(answer: 500) { server, receiver in
            let base = "/environments/staging"
            let early = try await server.control(.post, "\(base)/\(Self.path)/test")
            #expect((early.status, early.error?["code"]) == (404, "notificationURLNotFound"))
            _ = try await server.control(
                .put, "\(base)/\(Self.path)", ["url": .string("http://127.0.0.1:\(receiver.port)/hook")])
            let asked = try await server.control(.post, "\(base)/\(Self.path)/test")
            let uuid = try #require(asked["notificationUUID"]?.text)
            _ = try await server.control(.post, "\(base)/control/v1/clock/advance", ["by": "P1D"])
            let one = try await server.control(.get, "\(base)/\(Self.path)/history/\(uuid)")
            #expect(one["notificationType"] == "TEST")
            let attempt = try #require(one["attempts"]?.elements?.first)
            #expect((attempt["result"], attempt["httpStatus"]) == ("UNSUCCESSFUL_HTTP_RESPONSE_CODE", 500))
            let response: JSONValue = [
                "statusLine": "HTTP/1.1 500 Internal Server Error", "body": "", "truncated": false,
            ]
            #expect(attempt["response"] == response)
            #expect(one["nextAttempt"] == nil)
        }
    }
}
