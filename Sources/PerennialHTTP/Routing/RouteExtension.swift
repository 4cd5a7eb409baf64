import Hummingbird
import NIOCore
import NIOSSL

/// Routes of a part above this one: a port, so that the router doesn't know the part.
package protocol RouteExtension: Sendable {
    func add(to router: Router<BasicConnectionContext>)
}

extension ConnectionContext {
    /// Returns true if the connection is encrypted by this server.
    package func isEncrypted() async -> Bool {
        (try? await channel.pipeline.containsHandler(type: NIOSSLServerHandler.self).map { true }.get()) ?? false
    }
}
