import AppStoreFormats
import AsyncHTTPClient
import NIOCore
import PerennialHTTP
import PerennialStore
import Testing

/// A server that sends the head of its answer and never, or never quickly enough, the rest: each client's deadline covers
/// the whole answer.
@Suite(.timeLimit(.minutes(5)))
struct StalledAnswerTests {
    static let head = "HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n"
    static let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab"
    static let behaviours: [RawReceiver.Behaviour] = [.stall(head), .stall(chunked), .dribble(head)]

    private func withClient(
        _ configuration: HTTPClient.Configuration, _ behaviour: RawReceiver.Behaviour,
        _ body: @escaping @Sendable (HTTPClient, _ url: String) async throws -> Void
    ) async throws {
        try await RawReceiver.run({ _ in behaviour }) { receiver in
            let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
            do {
                try await body(client, "http://127.0.0.1:\(receiver.port)")
            } catch {
                try await client.shutdown()
                throw error
            }
            try await client.shutdown()
        }
    }

    @Test(arguments: behaviours)
    func `a notification times out`(behaviour: RawReceiver.Behaviour) async throws {
        try await withClient(NotificationClient.clientConfiguration, behaviour) { client, url in
            let outcome = await NotificationClient(client: client).post([], to: url, timeout: 100)
            #expect(outcome.result == .timedOut)
        }
    }

    @Test(arguments: behaviours)
    func `a request for a retention message times out`(behaviour: RawReceiver.Behaviour) async throws {
        try await withClient(HTTPClient.Configuration(), behaviour) { client, url in
            let exchange = await RealtimeClient(client: client).post([], to: url, within: 100)
            #expect(exchange.outcome == .failed("TIMED_OUT"))
            #expect((100..<30_000).contains(exchange.milliseconds))
        }
    }

    @Test(arguments: behaviours)
    func `a verification of a receipt times out`(behaviour: RawReceiver.Behaviour) async throws {
        try await withClient(VerifyReceiptClient.clientConfiguration, behaviour) { client, url in
            await #expect(throws: HTTPClientError.deadlineExceeded) {
                _ = try await VerifyReceiptClient(client: client, timeout: .milliseconds(100)).post([], to: url)
            }
        }
    }

    @Test(arguments: behaviours)
    func `a request for a root certificate times out`(behaviour: RawReceiver.Behaviour) async throws {
        try await withClient(VerifyReceiptClient.clientConfiguration, behaviour) { client, url in
            await #expect(throws: HTTPClientError.deadlineExceeded) {
                _ = try await RootCertificateClient(client: client, baseURL: url, timeout: .milliseconds(100)).root()
            }
        }
    }

    /// Connections of exchanges that timed out must not count as used: the client keeps 32 to a host.
    @Test func `exchanges that timed out give their connections back`() async throws {
        try await withClient(NotificationClient.clientConfiguration, .stall(Self.head)) { client, url in
            for _ in 0..<2 {
                let results = await withTaskGroup(of: Bool.self) { group in
                    for _ in 0..<40 {
                        group.addTask {
                            await NotificationClient(client: client).post([], to: url, timeout: 150).result == .timedOut
                        }
                    }
                    return await group.reduce(into: []) { $0.append($1) }
                }
                #expect(results.count == 40 && results.allSatisfy { $0 })
            }
        }
    }

    @Test func `a cancelled exchange is cancelled, and has not timed out`() async throws {
        try await withClient(VerifyReceiptClient.clientConfiguration, .stall(Self.head)) { client, url in
            let task = Task { try await VerifyReceiptClient(client: client, timeout: .minutes(10)).post([], to: url) }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
        }
    }
}
