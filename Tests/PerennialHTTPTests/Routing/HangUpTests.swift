import AppStoreFormats
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

/// Long work ends when its client hangs up or the server stops.
struct HangUpTests {
    /// A receiver that never answers, and sees when it isn't waited for any longer.
    private final class SilentReceiver: NotificationSender {
        let started = AsyncStream<Void>.makeStream()
        let cancelled = AsyncStream<Void>.makeStream()
        private let never = AsyncStream<Void>.makeStream()

        func post(_ body: [UInt8], to url: String, timeout: Int64) async -> NotificationOutcome {
            started.continuation.yield()
            for await _ in never.stream {}
            cancelled.continuation.yield()
            return NotificationOutcome(.timedOut)
        }
    }

    private static func lab(_ receiver: SilentReceiver) async throws -> TestStore {
        let shop = try await TestStore.make(sender: receiver)
        _ = try await shop.registry.makeEnvironment(
            "lab", kind: .production, clock: .manual, now: TestStore.opening.wholeSeconds)
        let lab = try await shop.environment("lab")
        try await lab.store.notifications.configure(
            NotificationSettings(url: "https://example.com/hook"), of: TestCatalog.bundleID)
        _ = try await lab.buy("monthly", as: "ann")
        return lab
    }

    private static func application(_ lab: TestStore) -> some ApplicationProtocol {
        let router = PerennialRouter(
            registry: lab.registry, controlToken: StoreServer.controlToken, rootCertificate: [], delivery: nil,
            nanoseconds: { 0 })
        return Application(
            router: router.make(), server: ConnectionLimits.http1,
            configuration: .init(address: .hostname("127.0.0.1", port: 0)), logger: TestStore.quiet)
    }

    private static let body = #"{"by":"P1Y"}"#

    private static func send(port: Int, more: String = "") async throws -> any Channel {
        let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .connect(host: "127.0.0.1", port: port).get()
        let head = """
            POST /environments/lab/control/v1/clock/advance HTTP/1.1\r\nHost: localhost\r\n\
            Authorization: Bearer \(StoreServer.controlToken)\r\nContent-Length: \(body.utf8.count)\r\n\(more)\r\n
            """
        try await channel.writeAndFlush(ByteBuffer(string: head + body))
        return channel
    }

    @Test(arguments: ["", "Connection: close\r\n"])
    func `an advance ends when its client hangs up`(more: String) async throws {
        let receiver = SilentReceiver()
        let lab = try await Self.lab(receiver)
        try await Self.application(lab).test(.live) { client in
            let channel = try await Self.send(port: try #require(client.port), more: more)
            for await _ in receiver.started.stream { break }
            try await channel.close()
            for await _ in receiver.cancelled.stream { break }
        }
        // The right to move the clock is free again, and nothing moved it.
        #expect(try await lab.store.now() == TestStore.opening.wholeSeconds)
    }

    @Test func `an advance ends when the server is asked to stop`() async throws {
        let receiver = SilentReceiver()
        let lab = try await Self.lab(receiver)
        let opened = AsyncStream<Int>.makeStream()
        let application = Application(
            router: PerennialRouter(
                registry: lab.registry, controlToken: StoreServer.controlToken, rootCertificate: [], delivery: nil,
                nanoseconds: { 0 }
            ).make(), server: ConnectionLimits.http1,
            configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { opened.continuation.yield($0.localAddress?.port ?? 0) }, logger: TestStore.quiet)
        let group = ServiceGroup(configuration: .init(services: [application], logger: TestStore.quiet))
        async let running: Void = group.run()
        for await port in opened.stream {
            let channel = try await Self.send(port: port)
            for await _ in receiver.started.stream { break }
            await group.triggerGracefulShutdown()
            for await _ in receiver.cancelled.stream { break }
            try await channel.close()
            break
        }
        try await running
        #expect(try await lab.store.now() == TestStore.opening.wholeSeconds)
    }

    /// Tells when a connection's client has closed its side of it, or all of it.
    private final class ClosedInput: ChannelInboundHandler {
        typealias InboundIn = NIOAny

        private let closed: AsyncStream<Void>.Continuation

        init(_ closed: AsyncStream<Void>.Continuation) { self.closed = closed }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            if event as? ChannelEvent == .inputClosed { closed.yield() }
            context.fireUserInboundEventTriggered(event)
        }

        func channelInactive(context: ChannelHandlerContext) {
            closed.yield()
            context.fireChannelInactive()
        }
    }

    enum Ending: CaseIterable { case half, whole, reset }

    @Test(.timeLimit(.minutes(2)), arguments: Ending.allCases)
    func `work that begins after its client hung up is cancelled at once`(ending: Ending) async throws {
        let ready = AsyncStream<Void>.makeStream()
        let cancelled = AsyncStream<Void>.makeStream()
        let router = Router(context: BasicConnectionContext.self)
        router.get("late") { _, context in
            let closed = AsyncStream<Void>.makeStream()
            let channel = context.channel
            try await channel.eventLoop.submit {
                // Hummingbird's own handler at the end hears nothing of a reset.
                try channel.pipeline.syncOperations.addHandler(ClosedInput(closed.continuation), position: .first)
            }.get()
            ready.continuation.yield()
            for await _ in closed.stream { break }
            let never = AsyncStream<Void>.makeStream()
            await #expect(throws: CancellationError.self) {
                try await context.untilHangUp {
                    for await _ in never.stream {}
                    try Task.checkCancellation()
                }
            }
            cancelled.continuation.yield()
            return ""
        }
        let application = Application(
            router: router, server: ConnectionLimits.http1,
            configuration: .init(address: .hostname("127.0.0.1", port: 0)), logger: TestStore.quiet)
        try await application.test(.live) { client in
            let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                .channelOption(.allowRemoteHalfClosure, value: true)
                .connect(host: "127.0.0.1", port: try #require(client.port)).get()
            try await channel.writeAndFlush(ByteBuffer(string: "GET /late HTTP/1.1\r\nHost: localhost\r\n\r\n"))
            for await _ in ready.stream { break }
            if ending == .reset {
                let socket = try #require(channel as? any SocketOptionProvider)
                try await socket.setSoLinger(linger(l_onoff: 1, l_linger: 0)).get()
            }
            try await channel.close(mode: ending == .half ? .output : .all)
            for await _ in cancelled.stream { break }
            if ending == .half { try? await channel.close() }
        }
    }
}
