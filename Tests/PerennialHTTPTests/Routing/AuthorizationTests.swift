import AppStoreFormats
import HTTPTypes
import Perennial
import PerennialHTTP
import TestSupport
import Testing

/// Every route but those written down here refuses a request without credentials, in its protocol's own form.
struct AuthorizationTests {
    /// The routes that anyone may call, relative to an environment's base URL.
    private static let open: Set<String> = [
        // The state of a process, which holds no secrets, and what describes it.
        "GET /", "GET /health", "GET /ready", "GET /metrics", "GET /openapi.json",
        // Certificates are public, and so is their status.
        "GET /certificates/root.cer", "GET /certificates/receipt-root.cer", "GET /certificates/transactions-ca.cer",
        "GET /certificates/receipts-ca.cer", "POST /ocsp", "GET /ocsp/**",
        // Credentials are in the body: an account's password, a customer's, an app's shared secret, a receipt, a
        // signature.
        "POST /store/v1/devices", "POST /delivery/v1/customers/session", "POST /verifyReceipt",
        "POST /delivery/v1/grants", "POST /delivery/v1/notifications",
        // verifyReceipt answers every other method with the status of a request that wasn't posted.
        "GET /verifyReceipt", "PUT /verifyReceipt", "DELETE /verifyReceipt", "PATCH /verifyReceipt",
        "HEAD /verifyReceipt", "OPTIONS /verifyReceipt", "TRACE /verifyReceipt",
        // The signature of a link to a file, or to upload one, is in its query.
        "GET /analytics/{file}", "PUT /assets/{asset}/upload", "GET /assets/{asset}/{name}",
        // The seller's list of products.
        "GET /delivery/v1/apps/{bundleId}/products",
    ]

    private struct Route: Sendable {
        let method: HTTPRequest.Method
        let path: String

        /// The route as ``open`` names it.
        var name: String {
            var path = path
            for prefix in ["/sandbox", "/environments/{environment}"] where path.hasPrefix(prefix + "/") {
                path = String(path.dropFirst(prefix.count))
            }
            return "\(method.rawValue) \(path)"
        }

        /// The path with a value for each parameter.
        var uri: String {
            path.replacing("{environment}", with: "staging").replacing(/\{\w+\}/) { _ in "1" }
        }
    }

    private static func protected() async throws -> [Route] {
        let routes = try await DescribedServer.routes().map { Route(method: $0.method, path: $0.path) }
        let names = Set(routes.map(\.name))
        #expect(open.subtracting(names).sorted() == [], "open routes that aren't there")
        return routes.filter { !open.contains($0.name) }
    }

    /// - Parameter headers: The credentials.
    private static func expectRefusals(_ headers: HTTPFields) async throws {
        let routes = try await protected()
        #expect(routes.count > 200)
        try await DescribedServer.run { server in
            for route in routes {
                // A purchase looks its token up in its own transaction, after its body is read.
                let isPurchase = route.method == .post && route.name.hasSuffix("/purchases")
                let body = isPurchase ? Array(#"{"productId": "film.roll"}"#.utf8) : []
                let reply = try await server.send(route.method, route.uri, body, headers: headers)
                #expect(reply.status == 401, "\(route.method) \(route.path)")
                if route.name.contains("/inApps/") || route.name.contains("/advancedCommerce/") {
                    #expect(reply.body == Array("Unauthenticated".utf8), "\(route.path)")
                    #expect(reply.headers[.contentType] == "text/plain", "\(route.path)")
                } else if route.method != .head, [" /v1/", " /v2/", " /v3/"].contains(where: route.name.contains) {
                    #expect(reply["errors"]?.elements?.first?["code"] == "NOT_AUTHORIZED", "\(route.path)")
                    #expect(reply.headers[.contentType] == "application/json", "\(route.path)")
                } else if route.method != .head {
                    #expect(reply.error?["code"] == "unauthorized", "\(route.path)")
                }
            }
        }
    }

    @Test func `every protected route refuses a request without credentials`() async throws {
        try await Self.expectRefusals([:])
    }

    @Test func `every protected route refuses a token that it doesn't know`() async throws {
        try await Self.expectRefusals([.authorization: "Bearer nobody's"])
    }

    @Test(arguments: ["Basic dTpw", "Bearer", "Bearer "])
    func `every protected route refuses another scheme and an empty token`(header: String) async throws {
        try await Self.expectRefusals([.authorization: header])
    }

    @Test func `every protected route of a store refuses a token of another kind`() async throws {
        try await StoreServer.run { server in
            let device = try await server.signIn("/sandbox")
            let key = try await TestServerAPIKey(of: server.shop)
            let seller = try key.token(at: server.shop.clock.now)
            let control = StoreServer.controlToken
            for (method, path, others) in [
                (HTTPRequest.Method.get, "/sandbox/control/v1/clock", [device, seller]),
                (.get, "/sandbox/store/v1/storefront", [control, seller]),
                (.get, "/sandbox/inApps/v1/transactions/1", [control, device]),
            ] {
                for token in others {
                    #expect(try await server.ask(method, path, bearer: token).status == 401, "\(path)")
                }
            }
        }
    }
}
