import AsyncHTTPClient
import Foundation
import Logging
import NIOCore
import NIOPosix
import OutboundHTTP

/// Sends requests to URLs that others than the operator have named, where their addresses allow it.
///
/// The addresses of a host are checked before it is connected to. Each connection is checked again before anything is sent
/// on it, because the name server may have answered otherwise to the client.
package struct RestrictedClient: Sendable {
    package typealias Resolve =
        @Sendable (_ host: String, NIODeadline, any EventLoop) async throws -> [SocketAddress]

    private let client: HTTPClient
    private let addresses: OutboundAddresses
    private let resolve: Resolve
    private let logger: Logger?

    /// - Parameter client: Made with ``configuration(_:)`` for the same addresses, and shut down by its maker.
    package init(
        client: HTTPClient, addresses: OutboundAddresses,
        resolve: @escaping Resolve = HostResolver.addresses(of:deadline:on:), logger: Logger? = nil
    ) {
        self.client = client
        self.addresses = addresses
        self.resolve = resolve
        self.logger = logger
    }

    /// The configuration of a client for this purpose.
    package static func configuration(_ addresses: OutboundAddresses) -> HTTPClient.Configuration {
        var configuration = NotificationClient.clientConfiguration
        configuration.http1_1ConnectionDebugInitializer = { channel in
            guard !addresses.allows(channel.remoteAddress) else { return channel.eventLoop.makeSucceededVoidFuture() }
            // The pool hears of the failure first: it doesn't close what it never had.
            channel.eventLoop.execute { channel.close(promise: nil) }
            return channel.eventLoop.makeFailedFuture(ForbiddenAddress(host: channel.remoteAddress?.ipAddress ?? ""))
        }
        return configuration
    }

    /// Sends a request and reads its answer, both before a deadline.
    ///
    /// - Throws: ``ForbiddenAddress``, and what `HTTPClient.exchange` throws.
    func exchange<Value: Sendable>(
        _ request: HTTPClientRequest, deadline: NIODeadline,
        read: @escaping @Sendable (HTTPClientResponse) async throws -> Value
    ) async throws -> Value {
        do {
            try await check(request.url, deadline)
            return try await client.exchange(request, deadline: deadline, read: read)
        } catch let error as NIOConnectionError {
            // Whether something listens at a forbidden address isn't told either.
            guard error.connectionErrors.allSatisfy({ addresses.allows($0.target) }) else {
                throw refused(error.host)
            }
            throw error
        } catch is ForbiddenAddress {
            throw refused(URL(string: request.url)?.host ?? "")
        }
    }

    private func check(_ url: String, _ deadline: NIODeadline) async throws {
        guard addresses != .any, let host = URL(string: url)?.host, !host.isEmpty else { return }
        let name = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
        let found = try await resolve(name, deadline, client.eventLoopGroup.any())
        guard found.allSatisfy({ addresses.allows($0) }) else { throw ForbiddenAddress(host: name) }
    }

    private func refused(_ host: String) -> ForbiddenAddress {
        let error = ForbiddenAddress(host: host)
        logger?.notice("a request was not sent", metadata: ["reason": "\(error)"])
        return error
    }
}
