import AsyncHTTPClient
import Hummingbird
import NIOCore
import PerennialDelivery
import PerennialHTTP
import ServiceLifecycle
import Testing

struct VerifyReceiptClientTests {
    /// Runs a test against a server that answers every POST with `body`.
    private func withStore(
        _ respond: @escaping @Sendable (Request) async throws -> Response,
        _ test: @Sendable @escaping (VerifyReceiptClient, String) async throws -> Void
    ) async throws {
        let router = Router()
        router.post("verifyReceipt") { request, _ in try await respond(request) }
        let (ports, port) = AsyncStream.makeStream(of: Int.self)
        let application = Application(
            router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { channel in port.yield(channel.localAddress?.port ?? 0) }, logger: DeliveryServer.quiet)
        let group = ServiceGroup(configuration: .init(services: [application], logger: DeliveryServer.quiet))
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            var iterator = ports.makeAsyncIterator()
            let url = "http://127.0.0.1:\(await iterator.next() ?? 0)/verifyReceipt"
            let http = HTTPClient(configuration: VerifyReceiptClient.clientConfiguration)
            do {
                try await test(VerifyReceiptClient(client: http, timeout: .seconds(20)), url)
            } catch {
                Issue.record(error)
            }
            try await http.shutdown()
            await group.triggerGracefulShutdown()
        }
    }

    @Test func `the request is JSON, and the answer comes back whole`() async throws {
        try await withStore { request in
            let body = try await request.body.collect(upTo: 1_000)
            let type = request.headers[.contentType] ?? ""
            return Response(
                status: .tooManyRequests, headers: [.retryAfter: "7"],
                body: ResponseBody(byteBuffer: ByteBuffer(string: "\(type) \(String(buffer: body))")))
        } _: { client, url in
            let answer = try await client.post(Array(#"{"a":1}"#.utf8), to: url)
            #expect(answer.httpStatus == 429)
            #expect(answer.retryAfter == 7)
            #expect(String(decoding: answer.body, as: UTF8.self) == #"application/json {"a":1}"#)
        }
    }

    @Test func `an answer larger than the limit is no answer`() async throws {
        let chunk = ByteBuffer(repeating: 0x20, count: 1 << 20)
        try await withStore { _ in
            Response(
                status: .ok,
                body: ResponseBody { writer in
                    for _ in 0...16 { try await writer.write(chunk) }
                    try await writer.finish(nil)
                })
        } _: { client, url in
            await #expect(throws: (any Error).self) { try await client.post([], to: url) }
        }
    }

    @Test func `a store that sends elsewhere is not followed`() async throws {
        try await withStore { _ in
            Response(status: .temporaryRedirect, headers: [.location: "/verifyReceipt"])
        } _: { client, url in
            let answer = try await client.post([], to: url)
            #expect(answer.httpStatus == 307)
        }
    }

    @Test func `a store that is not there is no answer`() async throws {
        try await withStore { _ in
            Response(status: .ok)
        } _: { client, _ in
            await #expect(throws: (any Error).self) {
                try await client.post([], to: "http://127.0.0.1:1/verifyReceipt")
            }
        }
    }
}
