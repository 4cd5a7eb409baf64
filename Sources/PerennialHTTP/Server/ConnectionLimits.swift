import HummingbirdCore
import NIOCore

/// What every server of ours allows a connection.
package enum ConnectionLimits {
    /// How long one may be silent between requests, or within one. Above what clients keep a connection for, so that
    /// it is the client who lets go of it: 60 seconds are usual.
    package static let idle = TimeAmount.seconds(75)

    package static var http1: HTTPServerBuilder { .http1(configuration: .init(idleTimeout: idle)) }
}
