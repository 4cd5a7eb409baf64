import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1

/// Hummingbird's HTTP/1.1 with a ``ConnectionGuard`` between the bytes and the application, and a ``HangUpHandler``.
struct GuardedChannel: ServerChildChannel {
    typealias Value = HTTP1Channel.Value

    let base: HTTP1Channel
    let limits: ConnectionLimits
    let connections: OpenConnections?

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        base.setup(channel: channel, logger: logger).flatMapThrowing { value in
            let pipeline = channel.pipeline.syncOperations
            let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
            let progress = RequestProgress()
            try pipeline.addHandler(FirstByteHandler(progress), position: .before(decoder))
            try pipeline.addHandler(
                ConnectionGuard(
                    limits: limits, progress: progress, connections: connections, logger: logger),
                position: .after(decoder))
            _ = try HangUpHandler.of(channel)
            return value
        }
    }

    func handle(value: Value, logger: Logger) async { await base.handle(value: value, logger: logger) }
}

/// Notes the first bytes of a request, before its head is complete.
private final class FirstByteHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let progress: RequestProgress

    init(_ progress: RequestProgress) { self.progress = progress }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        progress.bytesArrived(at: .now())
        context.fireChannelRead(data)
    }
}
