import AsyncHTTPClient
import PerennialHTTP

/// What a server sends of its own accord.
enum Outbound {
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
