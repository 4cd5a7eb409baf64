import Hummingbird
import NIOCore
import ServiceLifecycle

/// Runs what may take long, and cancels it when its caller hangs up or the server is asked to stop.
///
/// Hummingbird runs a handler to its end whatever becomes of the connection: without this, the work would go on for nobody, and
/// hold up a server that stops.
enum CallerWatch {
    /// - Throws: ``APIError`` `unavailable` where the work was cancelled.
    static func run<Value: Sendable>(
        on context: some RequestContext, _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        do {
            guard let channel = (context as? any ConnectionContext)?.channel else {
                return try await cancelWhenGracefulShutdown(work)
            }
            return try await run(on: channel, work)
        } catch is CancellationError {
            throw APIError(
                .serviceUnavailable, "unavailable",
                "the store stops, or nobody waits any more: what is done stays done",
                headers: [.retryAfter: "1"])
        }
    }

    private static func run<Value: Sendable>(
        on channel: any Channel, _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let (hangUps, told) = AsyncStream<Void>.makeStream()
        let name = "caller-watch"
        channel.eventLoop.execute {
            try? channel.pipeline.syncOperations.addHandler(HangUpHandler(told: told), name: name, position: .first)
        }
        defer {
            told.finish()
            channel.pipeline.removeHandler(name: name, promise: nil)
        }
        return try await withThrowingTaskGroup(of: Value.self) { group in
            group.addTask { try await cancelWhenGracefulShutdown(work) }
            group.addTask {
                for await _ in hangUps {}
                throw CancellationError()
            }
            defer { group.cancelAll() }
            guard let value = try await group.next() else { throw CancellationError() }
            return value
        }
    }
}

/// Tells that the other side has closed its half of the connection, or all of it.
private final class HangUpHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = NIOAny

    private let told: AsyncStream<Void>.Continuation

    init(told: AsyncStream<Void>.Continuation) { self.told = told }

    func channelInactive(context: ChannelHandlerContext) {
        told.finish()
        context.fireChannelInactive()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event as? ChannelEvent == .inputClosed { told.finish() }
        context.fireUserInboundEventTriggered(event)
    }
}
