import AsyncHTTPClient
import PerennialHTTP

/// What the store sends of its own accord.
enum Outbound {
    /// Lends a client for as long as a body runs.
    static func withClient(_ body: (HTTPClient) async throws -> Void) async throws {
        let client = HTTPClient(
            eventLoopGroupProvider: .singleton, configuration: NotificationClient.clientConfiguration)
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
