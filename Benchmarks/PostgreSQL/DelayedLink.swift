import Foundation
import NIOCore
import NIOPosix
import PerennialStorage

/// A relay to a PostgreSQL server that delivers every byte later, in both directions: a network between nodes and database.
///
/// It stands in for `tc netem`, which needs root and a kernel module. Its own work, two copies and a timer for each message,
/// is processor time that a network doesn't take.
struct DelayedLink: Sendable {
    /// The database's location behind the delay.
    let location: DatabaseLocation

    /// Runs a body beside a relay, which ends with it.
    ///
    /// - Parameter delay: Of each direction: a round trip takes twice as long.
    static func run<Value>(
        to database: DatabaseLocation, delay: TimeAmount, _ body: (DelayedLink) async throws -> Value
    ) async throws -> Value {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let socket = try BenchmarkPostgreSQL.socket(database)
        let listening = try await ServerBootstrap(group: group)
            .childChannelOption(.socketOption(.tcp_nodelay), value: 1)
            .childChannelOption(.autoRead, value: false)
            .childChannelInitializer { node in
                connect(node, to: socket, delay)
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let name = try BenchmarkPostgreSQL.url(database).split(separator: "/").last ?? ""
        let url =
            "postgres://perennial@127.0.0.1:\(listening.localAddress?.port ?? 0)/\(name)?sslmode=disable&gssencmode=disable"
        do {
            let value = try await body(DelayedLink(location: .postgres(url: url)))
            try await listening.close().get()
            try await group.shutdownGracefully()
            return value
        } catch {
            try? await listening.close().get()
            try? await group.shutdownGracefully()
            throw error
        }
    }

    /// Connects a node's connection with one to the server on the same event loop.
    private static func connect(_ node: any Channel, to socket: String, _ delay: TimeAmount) -> EventLoopFuture<Void> {
        ClientBootstrap(group: node.eventLoop)
            .channelOption(.autoRead, value: false)
            .connect(unixDomainSocketPath: socket)
            .flatMapThrowing { server in
                try node.pipeline.syncOperations.addHandler(DelayHandler(to: server, delay))
                try server.pipeline.syncOperations.addHandler(DelayHandler(to: node, delay))
                for channel in [node, server] { try channel.syncOptions?.setOption(.autoRead, value: true) }
            }
    }
}

/// Writes what one channel reads to another, later, in the order in which it was read.
private final class DelayHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let other: any Channel
    private let delay: TimeAmount
    /// Messages under way, oldest first: two timers with one deadline may fire in any order.
    private var messages: [ByteBuffer] = []

    init(to other: any Channel, _ delay: TimeAmount) {
        (self.other, self.delay) = (other, delay)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        messages.append(unwrapInboundIn(data))
        context.eventLoop.assumeIsolated().scheduleTask(in: delay) { [self] in
            _ = other.writeAndFlush(messages.removeFirst())
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        let other = other
        context.eventLoop.scheduleTask(in: delay) { other.close(promise: nil) }
    }
}
