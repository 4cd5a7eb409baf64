import HTTPTypes
import Hummingbird
import HummingbirdTesting
import PerennialHTTP
import PerennialStorage
import PerennialStore
import TestSupport
import Testing

/// `GET /health`: it lives. `GET /ready`: it can sell.
struct ReadinessTests {
    private static func run(
        _ shop: TestStore, limit: (@Sendable () async throws -> Void)? = nil,
        _ test: @escaping @Sendable (any TestClientProtocol) async throws -> Void
    ) async throws {
        var router = PerennialRouter(
            registry: shop.registry, controlToken: StoreServer.controlToken, rootCertificate: [], delivery: nil,
            nanoseconds: { 0 })
        if let limit { router.readinessLimit = limit }
        try await Application(router: router.make(), logger: TestStore.quiet).test(.router, test)
    }

    private static func get(_ client: any TestClientProtocol, _ path: String) async throws -> (Int, String) {
        let response = try await client.executeRequest(uri: path, method: .get, headers: [:], body: nil)
        return (response.status.code, String(buffer: response.body))
    }

    @Test(arguments: Engine.allCases)
    func `a store that can sell is ready, until its database is closed`(engine: Engine) async throws {
        let shop = try await TestStore.make(on: engine)
        try await Self.run(shop) { client in
            #expect(try await Self.get(client, "/ready") == (200, #"{"status":"ready"}"#))
            #expect(try await Self.get(client, "/metrics").1.contains("\nperennial_ready 1\n"))
            shop.database.close()
            let (status, body) = try await Self.get(client, "/ready")
            #expect(status == 503)
            #expect(body.contains(#""code":"closed""#))
            #expect(try await Self.get(client, "/health").0 == 200)
            let metrics = try await Self.get(client, "/metrics")
            #expect(metrics.0 == 200 && metrics.1.contains("\nperennial_ready 0\n"))
        }
    }

    @Test func `a database that doesn't answer is told in time`() async throws {
        let gate = CommitGate()
        let shop = try await TestStore.make(faults: { gate.reach($0) })
        gate.arm()
        async let sale = shop.buy("film.roll", as: "ann")
        await gate.untilReached()
        try await Self.run(shop, limit: {}) { client in
            let (status, body) = try await Self.get(client, "/ready")
            #expect(status == 503 && body.contains(#""code":"unresponsive""#))
            #expect(try await Self.get(client, "/health").0 == 200)
            #expect(try await Self.get(client, "/metrics").1.contains("\nperennial_ready 0\n"))
        }
        gate.open()
        _ = try await sale
    }
}
