import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import NIOHTTP1
import NIOPosix
import OpenStoreKit
import Testing

/// Answers that don't end in time.
@Suite(.timeLimit(.minutes(5)))
struct SlowAnswerTests {
    /// Transports over a network.
    enum Kind: CaseIterable, Sendable {
        #if AsyncHTTPClient
            case asyncHTTPClient
        #endif
        case foundation

        /// Makes a transport. Without a limit for answers, only that for progress is short.
        func make(isHasty: Bool) -> any Transport {
            switch self {
            #if AsyncHTTPClient
                case .asyncHTTPClient:
                    var limits = AsyncHTTPTransport.Limits()
                    if isHasty { limits.answer = .milliseconds(200) }
                    limits.progress = .milliseconds(200)
                    return AsyncHTTPTransport(limits: limits)
            #endif
            case .foundation:
                var limits = FoundationTransport.Limits()
                if isHasty { limits.answer = .milliseconds(200) }
                limits.progress = .milliseconds(200)
                return FoundationTransport(limits: limits)
            }
        }
    }

    private static let head = "HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n"

    /// Runs a server that answers with `head`, and then with a space every few milliseconds if it dribbles.
    private func withServer(
        _ head: String, dribbles: Bool, _ body: (URL) async throws -> Void
    ) async throws {
        let channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .childChannelInitializer { channel in
                let task = channel.eventLoop.scheduleRepeatedTask(
                    initialDelay: .milliseconds(20), delay: .milliseconds(5)
                ) { _ in
                    if dribbles { channel.writeAndFlush(ByteBuffer(string: " "), promise: nil) }
                }
                channel.closeFuture.whenComplete { _ in task.cancel() }
                channel.eventLoop.scheduleTask(in: .milliseconds(10)) {
                    channel.writeAndFlush(ByteBuffer(string: head), promise: nil)
                }
                return channel.eventLoop.makeSucceededVoidFuture()
            }
            .bind(host: "127.0.0.1", port: 0).get()
        do {
            try await body(try #require(URL(string: "http://127.0.0.1:\(channel.localAddress?.port ?? 0)/")))
        } catch {
            try await channel.close()
            throw error
        }
        try await channel.close()
    }

    private func timeOut(_ work: () async throws -> Void) async throws {
        let error = await #expect(throws: TransportError.self) { try await work() }
        #expect(error?.code == .timedOut)
    }

    @Test(arguments: [false, true], Kind.allCases)
    func `an answer with a slow body times out`(dribbles: Bool, kind: Kind) async throws {
        try await withServer(Self.head, dribbles: dribbles) { url in
            let impatient = kind.make(isHasty: true)
            try await timeOut { _ = try await impatient.send(HTTPCall(.get, url), maximumBytes: 2_000_000) }
        }
    }

    @Test(arguments: ["", "HTTP/1.1 200 OK\r\nX-Slow:"], Kind.allCases)
    func `a streamed answer with a slow head times out`(head: String, kind: Kind) async throws {
        try await withServer(head, dribbles: !head.isEmpty) { url in
            let impatient = kind.make(isHasty: true)
            try await timeOut { _ = try await impatient.stream(HTTPCall(.get, url)) }
        }
    }

    @Test(arguments: Kind.allCases)
    func `a streamed body with too little progress times out`(kind: Kind) async throws {
        // The head may take its time on a busy machine.
        let impatient = kind.make(isHasty: false)
        try await withServer(Self.head, dribbles: true) { url in
            let answer = try await impatient.stream(HTTPCall(.get, url))
            #expect(answer.status == 200)
            try await timeOut { for try await _ in answer.body {} }
        }
    }

    @Test func `Foundation's transport carries methods, headers and bodies both ways`() async throws {
        let router = Router()
        router.put("echo") { request, _ in
            let body = try await request.body.collect(upTo: 4 << 20)
            let sent = request.headers[.init("X-Sent")!] ?? ""
            return Response(
                status: .created, headers: [.init("X-Got")!: sent], body: .init(byteBuffer: body))
        }
        router.get("away") { _, _ in Response(status: .found, headers: [.location: "/echo"]) }
        try await serving(router) { base in
            let transport = FoundationTransport()
            let body = Data((0..<2_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
            let call = HTTPCall(.put, base.appendingPathComponent("echo"), headers: [.init("X-Sent")!: "a"], body: body)
            let answer = try await transport.send(call, maximumBytes: 4 << 20)
            #expect(answer.status == 201)
            #expect(answer.headers[.init("X-Got")!] == "a")
            #expect(answer.body == body)
            let error = await #expect(throws: TransportError.self) {
                try await transport.send(call, maximumBytes: 1_000)
            }
            #expect(error?.code == .answerTooLarge)
            // Streamed with a buffer that is smaller than the body, and read slowly.
            var limits = FoundationTransport.Limits()
            limits.buffer = 10_000
            var streamed = Data()
            for try await piece in try await FoundationTransport(limits: limits).stream(call).body {
                await Task.yield()
                streamed.append(contentsOf: piece)
            }
            #expect(streamed == body)
            // A redirection is an answer.
            let away = try await transport.send(
                HTTPCall(.get, base.appendingPathComponent("away")), maximumBytes: 1_000)
            #expect(away.status == 302)
        }
        let gone = await #expect(throws: TransportError.self) {
            _ = try await FoundationTransport().send(
                HTTPCall(.get, try #require(URL(string: "http://127.0.0.1:1/"))), maximumBytes: 1_000)
        }
        #expect(gone?.code == .noConnection)
    }

    /// Runs a server with routes on a free port.
    private func serving(
        _ router: Router<BasicRequestContext>, _ body: @escaping @Sendable (URL) async throws -> Void
    ) async throws {
        let (ports, port) = AsyncStream<Int>.makeStream()
        let application = Application(
            router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { port.yield($0.localAddress?.port ?? 0) })
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await application.run() }
            defer { tasks.cancelAll() }
            let number = try #require(await ports.first { _ in true })
            try await body(try #require(URL(string: "http://127.0.0.1:\(number)/")))
        }
    }
}
