import Hummingbird
import HummingbirdTesting
import PerennialHTTP
import PerennialStorage
import TestSupport
import Testing

/// A request has one time for all that it waits for.
struct DeadlineTests {
    /// Longer than the test takes, so that only the deadline ends a wait.
    private static let lockTimeout = 120_000

    @Test func `a purchase that waits for a lock too long is 503, and can be repeated`() async throws {
        var options = DatabaseOptions.forTests
        options.lockTimeoutMilliseconds = Self.lockTimeout
        options.statementTimeoutMilliseconds = Self.lockTimeout
        let database = try Engine.postgres.makeDatabase(options: options)
        let shop = try await TestStore.open(database)
        var router = PerennialRouter(
            registry: shop.registry, controlToken: StoreServer.controlToken,
            rootCertificate: try TestSigning.identities.rootCertificate, delivery: nil, nanoseconds: { 0 })
        router.requestMilliseconds = 3_000
        try await Application(router: router.make(), logger: TestStore.quiet).test(.router) { client in
            let server = StoreServer(shop: shop, client: client)
            let token = try await server.signIn("/sandbox")
            let key: [String: JSONValue] = ["idempotencyKey": "k"]
            #expect(try await server.buy("film.roll", token).status == 200)
            let holder = try await LockHolder(at: database.location) {
                try $0.execute("UPDATE customers SET revision = revision")
            }
            let start = ContinuousClock.now
            let reply = try await server.buy("film.roll", token, more: key)
            #expect(ContinuousClock.now - start < .milliseconds(Self.lockTimeout / 2))
            #expect(reply.status == 503)
            #expect(reply.headers[.retryAfter] == "1")
            #expect(reply.error?["code"] == "unavailable")
            try await holder.release()
            #expect(try await server.buy("film.roll", token, more: key).status == 200)
            #expect(try await server.buy("film.roll", token, more: key).status == 200)
            #expect(try await shop.journal().count == 2)
        }
        database.close()
    }
}
