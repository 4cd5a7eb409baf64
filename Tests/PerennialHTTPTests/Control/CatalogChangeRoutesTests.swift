import HTTPTypes
import Perennial
import PerennialConnect
import PerennialHTTP
import TestSupport
import Testing

/// The catalog's journal by the control API.
struct CatalogChangeRoutesTests {
    private func rename(_ name: String, _ shop: TestStore) async throws {
        let editor = CatalogEditor(database: shop.database) { TestStore.opening }
        try await editor.edit(by: .user("ann@example.com")) { draft in
            try draft.update(101) { $0.product.referenceName = name }
        }
    }

    @Test(arguments: StoreServer.places)
    func `changes are listed with their authors and fields`(place: String) async throws {
        try await StoreServer.run { server in
            let path = "\(place)/control/v1/catalog/changes"
            let all = try await server.control(.get, path)
            let start = all["changes"]?.elements?.last?["position"]?.number ?? 0
            for name in ["one", "two", "three"] { try await rename(name, server.shop) }
            let page = try await server.control(.get, "\(path)?after=\(start)&limit=2&bundleId=com.example.magazine")
            let item = try #require(page["changes"]?.elements?.first)
            #expect(item["actor"] == "user:ann@example.com")
            #expect(item["bundleId"] == "com.example.magazine")
            #expect((item["subject"], item["kind"], item["name"]) == ("product", "changed", "film.roll"))
            #expect(item["fields"] == [["name": "referenceName", "before": "Reference film.roll", "after": "one"]])
            #expect(page["next"]?.number == start + 2)
            let last = try await server.control(.get, "\(path)?after=\(start + 2)")
            #expect(last["changes"]?.elements?.count == 1)
            #expect(last["next"] == nil)
        }
    }

    @Test(arguments: [(nil, "control"), ("ann", "command-line:ann")])
    func `an import has its author, and the file beside`(user: String?, actor: String) async throws {
        try await StoreServer.run { server in
            let path = "/control/v1/catalog/changes?after="
            let exported = try await server.control(.get, "/control/v1/catalog/export?bundleId=com.example.magazine")
            let catalog = try #require(exported["apps"]?.elements?.first?["catalog"]?.text)
            let start = try await server.control(.get, "\(path)0")["changes"]?.elements?.last?["position"]?.number ?? 0
            let body: JSONValue = [
                "catalog": .string(catalog.replacing("Reference film.roll", with: "From a file")), "file": "shop.yaml",
            ]
            let headers: HTTPFields = user.map { [.perennialUser: $0] } ?? [:]
            let reply = try await server.ask(
                .post, "/control/v1/catalog/import", body, bearer: StoreServer.controlToken, headers: headers)
            #expect(reply.status == 200)
            let items = try await server.control(.get, "\(path)\(start)")["changes"]?.elements ?? []
            #expect(items.map { $0["name"] } == ["film.roll"])
            #expect(items.first?["actor"]?.text == actor && items.first?["importedFile"] == "shop.yaml")
            #expect(items.first?["fields"]?.elements?.map { $0["name"] } == ["referenceName"])
        }
    }

    @Test func `an app of a StoreKit file keeps what such a file can't say`() async throws {
        try await StoreServer.run { server in
            func apply(_ catalog: String, _ apps: JSONValue, preview: Bool) async throws -> StoreServer.Reply {
                try await server.control(
                    .post, "/control/v1/catalog/import",
                    ["catalog": .string(catalog), "storeKitApps": apps, "preview": .bool(preview)])
            }
            let exported = try await server.control(.get, "/control/v1/catalog/export?bundleId=com.example.magazine")
            let document = try #require(exported["apps"]?.elements?.first?["catalog"]?.text)
            var catalog = try Catalog(document: document.utf8, name: "export")
            var listing = ProductListing()
            listing.reviewNote = "Use 123"
            catalog.listings[TestCatalog.bundleID, default: [:]][Product.ID(rawValue: "film.roll")] = listing
            #expect(try await apply(try catalog.document(), [], preview: false).status == 200)
            let (text, _) = try catalog.storeKitFile(of: TestCatalog.bundleID, path: "a.storekit")
            let file = try Catalog(file: Array(text.utf8), name: "a.storekit", of: catalog.apps[0]).document()
            func changes(_ apps: JSONValue) async throws -> [JSONValue?] {
                let reply = try await apply(file, apps, preview: true)
                return reply["apps"]?.elements?.first?["changes"]?.elements?.map { $0["field"] } ?? []
            }
            #expect(try await changes(["com.example.magazine", "com.example.none"]) == [])
            #expect(try await changes([]).contains("reviewNote"))
        }
    }

    @Test(arguments: [
        ("bundleId=com.example.none", 404, nil), ("after=x", 400, "after"), ("after=9999999999999999999", 400, "after"),
        ("limit=0", 400, "limit"),
    ])
    func `a wrong query is refused by its field`(query: String, status: Int, field: String?) async throws {
        try await StoreServer.run { server in
            let reply = try await server.control(.get, "/control/v1/catalog/changes?\(query)")
            #expect(reply.status == status)
            if let field { #expect(reply.error?["field"]?.text == field) }
        }
    }
}
