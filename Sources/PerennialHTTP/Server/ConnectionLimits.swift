import HummingbirdCore
import NIOCore

/// What every server of ours allows a connection.
package struct ConnectionLimits: Sendable {
    /// How long one may be silent between requests. Above what clients keep a connection for, so that it is the client
    /// who lets go of it: 60 seconds are usual.
    package var idle = TimeAmount.seconds(75)
    /// From the first byte of a request to the end of its head.
    package var head = TimeAmount.seconds(20)
    /// From the end of a head to the end of the body, for one that arrives slowly. Time in which the server doesn't read
    /// doesn't count.
    package var body = TimeAmount.seconds(20)
    /// Each so many bytes of a body give its client a second more,
    package var bodyRate = 1_024
    /// up to this for the whole body.
    package var longestBody = TimeAmount.minutes(5)
    /// How long a client may take for the next 32 KiB of an answer, NIO's low watermark.
    package var answer = TimeAmount.seconds(75)
    /// How long a refused connection stays for its client to read why.
    package var lingering = TimeAmount.seconds(1)

    package init() {}

    package static var http1: HTTPServerBuilder { Self().http1() }

    /// A server of HTTP/1.1 that keeps to these limits.
    ///
    /// - Parameter connections: Knows the connections that are open.
    package func http1(_ connections: OpenConnections? = nil) -> HTTPServerBuilder {
        HTTPServerBuilder { responder in
            GuardedChannel(
                base: HTTP1Channel(responder: responder, configuration: .init(idleTimeout: idle)), limits: self,
                connections: connections)
        }
    }

    /// The precision of the limits: how often a connection is looked at.
    var tick: TimeAmount {
        min(.seconds(5), .nanoseconds(([head, body, answer].map(\.nanoseconds).min() ?? 0) / 4 + 1))
    }
}
