import AsyncHTTPClient
import Hummingbird
import NIOCore
import PerennialHTTP
import PerennialStore
import ServiceLifecycle
import TestSupport
import Testing

/// The way to a seller's server, against a real one.
struct RealtimeClientTests {
    @Test func `what is answered comes back, and what isn't has a word`() async throws {
        let router = Router()
        router.post("echo") { request, _ in
            let body = try await request.body.collect(upTo: 1024)
            return Response(status: .created, body: ResponseBody(byteBuffer: body))
        }
        router.post("huge") { _, _ in
            Response(status: .ok, body: ResponseBody(byteBuffer: ByteBuffer(repeating: 32, count: 70_000)))
        }
        // Never answers: the request is given up when the server stops.
        router.post("silent") { _, _ -> Response in
            let (never, _) = AsyncStream.makeStream(of: Void.self)
            for await _ in never {}
            throw CancellationError()
        }
        try await serving(router) { base in
            let client = RealtimeClient()
            let echoed = await client.post(Array("{}".utf8), to: "\(base)/echo", within: 60_000)
            #expect(echoed.outcome == .answered(status: 201, body: Array("{}".utf8)))
            #expect(echoed.milliseconds >= 0)
            #expect(await client.post([], to: "\(base)/huge", within: 60_000).outcome == .failed("INVALID_RESPONSE"))
            let silent = await client.post([], to: "\(base)/silent", within: 50)
            #expect(silent.outcome == .failed("TIMED_OUT"))
            #expect(silent.milliseconds >= 50)
        }
        let gone = await RealtimeClient().post([], to: "http://127.0.0.1:1/", within: 500)
        #expect([.failed("NO_RESPONSE"), .failed("TIMED_OUT")].contains(gone.outcome))
        #expect(await RealtimeClient().post([], to: "not a URL", within: 500).outcome == .failed("OTHER"))
    }

    private func serving(
        _ router: Router<BasicRequestContext>, _ test: @Sendable (String) async throws -> Void
    ) async throws {
        let (ports, port) = AsyncStream.makeStream(of: Int.self)
        let application = Application(
            router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { channel in port.yield(channel.localAddress?.port ?? 0) }, logger: TestStore.quiet)
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await application.run() }
            var iterator = ports.makeAsyncIterator()
            try await test("http://127.0.0.1:\(await iterator.next() ?? 0)")
            tasks.cancelAll()
        }
    }
}
