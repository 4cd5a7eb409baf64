import AsyncHTTPClient
import Logging
import PerennialHTTP

/// The HTTP clients of a server.
struct Outbound {
    /// The client for URLs of the operator.
    let client: HTTPClient
    /// The client for URLs of others: of sellers, and of redirects.
    let restricted: RestrictedClient

    var notifications: NotificationClient { NotificationClient(client: client, elsewhere: restricted) }

    /// Runs a body with the clients, and shuts them down.
    static func withClients(
        _ addresses: OutboundAddresses, logger: Logger, _ body: (Outbound) async throws -> Void
    ) async throws {
        try await withClient { client in
            try await withClient(RestrictedClient.configuration(addresses)) { restricted in
                try await body(
                    Outbound(
                        client: client,
                        restricted: RestrictedClient(client: restricted, addresses: addresses, logger: logger)))
            }
        }
    }

    /// Runs a body with a client, and shuts it down.
    /// - Parameter configuration: That of notifications if omitted.
    static func withClient(
        _ configuration: HTTPClient.Configuration = NotificationClient.clientConfiguration,
        _ body: (HTTPClient) async throws -> Void
    ) async throws {
        let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        do {
            try await body(client)
        } catch {
            // The first error is the one to report.
            try? await client.shutdown()
            throw error
        }
        try await client.shutdown()
    }
}
