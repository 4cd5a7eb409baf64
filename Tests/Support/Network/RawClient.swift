import NIOCore
import NIOPosix
import Synchronization

/// A connection to a server on which a test says what it wants, byte by byte.
package final class RawConnection: Sendable {
    package struct TooLate: Error {
        package let heard: String
    }

    private struct State {
        var bytes: [UInt8] = []
        var isOver = false
        /// Resumed when the condition holds, or the connection has ended.
        var waiters: [(condition: @Sendable (String) -> Bool, continuation: CheckedContinuation<Void, Never>)] = []

        var text: String { String(decoding: bytes, as: UTF8.self) }
    }

    private final class Heard: Sendable {
        let state = Mutex(State())

        func change(_ body: (inout State) -> Void) {
            let ready = state.withLock { state in
                body(&state)
                let text = state.text
                let ready = state.waiters.filter { state.isOver || $0.condition(text) }
                state.waiters.removeAll { state.isOver || $0.condition(text) }
                return ready
            }
            for waiter in ready { waiter.continuation.resume() }
        }
    }

    private final class Ear: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let heard: Heard

        init(heard: Heard) { self.heard = heard }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let buffer = unwrapInboundIn(data)
            heard.change { $0.bytes += buffer.readableBytesView }
        }
        func channelInactive(context: ChannelHandlerContext) { heard.change { $0.isOver = true } }
        /// A connection that is reset has ended as well.
        func errorCaught(context: ChannelHandlerContext, error: any Error) { heard.change { $0.isOver = true } }
    }

    private let channel: any Channel
    private let heard: Heard

    /// - Parameters:
    ///   - reads: Whether what comes is taken.
    ///   - seconds: How long the connection lasts at most; what is waited for then is too late.
    package init(port: Int, reads: Bool = true, seconds: Int64 = 120) async throws {
        let heard = Heard()
        self.heard = heard
        channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .channelOption(.autoRead, value: reads)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Ear(heard: heard))
                }
            }
            .connect(host: "127.0.0.1", port: port).get()
        let channel = channel
        let timeout = channel.eventLoop.scheduleTask(in: .seconds(seconds)) { heard.change { $0.isOver = true } }
        channel.closeFuture.whenComplete { _ in timeout.cancel() }
    }

    package func send(_ text: String) { channel.writeAndFlush(ByteBuffer(string: text), promise: nil) }

    /// Sends so many spaces.
    package func send(spaces count: Int) {
        let chunk = ByteBuffer(repeating: UInt8(ascii: " "), count: 1 << 16)
        for _ in 0..<count / chunk.readableBytes { channel.write(chunk, promise: nil) }
        channel.write(ByteBuffer(repeating: UInt8(ascii: " "), count: count % chunk.readableBytes), promise: nil)
        channel.flush()
    }

    /// Sends a byte every few milliseconds, for as long as the connection lasts.
    package func dribble(_ byte: String) {
        let channel = channel
        let task = channel.eventLoop.scheduleRepeatedTask(initialDelay: .zero, delay: .milliseconds(5)) { _ in
            channel.writeAndFlush(ByteBuffer(string: byte), promise: nil)
        }
        channel.closeFuture.whenComplete { _ in task.cancel() }
    }

    package func close() { channel.close(promise: nil) }

    /// Says that nothing more comes, and goes on hearing.
    package func endSending() { channel.close(mode: .output, promise: nil) }

    /// Takes what comes from now on.
    package func startReading() { channel.setOption(.autoRead, value: true).whenComplete { _ in } }

    /// All that has been heard so far.
    package var text: String { heard.state.withLock { $0.text } }

    /// Waits until a text has been heard so often.
    ///
    /// - Returns: All that has been heard.
    /// - Throws: ``TooLate`` where the connection ends before.
    @discardableResult
    package func until(_ text: String, times: Int = 1) async throws -> String {
        let isHeard: @Sendable (String) -> Bool = { $0.ranges(of: text).count >= times }
        let all = await wait(isHeard)
        guard isHeard(all) else { throw TooLate(heard: all) }
        return all
    }

    /// Waits until the connection has ended.
    ///
    /// - Returns: All that has been heard.
    /// - Throws: ``TooLate``, where it doesn't end.
    package func untilEnd() async throws -> String {
        let all = await wait { _ in false }
        guard !channel.isActive else { throw TooLate(heard: all) }
        return all
    }

    private func wait(_ condition: @escaping @Sendable (String) -> Bool) async -> String {
        await withCheckedContinuation { continuation in
            heard.change { $0.waiters.append((condition, continuation)) }
        }
        return heard.state.withLock { $0.text }
    }
}

/// A client that says one thing and hears all that comes.
package enum RawClient {
    /// What comes after a request, up to the end of the connection.
    ///
    /// - Parameters:
    ///   - head: With line breaks as HTTP has them, and the empty line.
    ///   - bodySize: So many bytes follow, unless the connection ends before.
    /// - Throws: `TooLate`, where the connection doesn't end.
    package static func ask(port: Int, head: String, bodySize: Int, seconds: Int64 = 120) async throws -> String {
        let connection = try await RawConnection(port: port, seconds: seconds)
        defer { connection.close() }
        connection.send(head)
        connection.send(spaces: bodySize)
        return try await connection.untilEnd()
    }
}
