import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import PerennialHTTP

/// `GET /openapi.json` says what there is, all of it and nothing else.
struct OpenAPITests {
    /// The routes that the document leaves out: Apple describes its protocols, RFC 6960 OCSP, and a page is for people.
    private static let undescribed = [
        "/verifyReceipt", "/inApps/", "/advancedCommerce/", "/v1/", "/v2/", "/v3/", "/analytics/", "/assets/", "/ocsp",
    ]

    /// The routes of our own protocols, each once: without the environments that have the same.
    private static func ourRoutes() async throws -> Set<String> {
        var routes: Set<String> = []
        for (method, path) in try await DescribedServer.routes() {
            let path = environmentPath(path)
            guard path != "/", !undescribed.contains(where: { path.hasPrefix($0) }) else { continue }
            routes.insert("\(method.rawValue) \(path)")
        }
        return routes
    }

    private static func environmentPath(_ path: String) -> String {
        for prefix in ["/sandbox", "/environments/{environment}"] where path.hasPrefix(prefix + "/") {
            return String(path.dropFirst(prefix.count))
        }
        return path
    }

    private static func operations(of document: JSONValue) throws -> [(name: String, operation: JSONValue)] {
        try #require(document["paths"]?.members).flatMap { path, item in
            (item.members ?? [:]).map { (name: "\($0.key.uppercased()) \(path)", operation: $0.value) }
        }
    }

    private static func document() async throws -> JSONValue {
        try await DescribedServer.run { server in
            let reply = try await server.ask(.get, "/openapi.json")
            #expect((reply.status, reply.headers[.contentType]) == (200, "application/json"))
            return try #require(reply.json)
        }
    }

    @Test func `every route of ours is described, and no other`() async throws {
        let described = Set(try Self.operations(of: try await Self.document()).map(\.name))
        let routes = try await Self.ourRoutes()
        #expect(routes.subtracting(described).sorted() == [], "routes that the document leaves out")
        #expect(described.subtracting(routes).sorted() == [], "operations without a route")
    }

    @Test func `each environment has the same routes`() async throws {
        var routes: [String: Set<String>] = [:]
        for (method, path) in try await DescribedServer.routes() {
            let place = path.split(separator: "/").first.map(String.init) ?? ""
            let isEnvironments = ["sandbox", "environments"].contains(place)
            routes[isEnvironments ? place : "", default: []].insert("\(method.rawValue) \(Self.environmentPath(path))")
        }
        let sandbox = try #require(routes["sandbox"])
        #expect(routes["environments"] == sandbox)
        #expect(sandbox.isSubset(of: try #require(routes[""])))
    }

    @Test func `an operation has a summary, parameters, answers and refusals`() async throws {
        for (name, operation) in try Self.operations(of: try await Self.document()) {
            #expect(operation["summary"]?.text?.isEmpty == false, "\(name)")
            let statuses = try #require(operation["responses"]?.members).keys.compactMap { Int($0) }
            #expect(statuses.contains { (200..<300).contains($0) }, "\(name)")
            #expect(statuses.contains(503), "\(name)")
            #expect(operation["security"] == nil || statuses.contains(401), "\(name)")
            let parameters = operation["parameters"]?.elements ?? []
            let named = Set(parameters.filter { $0["in"] == "path" }.compactMap { $0["name"]?.text })
            #expect(named == Set(name.matches(of: /\{(\w+)\}/).map { String($0.1) }), "\(name)")
            let hasBody = operation["requestBody"] != nil
            #expect(!hasBody || statuses.contains(400), "\(name)")
            if name.hasPrefix("GET") || name.hasPrefix("DELETE") { #expect(!hasBody, "\(name)") }
        }
    }

    @Test func `refusals have the body of an error, except for HEAD`() async throws {
        for (name, operation) in try Self.operations(of: try await Self.document()) {
            let refusal = try #require(operation["responses"]?["503"])
            #expect((refusal["content"] == nil) == name.hasPrefix("HEAD "), "\(name)")
        }
    }

    @Test func `every property has a type, and every reference a target`() async throws {
        let document = try await Self.document()
        let components = try #require(document["components"]?["schemas"]?.members)
        var schemas = components.map { (place: $0.key, schema: $0.value) }
        for (name, operation) in try Self.operations(of: document) {
            schemas += (operation["parameters"]?.elements ?? []).compactMap { parameter in
                parameter["schema"].map { ("\(name) \(parameter["name"]?.text ?? "")", $0) }
            }
            let bodies = [operation["requestBody"]] + (operation["responses"]?.members ?? [:]).values.map(Optional.some)
            schemas += bodies.flatMap { ($0?["content"]?.members ?? [:]).values }.compactMap { content in
                content["schema"].map { (name, $0) }
            }
        }
        #expect(schemas.count > 200)
        let found = schemas.flatMap { Self.undescribed($0.schema, at: $0.place, components) }
        #expect(found == [])
    }

    /// Returns the places below a schema that say nothing of their values.
    ///
    /// The ways of a rule of several fields repeat properties of the object that has the rule.
    private static func undescribed(
        _ schema: JSONValue, at place: String, _ components: [String: JSONValue]
    ) -> [String] {
        if let reference = schema["$ref"]?.text {
            let isKnown = components.keys.contains { reference == "#/components/schemas/\($0)" }
            return isKnown ? [] : ["\(place): \(reference)"]
        }
        let ways = (schema["anyOf"]?.elements ?? []).filter { $0["properties"] == nil || $0["type"] != nil }
        guard schema["type"] != nil || !ways.isEmpty else { return ["\(place): no type"] }
        var found = ways.flatMap { undescribed($0, at: place, components) }
        let types = schema["type"]?.elements?.compactMap(\.text) ?? [schema["type"]?.text].compactMap(\.self)
        if types.contains("object"), schema["properties"] == nil, schema["additionalProperties"] == nil {
            found.append("\(place): an object of nothing")
        }
        if types.contains("array") {
            found += schema["items"].map { undescribed($0, at: "\(place)[]", components) } ?? ["\(place): no items"]
        }
        for (name, property) in schema["properties"]?.members ?? [:] {
            found += undescribed(property, at: "\(place).\(name)", components)
        }
        if let values = schema["additionalProperties"], values.members != nil {
            found += undescribed(values, at: "\(place){}", components)
        }
        return found
    }

    @Test func `operation IDs are unique`() async throws {
        let names = try Self.operations(of: try await Self.document()).compactMap { $0.operation["operationId"]?.text }
        #expect(names.count > 80)
        #expect(Set(names).count == names.count)
    }

    @Test func `a purchase is described as it is decoded`() async throws {
        let document = try await Self.document()
        let body = document["paths"]?["/control/v1/purchases"]?["post"]?["requestBody"]
        let schema = try #require(body?["content"]?["application/json"]?["schema"])
        #expect(schema["required"] == ["bundleId", "account", "productId"])
        #expect(schema["properties"]?["quantity"]?["type"] == ["integer", "null"])
        #expect(schema["properties"]?["quantity"]?["maximum"] == 10)
        #expect(schema["additionalProperties"] == false)
        try await StoreServer.run { server in
            for field in try #require(schema["required"]?.elements) {
                let members = ["bundleId", "account", "productId"].filter { .string($0) != field }
                let reply = try await server.control(
                    .post, "/sandbox/control/v1/purchases",
                    .object(Dictionary(uniqueKeysWithValues: members.map { ($0, JSONValue.string("x")) })))
                #expect((reply.status, reply.error?["field"]) == (400, field))
            }
        }
    }

    @Test func `statuses other than 200 are described`() async throws {
        let paths = try #require(try await Self.document()["paths"])
        let made = paths["/control/v1/families"]?["post"]?["responses"]
        #expect(made?["201"] != nil && made?["200"] == nil)
        let bought = paths["/store/v1/purchases"]?["post"]?["responses"]
        #expect(bought?["200"] != nil && bought?["202"] != nil && bought?["402"] != nil)
        #expect(paths["/control/v1/reset"]?["post"]?["responses"]?["204"]?["content"] == nil)
    }

    @Test func `the forms of an offer are described`() async throws {
        let body = try await Self.document()["paths"]?["/store/v1/purchases"]?["post"]?["requestBody"]
        let offer = body?["content"]?["application/json"]?["schema"]?["properties"]?["offer"]
        let forms = try #require(offer?["anyOf"]?.elements?.first?["anyOf"]?.elements)
        #expect(forms.compactMap { $0["required"]?.elements?.count } == [5, 1, 1])
    }
}
