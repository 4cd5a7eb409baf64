import Foundation
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import PerennialHTTP
import Synchronization

/// A session's store over HTTP, on a free port of the loopback address.
final class SessionServer: Sendable {
    let port: Int
    private let task: Task<Void, any Error>

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
        task = Task.detached {
            do {
                try await application.run()
                continuation.finish()
            } catch {
                continuation.finish(throwing: error)
                throw error
            }
        }
        do {
            var iterator = ports.makeAsyncIterator()
            guard let port = try await iterator.next(), port > 0 else {
                throw SKTestError(.serviceUnavailable, "the session's server has no port")
            }
            self.port = port
        } catch {
            task.cancel()
            throw SKTestError(.serviceUnavailable, "the session's server did not start: \(error)")
        }
    }

    /// Closes the port and the connections.
    func stop() { task.cancel() }

    deinit { task.cancel() }
}
