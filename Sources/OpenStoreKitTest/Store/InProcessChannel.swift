import NIOCore

/// A connection of a request that doesn't come over one: what the routes ask a connection for, an event loop and a pipeline.
///
/// `@unchecked`: the only mutable property is set in `init`.
final class InProcessChannel: Channel, ChannelCore, @unchecked Sendable {
    let eventLoop: any EventLoop
    let closeFuture: EventLoopFuture<Void>
    let allocator = ByteBufferAllocator()
    /// Unwrapped, because it refers to this channel.
    private var ownPipeline: ChannelPipeline!

    init(eventLoop: any EventLoop) {
        self.eventLoop = eventLoop
        // Never closed: it doesn't begin or end with a request.
        let promise = eventLoop.makePromise(of: Void.self)
        closeFuture = promise.futureResult
        ownPipeline = ChannelPipeline(channel: self)
        promise.succeed()
    }

    var pipeline: ChannelPipeline { ownPipeline }
    var localAddress: SocketAddress? { nil }
    var remoteAddress: SocketAddress? { nil }
    var parent: (any Channel)? { nil }
    var isWritable: Bool { true }
    var isActive: Bool { true }
    var _channelCore: any ChannelCore { self }

    func setOption<Option: ChannelOption>(_ option: Option, value: Option.Value) -> EventLoopFuture<Void> {
        eventLoop.makeFailedFuture(ChannelError.operationUnsupported)
    }

    func getOption<Option: ChannelOption>(_ option: Option) -> EventLoopFuture<Option.Value> {
        eventLoop.makeFailedFuture(ChannelError.operationUnsupported)
    }

    // MARK: ChannelCore

    func localAddress0() throws -> SocketAddress { throw ChannelError.operationUnsupported }
    func remoteAddress0() throws -> SocketAddress { throw ChannelError.operationUnsupported }
    func register0(promise: EventLoopPromise<Void>?) { promise?.fail(ChannelError.operationUnsupported) }
    func registerAlreadyConfigured0(promise: EventLoopPromise<Void>?) {
        promise?.fail(ChannelError.operationUnsupported)
    }
    func bind0(to: SocketAddress, promise: EventLoopPromise<Void>?) { promise?.fail(ChannelError.operationUnsupported) }
    func connect0(to: SocketAddress, promise: EventLoopPromise<Void>?) {
        promise?.fail(ChannelError.operationUnsupported)
    }
    func write0(_ data: NIOAny, promise: EventLoopPromise<Void>?) { promise?.fail(ChannelError.operationUnsupported) }
    func flush0() {}
    func read0() {}
    func close0(error: any Error, mode: CloseMode, promise: EventLoopPromise<Void>?) { promise?.succeed() }
    func triggerUserOutboundEvent0(_ event: Any, promise: EventLoopPromise<Void>?) {
        promise?.fail(ChannelError.operationUnsupported)
    }
    func channelRead0(_ data: NIOAny) {}
    func errorCaught0(error: any Error) {}
}
