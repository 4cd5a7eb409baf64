import Foundation
import HTTPTypes
import Perennial
import TestSupport
import Testing

/// Documents that the engine makes: pages, sparse fields, included resources, relationships (docs/reference/connect-api.md,
/// "Conventions").
struct ConnectDocumentTests {
    private static let products = "/sandbox/v1/apps/1234567/inAppPurchasesV2"

    /// Leads a link of an answer back to a path.
    private static func path(of link: JSONValue?) throws -> String {
        let text = try #require(link?.text)
        return String(text[try #require(text.range(of: "/sandbox/")).lowerBound...])
    }

    @Test(arguments: Engine.allCases)
    func `a list is read page by page, each resource once`(engine: Engine) async throws {
        try await ConnectServer.run(on: engine) { connect in
            var (path, ids): (String?, [String]) = ("\(Self.products)?limit=3&fields[inAppPurchases]=name", [])
            while let next = path {
                let page = try await connect.get(next)
                #expect(page.status == 200)
                #expect(page["meta"]?["paging"]?["total"] == 7 && page["meta"]?["paging"]?["limit"] == 3)
                ids += page.data?.elements?.compactMap { $0["id"]?.text } ?? []
                path = try page["links"]?["next"].map { try Self.path(of: $0) }
            }
            #expect(ids.count == 7 && Set(ids).count == 7)
        }
    }

    @Test func `a resource has all attributes, links, and no data of what isn't included`() async throws {
        try await ConnectServer.run { connect in
            let reply = try await connect.get("/sandbox/v2/inAppPurchases/101")
            let attributes = try #require(reply.data?["attributes"]?.members)
            #expect(attributes["productId"] == "film.roll" && attributes["inAppPurchaseType"] == "CONSUMABLE")
            #expect(attributes["contentHosting"] == .null && attributes.count == 7)
            let texts = try #require(reply.data?["relationships"]?["inAppPurchaseLocalizations"]?.members)
            #expect(Set(texts.keys) == ["links"])
            let own = try #require(texts["links"]?["self"]?.text)
            #expect(own.hasSuffix("/sandbox/v2/inAppPurchases/101/relationships/inAppPurchaseLocalizations"))
            #expect(reply["included"] == nil)
        }
    }

    @Test func `included resources come once, up to the relationship's limit`() async throws {
        try await ConnectServer.run { connect in
            let query =
                "include=inAppPurchaseLocalizations,inAppPurchaseAvailability&limit[inAppPurchaseLocalizations]=2"
            let reply = try await connect.get("/sandbox/v2/inAppPurchases/101?\(query)")
            let texts = try #require(reply.data?["relationships"]?["inAppPurchaseLocalizations"])
            #expect(texts["data"]?.elements?.count == 2)
            #expect(texts["meta"] == ["paging": ["total": 3, "limit": 2]])
            let included = try #require(reply["included"]?.elements)
            #expect(included.filter { $0["type"] == "inAppPurchaseLocalizations" }.count == 2)
            #expect(Set(included.compactMap { $0["id"]?.text }).count == included.count)
            #expect(included.allSatisfy { $0["links"]?["self"]?.text != nil && $0["attributes"] != nil })
            #expect(reply.data?["relationships"]?["inAppPurchaseAvailability"]?.members?.keys.contains("data") == true)
        }
    }

    @Test func `fields limit each type's members`() async throws {
        try await ConnectServer.run { connect in
            let query =
                "include=inAppPurchaseLocalizations&fields[inAppPurchases]=name,inAppPurchaseLocalizations"
                + "&fields[inAppPurchaseLocalizations]=locale"
            let reply = try await connect.get("/sandbox/v2/inAppPurchases/101?\(query)")
            #expect(Set(reply.data?["attributes"]?.members?.keys.map { $0 } ?? []) == ["name"])
            #expect(
                Set(reply.data?["relationships"]?.members?.keys.map { $0 } ?? []) == ["inAppPurchaseLocalizations"])
            for text in reply["included"]?.elements ?? [] {
                #expect(Set(text["attributes"]?.members?.keys.map { $0 } ?? []) == ["locale"])
            }
        }
    }

    @Test func `lists are sorted both ways and filtered by attributes`() async throws {
        try await ConnectServer.run { connect in
            func names(_ query: String) async throws -> [String] {
                let reply = try await connect.get("\(Self.products)?\(query)")
                return reply.data?.elements?.compactMap { $0["attributes"]?["name"]?.text } ?? []
            }
            let sorted = try await names("sort=name")
            #expect(sorted == sorted.sorted() && sorted.count == 7)
            #expect(try await names("sort=-name") == sorted.reversed())
            #expect(try await names("filter[productId]=film.roll") == ["Reference film.roll"])
            #expect(try await names("filter[name]=Reference+retired,Reference+draft&sort=name").count == 2)
            #expect(try await names("filter[inAppPurchaseType]=NON_RENEWING_SUBSCRIPTION").count == 2)
            #expect(try await names("filter[state]=IN_REVIEW") == [])
        }
    }

    @Test func `linkages are types and IDs alone`() async throws {
        try await ConnectServer.run { connect in
            let path = "/sandbox/v2/inAppPurchases/101/relationships/inAppPurchaseLocalizations"
            let reply = try await connect.get(path)
            #expect(reply["meta"]?["paging"]?["total"] == 3)
            for linkage in reply.data?.elements ?? [] {
                #expect(Set(linkage.members?.keys.map { $0 } ?? []) == ["type", "id"])
            }
            let grace = try await connect.get("/sandbox/v1/apps/1234567/relationships/subscriptionGracePeriod")
            #expect(grace.data == ["type": "subscriptionGracePeriods", "id": "1234567"])
        }
    }

    @Test func `an unknown parent isn't found, and a refused operation says why`() async throws {
        try await ConnectServer.run { connect in
            let unknown = try await connect.get("/v1/apps/99/inAppPurchasesV2")
            #expect((unknown.status, unknown.connectCode) == (404, "NOT_FOUND"))
            for (method, path, word) in [
                (HTTPRequest.Method.get, "/v1/apps/1234567/inAppPurchases", "GET_RELATED"),
                (.get, "/v1/webhooks/1", "GET_INSTANCE"),
                (.get, "/v1/apps/1234567/builds", "GET"), (.get, "/v1/customerReviews/1", "GET"),
                (.get, "/v1/territories/USA", "GET_INSTANCE"), (.delete, "/v1/apps/1234567", "DELETE"),
            ] {
                let reply = try await connect.ask(method, path)
                #expect((reply.status, reply.connectCode) == (403, "FORBIDDEN_ERROR"), "\(path)")
                #expect(reply.connectError?["detail"]?.text?.contains("does not allow '\(word)'") == true, "\(path)")
            }
        }
    }

    @Test func `a HEAD has the headers of the GET`() async throws {
        try await ConnectServer.run { connect in
            let (head, get) = (
                try await connect.ask(.head, "/v1/apps/1234567"), try await connect.get("/v1/apps/1234567")
            )
            #expect(head.status == 200 && head.body.isEmpty)
            #expect(head.headers[.contentLength] == get.headers[.contentLength])
        }
    }

    @Test(arguments: Engine.allCases)
    func `a change, another host and another caller get answers of their own`(engine: Engine)
        async throws
    {
        try await ConnectServer.run(on: engine) { connect in
            let path = "/sandbox/v2/inAppPurchases/101"
            func name(_ headers: HTTPFields = [:]) async throws -> StoreServer.Reply {
                try await connect.ask(.get, path, headers: headers)
            }
            #expect(try await name().data?["attributes"]?["name"] == "Reference film.roll")
            let secure: HTTPFields = [try #require(HTTPField.Name("X-Forwarded-Proto")): "https"]
            #expect(try await name(secure)["links"]?["self"]?.text?.hasPrefix("https://") == true)
            #expect(try await name()["links"]?["self"]?.text?.hasPrefix("http://") == true)
            let changed = try await connect.ask(
                .patch, path,
                ["data": ["type": "inAppPurchases", "id": "101", "attributes": ["name": "A roll of film"]]])
            #expect(changed.status == 200)
            #expect(changed.data?["attributes"]?["name"] == "A roll of film")
            #expect(try await name().data?["attributes"]?["name"] == "A roll of film")
        }
    }

    @Test func `a body for another resource changes nothing`() async throws {
        try await ConnectServer.run { connect in
            for data: JSONValue in [
                ["type": "inAppPurchases", "id": "102"], ["type": "inAppPurchases"],
                ["type": "subscriptions", "id": "101"],
            ] {
                let reply = try await connect.ask(.patch, "/sandbox/v2/inAppPurchases/101", ["data": data])
                #expect((reply.status, reply.connectCode) == (422, "ENTITY_UNPROCESSABLE"))
            }
        }
    }
}
