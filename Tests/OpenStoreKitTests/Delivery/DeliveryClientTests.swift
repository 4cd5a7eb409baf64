import Foundation
import HTTPTypes
import OpenStoreKit
import Synchronization
import Testing

/// A scripted content server that records requests.
private final class ScriptedTransport: Transport {
    let answers = Mutex<[HTTPAnswer?]>([])
    let calls = Mutex<[HTTPCall]>([])

    init(_ answers: HTTPAnswer?...) {
        self.answers.withLock { $0 = answers }
    }

    func send(_ call: HTTPCall, maximumBytes: Int) async throws -> HTTPAnswer {
        calls.withLock { $0.append(call) }
        guard let answer = answers.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else {
            throw TransportError(.noConnection, url: call.url, reason: "offline")
        }
        return answer
    }

    func stream(_ call: HTTPCall) async throws -> StreamedAnswer {
        throw TransportError(.noConnection, url: call.url, reason: "offline")
    }
}

struct DeliveryClientTests {
    let device: Device

    init() throws {
        self.device = try Device()
    }

    private func client(_ transport: ScriptedTransport) throws -> DeliveryClient {
        DeliveryClient(
            baseURL: try #require(URL(string: "http://seller.test/")), bundleID: "com.example.magazine",
            files: device.files, transport: transport, dependencies: .test())
    }

    private func json(_ text: String, headers: HTTPFields = [:]) -> HTTPAnswer {
        HTTPAnswer(status: 200, headers: headers, body: Data(text.utf8))
    }

    @Test func `the cached product list is used if it is current or the server is away`()
        async throws
    {
        let list = json(
            #"{"products": [{"productId": "b", "type": "consumable"}, {"productId": "a", "type": "free"}]}"#,
            headers: [.eTag: "\"7\""])
        let transport = ScriptedTransport(list, HTTPAnswer(status: 304))
        let first = try await client(transport).products()
        #expect(first.source == .server)
        #expect(first.products.map(\.productId) == ["b", "a"])
        let second = try await client(transport).products()
        #expect(second.source == .revalidated)
        #expect(transport.calls.withLock { $0.map { $0.headers[.ifNoneMatch] } } == [nil, "\"7\""])
        let third = try await client(transport).products()
        #expect(third.source == .device)
        #expect(third.products == first.products)
    }

    @Test func `without a cached list the server is needed`() async throws {
        await #expect { try await client(ScriptedTransport()).products() } throws: {
            ($0 as? DeliveryError)?.code == .noConnection
        }
    }

    @Test func `a grant is requested with the signed-in customer's token`() async throws {
        let grant = json(
            #"""
            {"environment": "Sandbox", "grant": "G", "expires": "2026-01-01T01:00:00Z",
             "content": [{"contentId": "issue", "productId": "p", "transactionId": "1",
                          "path": "/delivery/v1/content/issue", "size": 3, "sha256": "00", "version": "1.0", "filename": "issue.pdf"}],
             "nonRenewing": [{"productId": "pass.1week", "transactionId": "2", "starts": "2026-01-01T00:00:00Z",
                              "expires": "2026-01-08T00:00:00Z"}],
             "refused": [{"productId": "odd", "transactionId": "3", "code": "termUnknown", "message": "no term"}]}
            """#)
        let transport = ScriptedTransport(grant, json(#"{"token": "C"}"#), grant)
        let client = try client(transport)
        let first = try await client.grant(for: Data([1, 2, 3]))
        #expect(first.token == "G" && first.environment == "Sandbox")
        #expect(first.content.map(\.filename) == ["issue.pdf"])
        #expect(first.nonRenewing.map { $0.expires.timeIntervalSince($0.starts) } == [7 * 86_400])
        #expect(first.refused.map(\.code) == ["termUnknown"])
        try await client.signIn(customer: "reader-17", password: "secret")
        _ = try await client.grant(for: Data([1, 2, 3]), deviceID: device.identifier)
        let tokens = transport.calls.withLock { $0.map { $0.headers[.authorization] } }
        #expect(tokens == [nil, nil, "Bearer C"])
        let body = transport.calls.withLock { $0.last?.body } ?? Data()
        #expect(String(decoding: body, as: UTF8.self).contains(#""receipt":"AQID""#))
    }

    @Test(arguments: [
        (400, "malformedRequest", DeliveryError.Code.malformedRequest), (403, "receiptInvalid", .receiptInvalid),
        (403, "receiptForAnotherApp", .receiptForAnotherApp), (401, "unauthorized", .unauthorized),
        (403, "notGranted", .notGranted), (404, "contentNotFound", .contentNotFound),
        (418, "somethingNew", DeliveryError.Code(rawValue: "somethingNew")),
    ])
    func `the server's errors keep their codes and statuses`(
        status: Int, word: String, code: DeliveryError.Code
    ) async throws {
        let body = #"{"error": {"code": "\#(word)", "message": "why", "status": 21003}}"#
        let transport = ScriptedTransport(HTTPAnswer(status: status, body: Data(body.utf8)))
        await #expect { try await client(transport).grant(for: Data()) } throws: { error in
            let error = error as? DeliveryError
            return error?.code == code && error?.status == 21003 && error?.reason == "why"
        }
        #expect(transport.calls.withLock { $0.count } == 1)
    }

    @Test func `an unavailable store is retried, then reported`() async throws {
        let away = HTTPAnswer.error(503, "storeUnavailable", 0)
        let transport = ScriptedTransport(away, away, away, away)
        await #expect { try await client(transport).terms() } throws: {
            ($0 as? DeliveryError)?.code == .storeUnavailable
        }
        #expect(transport.calls.withLock { $0.count } == 4)
    }
}
