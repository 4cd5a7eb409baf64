import Foundation
import HTTPTypes
import Hummingbird
import PerennialHTTP
import TestSupport
import Testing

/// `GET /openapi.json` says what there is, all of it and nothing else.
struct OpenAPITests {
    private struct Operation: Hashable, Comparable, CustomStringConvertible {
        var method: String
        var path: String
        var description: String { "\(method) \(path)" }
        static func < (one: Self, other: Self) -> Bool { (one.path, one.method) < (other.path, other.method) }
    }

    private static let ours = [
        "/store/v1/", "/control/v1/", "/delivery/v1/", "/health", "/ready", "/metrics", "/certificates/",
        "/openapi.json",
    ]

    /// The routes of our own protocols, each once: what every environment has, and what the process has.
    private func routes(of server: StoreServer) async throws -> Set<Operation> {
        var routes: Set<Operation> = []
        var router = PerennialRouter(
            registry: server.shop.registry, controlToken: StoreServer.controlToken, rootCertificate: [],
            delivery: DeliveryRoutes(
                delivery: try DeliveryServer.makeDelivery(), operatorToken: DeliveryServer.operatorToken),
            nanoseconds: { 0 })
        router.keys = server.shop.keys
        router.authority = try CertificateRoutesTests.authority().authority
        for route in router.make().routes {
            var path = route.path.description
            if !path.hasPrefix("/") { path = "/" + path }
            for prefix in ["/sandbox", "/environments/{environment}"] where path.hasPrefix(prefix + "/") {
                path.removeFirst(prefix.count)
            }
            path = path.replacing(/:(\w+)/) { "{\($0.1)}" }
            guard Self.ours.contains(where: { path.hasPrefix($0) }) else { continue }
            routes.insert(Operation(method: route.method.rawValue.lowercased(), path: path))
        }
        return routes
    }

    @Test func `every route of ours is described, and nothing that is none`() async throws {
        try await StoreServer.run { server in
            let reply = try await server.ask(.get, "/openapi.json")
            #expect((reply.status, reply.headers[.contentType]) == (200, "application/json"))
            let paths = try #require(reply["paths"]?.members)
            let described = Set(
                paths.flatMap { path, item in (item.members ?? [:]).keys.map { Operation(method: $0, path: path) } })
            let routes = try await routes(of: server)
            #expect(routes.subtracting(described).sorted() == [], "routes that the document leaves out")
            #expect(described.subtracting(routes).sorted() == [], "what the document invents")
        }
    }

    @Test func `every operation says what it does, what it takes and how it refuses`() async throws {
        try await StoreServer.run { server in
            let paths = try #require(try await server.ask(.get, "/openapi.json")["paths"]?.members)
            for (path, item) in paths {
                for (method, operation) in item.members ?? [:] {
                    #expect(operation["summary"]?.text?.isEmpty == false, "\(method) \(path)")
                    #expect(operation["responses"]?["default"] != nil, "\(method) \(path)")
                    let parameters = operation["parameters"]?.elements ?? []
                    let named = Set(parameters.filter { $0["in"] == "path" }.compactMap { $0["name"]?.text })
                    #expect(named == Set(path.matches(of: /\{(\w+)\}/).map { String($0.1) }), "\(method) \(path)")
                    if method == "get" || method == "delete" { #expect(operation["requestBody"] == nil, "\(path)") }
                }
            }
        }
    }

    @Test func `what control takes is described as it is decoded`() async throws {
        try await StoreServer.run { server in
            let document = try await server.ask(.get, "/openapi.json").json
            let body = document?["paths"]?["/control/v1/purchases"]?["post"]?["requestBody"]
            let schema = try #require(body?["content"]?["application/json"]?["schema"])
            #expect(schema["required"] == ["bundleId", "account", "productId"])
            #expect(schema["properties"]?["quantity"]?["type"] == "integer")
            let required = try #require(schema["required"]?.elements)
            for field in required {
                let members = ["bundleId", "account", "productId"].filter { .string($0) != field }
                let reply = try await server.control(
                    .post, "/sandbox/control/v1/purchases",
                    .object(Dictionary(uniqueKeysWithValues: members.map { ($0, JSONValue.string("x")) })))
                #expect((reply.status, reply.error?["field"]) == (400, field))
            }
        }
    }
}
