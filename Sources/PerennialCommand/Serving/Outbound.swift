import AsyncHTTPClient
import Logging
import PerennialHTTP

/// What a server sends of its own accord.
struct Outbound {
    /// Sends to the URLs that the operator has named.
    let client: HTTPClient
    /// Sends to those that others have named: sellers with their keys, and receivers with redirects.
    let restricted: RestrictedClient

    var notifications: NotificationClient { NotificationClient(client: client, elsewhere: restricted) }

    /// Lends the clients for as long as a body runs.
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

    /// Lends a client for as long as a body runs.
    /// - Parameter configuration: How it is made; for notifications where left out.
    static func withClient(
        _ configuration: HTTPClient.Configuration = NotificationClient.clientConfiguration,
        _ body: (HTTPClient) async throws -> Void
    ) async throws {
        let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        do {
            try await body(client)
        } catch {
            // What went wrong first is what is told.
            try? await client.shutdown()
            throw error
        }
        try await client.shutdown()
    }
}
