import HummingbirdCore
import NIOCore

/// Time limits of a connection to a server of ours.
package struct ConnectionLimits: Sendable {
    /// The longest silence between requests. Longer than the 60 seconds for which clients usually keep a connection, so
    /// that the client closes it.
    package var idle = TimeAmount.seconds(75)
    /// The time from the first byte of a request to the end of its head.
    package var head = TimeAmount.seconds(20)
    /// The time from the end of a head to the end of the body, for one that arrives slowly. Time in which the server doesn't read
    /// doesn't count.
    package var body = TimeAmount.seconds(20)
    /// The bytes of a body that give its client a second more, up to ``longestBody``.
    package var bodyRate = 1_024
    /// The longest time for a whole body.
    package var longestBody = TimeAmount.minutes(5)
    /// The longest time for a client to take the next 32 KiB of an answer, NIO's low watermark.
    package var answer = TimeAmount.seconds(75)
    /// The time that a refused connection stays open, for its client to read the refusal.
    package var lingering = TimeAmount.seconds(1)

    package init() {}

    package static var http1: HTTPServerBuilder { Self().http1() }

    /// Makes a server of HTTP/1.1 that keeps to these limits.
    ///
    /// - Parameter connections: Knows the connections that are open.
    package func http1(_ connections: OpenConnections? = nil) -> HTTPServerBuilder {
        HTTPServerBuilder { responder in
            GuardedChannel(
                base: HTTP1Channel(responder: responder, configuration: .init(idleTimeout: idle)), limits: self,
                connections: connections)
        }
    }

    /// The interval at which a connection is checked: the precision of the limits.
    var tick: TimeAmount {
        min(.seconds(5), .nanoseconds(([head, body, answer].map(\.nanoseconds).min() ?? 0) / 4 + 1))
    }
}
