import AppStoreFormats
import Dispatch
import Foundation
import Hummingbird
import HummingbirdTesting
import Perennial
import PerennialHTTP
import PerennialStorage
import PerennialStore
import TestSupport
import Testing

/// A request has one time for all that it waits for, except for work that may take long.
struct DeadlineTests {
    /// Longer than the tests take, so that only the deadline ends a wait.
    private static let lockTimeout = 120_000
    private static let deadline = 3_000

    private static func run(_ test: @escaping @Sendable (StoreServer) async throws -> Void) async throws {
        var options = DatabaseOptions.forTests
        options.lockTimeoutMilliseconds = lockTimeout
        options.statementTimeoutMilliseconds = lockTimeout
        let database = try Engine.postgres.makeDatabase(options: options)
        let shop = try await TestStore.open(database)
        _ = try await shop.registry.makeEnvironment(
            "staging", kind: .sandbox, clock: .manual, now: Instant(rfc3339: "2026-01-31T10:00:00Z"))
        var router = PerennialRouter(
            registry: shop.registry, controlToken: StoreServer.controlToken,
            rootCertificate: try TestSigning.identities.rootCertificate, delivery: nil, nanoseconds: { 0 })
        router.requestMilliseconds = deadline
        try await Application(router: router.make(), logger: TestStore.quiet).test(.router) { client in
            try await test(StoreServer(shop: shop, client: client))
        }
        database.close()
    }

    @Test func `a purchase that waits for a lock too long is 503, and can be repeated`() async throws {
        try await Self.run { server in
            let token = try await server.signIn("/sandbox")
            let key: [String: JSONValue] = ["idempotencyKey": "k"]
            #expect(try await server.buy("film.roll", token).status == 200)
            let holder = try await LockHolder(at: server.shop.database.location) {
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
            #expect(try await server.shop.journal().count == 2)
        }
    }

    @Test func `an advance of the clock may take longer`() async throws {
        try await Self.run { server in
            let holder = try await LockHolder(at: server.shop.database.location) {
                try $0.execute("UPDATE environments SET clock_now = clock_now")
            }
            async let reply = server.control(
                .post, "/environments/staging/control/v1/clock/advance", ["by": "P1D"])
            await withCheckedContinuation { continuation in
                Thread.detachNewThread {
                    _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .milliseconds(2 * Self.deadline))
                    continuation.resume()
                }
            }
            try await holder.release()
            let answer = try await reply
            #expect(answer.status == 200)
            #expect(answer["now"]?.text == "2026-02-01T10:00:00Z")
        }
    }
}
