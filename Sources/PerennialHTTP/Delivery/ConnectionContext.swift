import Hummingbird
import Logging
import NIOCore
import NIOPosix

/// A request's context that knows the connection: what streams a large answer keeps pace with it.
package protocol ConnectionContext: RequestContext {
    var channel: any Channel { get }
}

/// The plain context with its connection.
package struct BasicConnectionContext: ConnectionContext {
    package var coreContext: CoreRequestContextStorage
    package let channel: any Channel

    package init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
    }
}

/// Waits until what was written has reached the connection.
///
/// A write returns as soon as it is queued for the connection's event loop, and only that loop learns that a client
/// takes no more. Whoever writes faster than the loop runs would queue a whole file; passing through the loop after
/// each write makes the next write wait where it should.
struct WriteBarrier: Sendable {
    private let loops: [any EventLoop]

    /// Where the context doesn't know its connection, all loops of the process are passed through.
    init(_ context: some RequestContext) {
        if let channel = (context as? any ConnectionContext)?.channel {
            loops = [channel.eventLoop]
        } else {
            loops = Array(MultiThreadedEventLoopGroup.singleton.makeIterator())
        }
    }

    func pass() async throws {
        for loop in loops { try await loop.submit {}.get() }
    }
}
