import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import OpenStoreKit
import Testing

/// Answers that don't end in time.
@Suite(.timeLimit(.minutes(5)))
struct SlowAnswerTests {
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

    private var impatient: AsyncHTTPTransport {
        var limits = AsyncHTTPTransport.Limits()
        limits.answer = .milliseconds(200)
        limits.progress = .milliseconds(200)
        return AsyncHTTPTransport(limits: limits)
    }

    private func timeOut(_ work: () async throws -> Void) async throws {
        let error = await #expect(throws: TransportError.self) { try await work() }
        #expect(error?.code == .timedOut)
    }

    @Test(arguments: [false, true])
    func `an answer with a slow body times out`(dribbles: Bool) async throws {
        try await withServer(Self.head, dribbles: dribbles) { url in
            try await timeOut { _ = try await impatient.send(HTTPCall(.GET, url), maximumBytes: 2_000_000) }
        }
    }

    @Test(arguments: ["", "HTTP/1.1 200 OK\r\nX-Slow:"])
    func `a streamed answer with a slow head times out`(head: String) async throws {
        try await withServer(head, dribbles: !head.isEmpty) { url in
            try await timeOut { _ = try await impatient.stream(HTTPCall(.GET, url)) }
        }
    }

    @Test func `a streamed body with too little progress times out`() async throws {
        // The head may take its time on a busy machine.
        var limits = AsyncHTTPTransport.Limits()
        limits.progress = .milliseconds(200)
        let impatient = AsyncHTTPTransport(limits: limits)
        try await withServer(Self.head, dribbles: true) { url in
            let answer = try await impatient.stream(HTTPCall(.GET, url))
            #expect(answer.status == 200)
            try await timeOut { for try await _ in answer.body {} }
        }
    }
}
