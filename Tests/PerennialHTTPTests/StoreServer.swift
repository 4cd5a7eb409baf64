import AppStoreFormats
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Perennial
import PerennialHTTP
import PerennialStorage
import PerennialStore
import TestSupport
import Testing

/// A whole store behind its router, without a socket.
struct StoreServer: Sendable {
    static let controlToken = "the control token"
    /// The three places in which an environment may be.
    static let places = ["", "/sandbox", "/environments/staging"]

    /// Sandbox.
    let shop: TestStore
    let client: any TestClientProtocol

    static func run<Value: Sendable>(
        on engine: Engine = .sqliteInMemory, app: App = TestCatalog.magazine(), rateLimits: RateLimits = RateLimits(),
        faults: TestFault? = nil, sender: (any NotificationSender)? = nil,
        _ test: @escaping @Sendable (StoreServer) async throws -> Value,
        configure: (inout PerennialRouter) -> Void = { _ in }
    ) async throws -> Value {
        var reach: (@Sendable (FaultPoint) throws -> Void)?
        if let faults { reach = { try faults.reach($0) } }
        let shop = try await TestStore.make(on: engine, app: app, sender: sender, faults: reach)
        _ = try await shop.registry.makeEnvironment(
            "staging", kind: .sandbox, clock: .manual, now: Instant(rfc3339: "2026-01-31T10:00:00Z"))
        return try await run(shop, rateLimits: rateLimits, test, configure: configure)
    }

    /// Runs a test against a store that is there.
    static func run<Value: Sendable>(
        _ shop: TestStore, rateLimits: RateLimits = RateLimits(),
        _ test: @escaping @Sendable (StoreServer) async throws -> Value,
        configure: (inout PerennialRouter) -> Void = { _ in }
    ) async throws -> Value {
        var router = PerennialRouter(
            registry: shop.registry, controlToken: controlToken,
            rootCertificate: try TestSigning.identities.rootCertificate,
            delivery: nil, nanoseconds: { 0 })
        router.keys = shop.keys
        router.rateLimits = rateLimits
        // Tests share their machine.
        router.requestMilliseconds = 120_000
        configure(&router)
        return try await Application(router: router.make(), logger: TestStore.quiet).test(.router) { client in
            try await test(StoreServer(shop: shop, client: client))
        }
    }

    struct Reply: Sendable {
        let status: Int
        let headers: HTTPFields
        let body: [UInt8]

        /// The body; `nil` where it is no JSON.
        var json: JSONValue? { try? JSONValue(body) }
        subscript(_ key: String) -> JSONValue? { json?[key] }
        var error: JSONValue? { self["error"] }
    }

    func ask(
        _ method: HTTPRequest.Method, _ path: String, _ json: JSONValue? = nil, bearer: String? = nil,
        headers: HTTPFields = [:]
    ) async throws -> Reply {
        try await send(method, path, try json?.encoded ?? [], bearer: bearer, headers: headers)
    }

    func send(
        _ method: HTTPRequest.Method, _ path: String, _ body: [UInt8], bearer: String? = nil, headers: HTTPFields = [:]
    ) async throws -> Reply {
        var headers = headers
        if let bearer { headers[.authorization] = "Bearer \(bearer)" }
        let response = try await client.executeRequest(
            uri: path, method: method, headers: headers, body: body.isEmpty ? nil : ByteBuffer(bytes: body))
        return Reply(
            status: response.status.code, headers: response.headers, body: Array(response.body.readableBytesView))
    }

    func control(_ method: HTTPRequest.Method, _ path: String, _ json: JSONValue? = nil) async throws -> Reply {
        try await ask(method, path, json, bearer: Self.controlToken)
    }

    /// Signs in to the magazine on the phone; in Production an account has a password.
    func signIn(_ place: String, account: String = "ann") async throws -> String {
        let password: JSONValue = place.isEmpty ? "secret" : .null
        if place.isEmpty {
            let made = try await control(
                .post, "/control/v1/accounts", ["account": .string(account), "password": password])
            #expect(made.status == 200)
        }
        let reply = try await ask(.post, "\(place)/store/v1/devices", Self.device(account, password: password))
        return try #require(reply["token"]?.text)
    }

    static func device(_ account: String, password: JSONValue = .null) -> JSONValue {
        [
            "account": .string(account), "password": password, "deviceId": .string(TestDevice.phone.id),
            "bundleId": "com.example.magazine", "applicationVersion": "2.1",
        ]
    }

    func buy(
        _ product: String, _ token: String, at place: String = "/sandbox", more: [String: JSONValue] = [:]
    ) async throws -> Reply {
        let body = JSONValue.object(more.merging(["productId": .string(product)]) { one, _ in one })
        return try await ask(.post, "\(place)/store/v1/purchases", body, bearer: token)
    }
}
