import Foundation
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import PerennialHTTP
import ServiceLifecycle
import Synchronization

/// A session's store over HTTP, on a free port of the loopback address.
final class SessionServer: Sendable {
    /// Longest time that requests get to their end after the server was stopped.
    private static let shutdownLimit = Duration.seconds(2)

    let port: Int
    private let group: ServiceGroup

    /// Starts listening.
    ///
    /// - Throws: ``SKTestError`` `.serviceUnavailable`.
    init(_ responder: some HTTPResponder<BasicConnectionContext>) async throws {
        let (ports, continuation) = AsyncThrowingStream<Int, any Error>.makeStream()
        let application = Application(
            responder: responder,
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0), serverName: nil),
            onServerRunning: { channel in
                continuation.yield(channel.localAddress?.port ?? 0)
                continuation.finish()
            }, logger: StoreHost.logger)
        var configuration = ServiceGroupConfiguration(services: [application], logger: StoreHost.logger)
        configuration.maximumGracefulShutdownDuration = Self.shutdownLimit
        let group = ServiceGroup(configuration: configuration)
        self.group = group
        Task.detached {
            do {
                try await group.run()
                continuation.finish()
            } catch {
                continuation.finish(throwing: error)
            }
        }
        do {
            var iterator = ports.makeAsyncIterator()
            guard let port = try await iterator.next(), port > 0 else {
                throw SKTestError(.serviceUnavailable, "the session's server has no port")
            }
            self.port = port
        } catch {
            Self.stop(group)
            throw SKTestError(.serviceUnavailable, "the session's server did not start: \(error)")
        }
    }

    /// Closes the port, and the connections when their requests are answered.
    func stop() { Self.stop(group) }

    deinit { Self.stop(group) }

    /// Ends the server without cancelling its task first: a cancelled server drops connections that it has accepted and not served yet,
    /// for which SwiftNIO ends the process.
    private static func stop(_ group: ServiceGroup) {
        Task.detached { await group.triggerGracefulShutdown() }
    }
}
