import AppStoreFormats
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Perennial
import PerennialHTTP
import PerennialStorage
import PerennialStore
import TestSupport
import Testing

/// A store whose database is stopped and started again while it runs.
struct LostDatabaseTests {
    /// A protocol's request with the answer while the database is away.
    private struct Request: Sendable {
        let name: String
        let method: HTTPRequest.Method
        let path: String
        var body: JSONValue?
        let bearer: String
        /// Looks for the protocol's own error.
        let isUnavailable: @Sendable (StoreServer.Reply) -> Bool
    }

    /// Starts a PostgreSQL server and a store on it.
    private static func run(
        _ test: @escaping @Sendable (EphemeralPostgreSQL, StoreServer) async throws -> Void
    ) async throws {
        let postgres = try EphemeralPostgreSQL(
            settings: ["fsync=off", "shared_buffers=16MB", "max_connections=50"], prefersMemory: true)
        defer { postgres.stop() }
        var options = DatabaseOptions.forTests
        // A request fails after a moment instead of seconds.
        options.attemptsMax = 2
        let database = try Database(DatabaseLocation(url: postgres.makeDatabase("store")), options: options)
        try database.migrate()
        let shop = try await TestStore.open(database)
        var router = PerennialRouter(
            registry: shop.registry, controlToken: StoreServer.controlToken,
            rootCertificate: try TestSigning.identities.rootCertificate, delivery: nil, nanoseconds: { 0 })
        router.keys = shop.keys
        try await Application(router: router.make(), logger: TestStore.quiet).test(.router) { client in
            try await test(postgres, StoreServer(shop: shop, client: client))
        }
        database.close()
    }

    private static func requests(_ server: StoreServer, token: String) async throws -> [Request] {
        let now = server.shop.clock.now
        let key = try await TestServerAPIKey(of: server.shop)
        let teamKey = try await TestServerAPIKey(of: server.shop, roles: [.admin])
        let purchase: JSONValue = ["productId": "film.roll", "idempotencyKey": "k"]
        let isOurs: @Sendable (StoreServer.Reply) -> Bool = { $0.error?["code"] == "unavailable" }
        return [
            Request(
                name: "store/v1", method: .post, path: "/sandbox/store/v1/purchases", body: purchase, bearer: token,
                isUnavailable: isOurs),
            Request(
                name: "control/v1", method: .get, path: "/control/v1/environments", bearer: StoreServer.controlToken,
                isUnavailable: isOurs),
            Request(
                name: "App Store Server API", method: .get, path: "/sandbox/inApps/v1/transactions/1",
                bearer: try key.token(at: now), isUnavailable: { $0["errorCode"] == 5_000_001 }),
            Request(
                name: "App Store Connect API", method: .get, path: "/v1/apps",
                bearer: try teamKey.token(at: now, claims: ["bid": nil]),
                isUnavailable: { $0.connectCode == "UNEXPECTED_ERROR" }),
        ]
    }

    @Test func `each protocol says when to come back, and works by itself when the database does`() async throws {
        try await Self.run { postgres, server in
            let token = try await server.signIn("/sandbox")
            let requests = try await Self.requests(server, token: token)
            let receipt = try await server.shop.receipt(of: "ann")
            let verification: JSONValue = ["receipt-data": .string(Data(receipt).base64EncodedString())]
            try postgres.stopServer()
            for request in requests {
                let reply = try await server.ask(request.method, request.path, request.body, bearer: request.bearer)
                #expect(reply.status == 503, "\(request.name)")
                #expect(reply.headers[.retryAfter] == "1", "\(request.name)")
                #expect(request.isUnavailable(reply), "\(request.name): \(String(describing: reply.json))")
            }
            #expect(try await server.ask(.post, "/sandbox/verifyReceipt", verification)["status"] == 21005)
            #expect(try await server.ask(.get, "/ready").status == 503)
            #expect(try await server.ask(.get, "/health").status == 200)
            try postgres.startServer()
            for request in requests {
                let reply = try await server.ask(request.method, request.path, request.body, bearer: request.bearer)
                #expect(reply.status < 500, "\(request.name): \(String(describing: reply.json))")
            }
            #expect(try await server.ask(.post, "/sandbox/verifyReceipt", verification)["status"] == 0)
            #expect(try await server.ask(.get, "/ready").status == 200)
            // The purchase that was refused and repeated is made once.
            #expect(try await server.shop.journal().count == 1)
        }
    }
}
