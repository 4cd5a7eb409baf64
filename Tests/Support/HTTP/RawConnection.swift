import NIOCore
import NIOPosix
import Synchronization

/// A TCP connection on which a test sends arbitrary bytes.
package final class RawConnection: Sendable {
    package struct TimedOut: Error {
        package let received: String
    }

    private struct State {
        var bytes: [UInt8] = []
        var isOver = false
        /// Continuations to resume when their condition holds or the connection has ended.
        var waiters: [(condition: @Sendable (String) -> Bool, continuation: CheckedContinuation<Void, Never>)] = []

        var text: String { String(decoding: bytes, as: UTF8.self) }
    }

    private final class Received: Sendable {
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

    private final class Reader: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let received: Received

        init(received: Received) { self.received = received }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let buffer = unwrapInboundIn(data)
            received.change { $0.bytes += buffer.readableBytesView }
        }
        func channelInactive(context: ChannelHandlerContext) { received.change { $0.isOver = true } }
        /// Ends the connection when it is reset.
        func errorCaught(context: ChannelHandlerContext, error: any Error) { received.change { $0.isOver = true } }
    }

    private let channel: any Channel
    private let received: Received

    /// - Parameters:
    ///   - reads: True if the connection reads from the start.
    ///   - seconds: The time limit of the connection.
    package init(port: Int, reads: Bool = true, seconds: Int64 = 120) async throws {
        let received = Received()
        self.received = received
        channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .channelOption(.autoRead, value: reads)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Reader(received: received))
                }
            }
            .connect(host: "127.0.0.1", port: port).get()
        let channel = channel
        let timeout = channel.eventLoop.scheduleTask(in: .seconds(seconds)) { received.change { $0.isOver = true } }
        channel.closeFuture.whenComplete { _ in timeout.cancel() }
    }

    package func send(_ text: String) { channel.writeAndFlush(ByteBuffer(string: text), promise: nil) }

    /// Sends a number of spaces.
    package func send(spaces count: Int) {
        let chunk = ByteBuffer(repeating: UInt8(ascii: " "), count: 1 << 16)
        for _ in 0..<count / chunk.readableBytes { channel.write(chunk, promise: nil) }
        channel.write(ByteBuffer(repeating: UInt8(ascii: " "), count: count % chunk.readableBytes), promise: nil)
        channel.flush()
    }

    /// Sends a byte every few milliseconds until the connection ends.
    package func dribble(_ byte: String) {
        let channel = channel
        let task = channel.eventLoop.scheduleRepeatedTask(initialDelay: .zero, delay: .milliseconds(5)) { _ in
            channel.writeAndFlush(ByteBuffer(string: byte), promise: nil)
        }
        channel.closeFuture.whenComplete { _ in task.cancel() }
    }

    package func close() { channel.close(promise: nil) }

    /// Closes the sending direction and keeps reading.
    package func endSending() { channel.close(mode: .output, promise: nil) }

    /// Reads from now on.
    package func startReading() { channel.setOption(.autoRead, value: true).whenComplete { _ in } }

    /// The text received so far.
    package var text: String { received.state.withLock { $0.text } }

    /// Waits until a text has been received a number of times.
    ///
    /// - Returns: The text received so far.
    /// - Throws: ``TimedOut`` if the connection ends before.
    @discardableResult
    package func until(_ text: String, times: Int = 1) async throws -> String {
        let isReceived: @Sendable (String) -> Bool = { $0.ranges(of: text).count >= times }
        let all = await wait(isReceived)
        guard isReceived(all) else { throw TimedOut(received: all) }
        return all
    }

    /// Waits until the connection has ended.
    ///
    /// - Returns: The text received.
    /// - Throws: ``TimedOut`` if it doesn't end.
    package func untilEnd() async throws -> String {
        let all = await wait { _ in false }
        guard !channel.isActive else { throw TimedOut(received: all) }
        return all
    }

    private func wait(_ condition: @escaping @Sendable (String) -> Bool) async -> String {
        await withCheckedContinuation { continuation in
            received.change { $0.waiters.append((condition, continuation)) }
        }
        return received.state.withLock { $0.text }
    }
}

/// A client that sends one request and reads until the connection ends.
package enum RawClient {
    /// Sends a request and returns the text received until the connection ends.
    ///
    /// - Parameters:
    ///   - head: The request line and the fields with HTTP's line breaks, and the empty line.
    ///   - bodySize: The number of spaces to send as the body.
    /// - Throws: `TimedOut` if the connection doesn't end.
    package static func ask(port: Int, head: String, bodySize: Int, seconds: Int64 = 120) async throws -> String {
        let connection = try await RawConnection(port: port, seconds: seconds)
        defer { connection.close() }
        connection.send(head)
        connection.send(spaces: bodySize)
        return try await connection.untilEnd()
    }
}
