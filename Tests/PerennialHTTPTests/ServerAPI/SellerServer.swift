import AppStoreFormats
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Perennial
import PerennialHTTP
import PerennialStore
import Synchronization
import TestSupport

/// The App Store Server API as the magazine's server asks it, in Sandbox.
struct SellerServer: Sendable {
    let shop: TestStore
    let endpoint: AnsweringEndpoint
    let key: TestServerAPIKey
    let client: any TestClientProtocol

    static func run<Value: Sendable>(
        on engine: Engine = .sqliteInMemory, app: App = TestCatalog.magazine(),
        _ test: @escaping @Sendable (SellerServer) async throws -> Value
    ) async throws -> Value {
        let shop = try await TestStore.make(on: engine, app: app)
        let endpoint = AnsweringEndpoint()
        var router = PerennialRouter(
            registry: shop.registry, controlToken: StoreServer.controlToken, rootCertificate: [], delivery: nil,
            nanoseconds: { 0 })
        router.realtime = endpoint
        let key = try await TestServerAPIKey(of: shop)
        return try await Application(router: router.make(), logger: TestStore.quiet).test(.router) { client in
            try await test(SellerServer(shop: shop, endpoint: endpoint, key: key, client: client))
        }
    }

    func ask(_ method: HTTPRequest.Method, _ path: String, _ json: JSONValue? = nil) async throws -> StoreServer.Reply {
        try await send(method, path, try json?.encoded ?? [])
    }

    func send(_ method: HTTPRequest.Method, _ path: String, _ body: [UInt8]) async throws -> StoreServer.Reply {
        let response = try await client.executeRequest(
            uri: "/sandbox\(path)", method: method,
            headers: [.authorization: "Bearer \(try key.token(at: shop.clock.now))"],
            body: body.isEmpty ? nil : ByteBuffer(bytes: body))
        return StoreServer.Reply(
            status: response.status.code, headers: response.headers, body: Array(response.body.readableBytesView))
    }

    /// Apple's number; `nil` for what was not refused.
    func number(_ method: HTTPRequest.Method, _ path: String, _ json: JSONValue? = nil) async throws -> Int64? {
        try await ask(method, path, json)["errorCode"]?.number
    }
}

/// A seller's server that always gives one answer.
final class AnsweringEndpoint: RealtimeEndpoint {
    private let answer = Mutex<[UInt8]>([])

    func answer(_ text: String) { answer.withLock { $0 = Array(text.utf8) } }

    func post(_ body: [UInt8], to url: String, within milliseconds: Int64) async -> RealtimeExchange {
        RealtimeExchange(.answered(status: 200, body: answer.withLock { $0 }), milliseconds: 7)
    }
}
