import NIOCore
import NIOPosix
import Synchronization

/// A client that says what it is told and hears all that comes, until the other side has nothing more to say.
enum RawClient {
    struct TooLate: Error {}

    /// What comes after a request, up to the end of the connection.
    ///
    /// - Parameters:
    ///   - head: With line breaks as HTTP has them, and the empty line.
    ///   - bodySize: So many bytes follow, unless the connection ends before.
    /// - Throws: ``TooLate``, where the connection doesn't end.
    static func ask(port: Int, head: String, bodySize: Int, seconds: Int64 = 120) async throws -> String {
        let heard = Heard(ended: MultiThreadedEventLoopGroup.singleton.next().makePromise(of: Void.self))
        let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Ear(heard: heard))
                }
            }
            .connect(host: "127.0.0.1", port: port).get()
        let timeout = channel.eventLoop.scheduleTask(in: .seconds(seconds)) { heard.end(TooLate()) }
        channel.write(ByteBuffer(string: head), promise: nil)
        let chunk = ByteBuffer(repeating: UInt8(ascii: " "), count: 1 << 16)
        for _ in 0..<bodySize / chunk.readableBytes { channel.write(chunk, promise: nil) }
        channel.write(ByteBuffer(repeating: UInt8(ascii: " "), count: bodySize % chunk.readableBytes), promise: nil)
        channel.flush()
        defer { channel.close(promise: nil) }
        try await heard.ended.futureResult.get()
        timeout.cancel()
        return heard.text
    }

    private final class Heard: Sendable {
        let ended: EventLoopPromise<Void>
        private let bytes = Mutex<(all: [UInt8], isOver: Bool)>(([], false))

        init(ended: EventLoopPromise<Void>) { self.ended = ended }

        var text: String { bytes.withLock { String(decoding: $0.all, as: UTF8.self) } }

        func add(_ buffer: ByteBuffer) { bytes.withLock { $0.all += buffer.readableBytesView } }

        func end(_ error: (any Error)? = nil) {
            let isFirst = bytes.withLock { state in
                defer { state.isOver = true }
                return !state.isOver
            }
            guard isFirst else { return }
            if let error { ended.fail(error) } else { ended.succeed() }
        }
    }

    private final class Ear: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let heard: Heard

        init(heard: Heard) { self.heard = heard }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) { heard.add(unwrapInboundIn(data)) }
        func channelInactive(context: ChannelHandlerContext) { heard.end() }
        /// A connection that is reset has ended as well.
        func errorCaught(context: ChannelHandlerContext, error: any Error) { heard.end() }
    }
}
