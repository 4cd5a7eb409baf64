import HTTPTypes
import Perennial
import PerennialConnect
import PerennialHTTP
import TestSupport
import Testing

/// A resource that another one names.
struct ConnectLink {
    let type: String
    let id: String

    init(_ type: String, _ id: String) {
        (self.type, self.id) = (type, id)
    }

    var json: JSONValue { ["type": .string(type), "id": .string(id)] }
}

extension ConnectServer {
    static let magazine = "1234567"

    /// Creates a resource in Sandbox.
    func create(
        _ path: String, _ attributes: [String: JSONValue] = [:], _ relationships: [String: ConnectLink] = [:],
        lists: [String: [ConnectLink]] = [:], as other: TestServerAPIKey? = nil
    ) async throws -> StoreServer.Reply {
        var members: [String: JSONValue] = ["type": .string(Self.type(path))]
        if !attributes.isEmpty { members["attributes"] = .object(attributes) }
        var related = relationships.mapValues { JSONValue.object(["data": $0.json]) }
        for (name, links) in lists { related[name] = ["data": .array(links.map(\.json))] }
        if !related.isEmpty { members["relationships"] = .object(related) }
        return try await ask(.post, "/sandbox/\(path)", ["data": .object(members)], as: other)
    }

    /// Changes attributes of a resource in Sandbox.
    func change(_ path: String, _ id: String, _ attributes: [String: JSONValue]) async throws -> StoreServer.Reply {
        try await ask(
            .patch, "/sandbox/\(path)/\(id)",
            ["data": ["type": .string(Self.type(path)), "id": .string(id), "attributes": .object(attributes)]])
    }

    func remove(_ path: String, _ id: String) async throws -> StoreServer.Reply {
        try await ask(.delete, "/sandbox/\(path)/\(id)")
    }

    func read(_ path: String) async throws -> StoreServer.Reply { try await get("/sandbox/\(path)") }

    /// Creates a consumable and returns its ID.
    func makeProduct(_ id: String = "coins") async throws -> String {
        let reply = try await create(
            "v2/inAppPurchases",
            ["name": "Coins", "productId": .string(id), "inAppPurchaseType": "CONSUMABLE"],
            ["app": ConnectLink("apps", Self.magazine)])
        return try #require(reply.data?["id"]?.text)
    }

    /// Returns the Apple ID of a product of the catalog.
    func appleID(_ product: String) async throws -> String {
        let editor = CatalogEditor(database: shop.database) { TestStore.opening }
        let found = try await editor.read { try $0.product(Product.ID(rawValue: product), app: 1_234_567)?.appleID }
        return String(try #require(found))
    }

    private static func type(_ path: String) -> String { String(path.split(separator: "/").last ?? "") }
}

extension StoreServer.Reply {
    var attributes: [String: JSONValue] { data?["attributes"]?.members ?? [:] }
    var ids: [String] { data?.elements?.compactMap { $0["id"]?.text } ?? [] }
    var pointer: String? { connectError?["source"]?["pointer"]?.text }

    /// An attribute of each resource of a list.
    func values(_ attribute: String) -> [String] {
        data?.elements?.compactMap { $0["attributes"]?[attribute]?.text } ?? []
    }
}
