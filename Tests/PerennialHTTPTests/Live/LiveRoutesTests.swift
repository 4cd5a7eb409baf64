import AppStoreFormats
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import NIOPosix
import Perennial
import PerennialHTTP
import PerennialStore
import ServiceLifecycle
import TestSupport
import Testing

/// control/v1/live, and what is told and logged of requests.
struct LiveRoutesTests {
    private static let path = "/sandbox/control/v1/live"

    /// Returns the data of an answer's events.
    private static func data(_ reply: StoreServer.Reply) throws -> [JSONValue] {
        try String(decoding: reply.body, as: UTF8.self).split(separator: "\n").compactMap { line in
            guard line.hasPrefix("data: ") else { return nil }
            return try JSONValue(Array(line.dropFirst(6).utf8))
        }
    }

    @Test func `events are server-sent, with the position after the last`() async throws {
        try await StoreServer.run { server in
            try await server.shop.buy("film.roll", as: "ann")
            try await server.shop.buy("film.roll", as: "ben")
            let reply = try await server.control(.get, "\(Self.path)?from=0&follow=false")
            #expect(reply.headers[.contentType] == "text/event-stream; charset=utf-8")
            let events = try Self.data(reply)
            #expect(events.map { $0["kind"] } == ["purchase", "purchase"])
            #expect(events.map { $0["commerce"]?["position"] } == [1, 2])
            #expect(events.first?["commerce"]?["price"] == 990)
            let text = String(decoding: reply.body, as: UTF8.self)
            #expect(text.contains("id: \(TestCatalog.magazine().appleID)-2\ndata: "))
            var headers = HTTPFields()
            headers[HTTPField.Name("Last-Event-ID")!] = "\(TestCatalog.magazine().appleID)-1"
            let resumed = try await server.send(
                .get, "\(Self.path)?from=0&follow=false&kinds=purchase", [], bearer: StoreServer.controlToken,
                headers: headers)
            #expect(try Self.data(resumed).map { $0["commerce"]?["account"] } == ["ben"])
        }
    }

    @Test(arguments: [
        ("from", "yesterday"), ("kinds", "purchase,sale"), ("kinds", "skipped"), ("complete", "yes"), ("follow", ""),
    ])
    func `a malformed parameter is refused by its name`(field: String, value: String) async throws {
        try await StoreServer.run { server in
            let reply = try await server.control(.get, "\(Self.path)?\(field)=\(value)")
            #expect((reply.status, reply.error?["field"]) == (400, .string(field)))
        }
    }

    @Test func `requests are told with their refusal, without secrets and bodies`() async throws {
        try await StoreServer.run { server in
            let watcher = try await server.shop.store.live.watch()
            let token = try await server.signIn("/sandbox")
            _ = try await server.buy("film.roll", token)
            _ = try await server.buy("unknown", token)
            let secret = "0123456789abcdef0123456789abcdef"
            _ = try await server.ask(.get, "/sandbox/control/v1/apps?token=\(secret)", bearer: secret)
            _ = try await server.ask(.get, "/sandbox/inApps/v1/history/1", bearer: secret)
            _ = try await server.ask(.get, "/sandbox/v1/apps/\(secret)", bearer: secret)
            _ = try await server.ask(.post, "/sandbox/verifyReceipt", ["receipt-data": .string(secret)])
            var requests: [LiveRequest] = []
            while requests.count < 7, let batch = try await watcher.next() {
                for case .request(let request) in batch.events.map(\.content) { requests.append(request) }
            }
            #expect(requests.map(\.status) == [200, 200, 404, 401, 401, 401, 200])
            #expect(requests.map(\.caller) == [.app, .app, .app, .operator, .server, .connect, .server])
            #expect(
                requests.map(\.code) == [
                    nil, nil, "productNotAvailable", "unauthorized", "unauthorized", "unauthorized", "21002",
                ])
            #expect(requests.allSatisfy { $0.code == nil || ($0.reason?.isEmpty == false && $0.advice != nil) })
            let shown = requests.map { "\($0)" }.joined()
            #expect(!shown.contains(secret) && !shown.contains(token) && !shown.contains("?"))
        }
    }
}

/// The connection of control/v1/live.
struct LiveConnectionTests {
    private static func router(_ shop: TestStore) -> Router<BasicConnectionContext> {
        PerennialRouter(
            registry: shop.registry, controlToken: StoreServer.controlToken, rootCertificate: [], delivery: nil,
            nanoseconds: { 0 }
        ).make()
    }

    /// Opens a connection that listens, and returns it with what it reads.
    private static func listen(port: Int) async throws -> (channel: any Channel, parts: AsyncStream<String>) {
        let parts = AsyncStream<String>.makeStream()
        let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Reader(parts.continuation))
                }
            }
            .connect(host: "127.0.0.1", port: port).get()
        let head = """
            GET /sandbox/control/v1/live HTTP/1.1\r\nHost: localhost\r\n\
            Authorization: Bearer \(StoreServer.controlToken)\r\n\r\n
            """
        try await channel.writeAndFlush(ByteBuffer(string: head))
        return (channel, parts.stream)
    }

    private final class Reader: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        private let parts: AsyncStream<String>.Continuation

        init(_ parts: AsyncStream<String>.Continuation) { self.parts = parts }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            parts.yield(String(buffer: unwrapInboundIn(data)))
        }
        func channelInactive(context: ChannelHandlerContext) { parts.finish() }
    }

    @Test func `a purchase is sent, and a client that hangs up isn't watched for`() async throws {
        let shop = try await TestStore.make()
        let application = Application(
            router: Self.router(shop), server: ConnectionLimits.http1,
            configuration: .init(address: .hostname("127.0.0.1", port: 0)), logger: TestStore.quiet)
        try await application.test(.live) { client in
            let (channel, parts) = try await Self.listen(port: try #require(client.port))
            for await part in parts where part.contains("retry: ") { break }
            try await shop.buy("film.roll", as: "ann")
            for await part in parts where part.contains(#""kind":"purchase""#) { break }
            #expect(shop.registry.live.isWatched)
            try await channel.close()
            while shop.registry.live.isWatched { await Task.yield() }
        }
    }

    @Test func `listening ends when the server is asked to stop`() async throws {
        let shop = try await TestStore.make()
        let opened = AsyncStream<Int>.makeStream()
        let application = Application(
            router: Self.router(shop), server: ConnectionLimits.http1,
            configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { opened.continuation.yield($0.localAddress?.port ?? 0) }, logger: TestStore.quiet)
        let group = ServiceGroup(configuration: .init(services: [application], logger: TestStore.quiet))
        async let running: Void = group.run()
        for await port in opened.stream {
            let (channel, parts) = try await Self.listen(port: port)
            for await part in parts where part.contains("retry: ") { break }
            await group.triggerGracefulShutdown()
            var rest = ""
            for await part in parts {
                rest += part
                if rest.hasSuffix("0\r\n\r\n") { break }
            }
            #expect(rest.hasSuffix("0\r\n\r\n"))
            try? await channel.close()
            break
        }
        try await running
        #expect(!shop.registry.live.isWatched)
    }
}
