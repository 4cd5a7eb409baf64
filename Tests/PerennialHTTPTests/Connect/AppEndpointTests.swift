import Foundation
import HTTPTypes
import Perennial
import PerennialHTTP
import TestSupport
import Testing

/// `v1/apps`, and the form of documents, queries and pages (docs/reference/connect-api.md, "Conventions").
struct AppEndpointTests {
    @Test func `an app is a resource with all its attributes`() async throws {
        try await ConnectServer.run { connect in
            _ = try await connect.server.control(
                .put, "/sandbox/control/v1/apps/com.example.magazine/notifications",
                ["url": "https://example.com/sandbox", "version": 2])
            let reply = try await connect.get("/sandbox/v1/apps/1234567")
            #expect(reply.status == 200)
            #expect(reply.data?["type"] == "apps" && reply.data?["id"] == "1234567")
            let attributes = try #require(reply.data?["attributes"]?.members)
            #expect(attributes.count == 12)
            #expect(attributes["name"] == "Magazine" && attributes["bundleId"] == "com.example.magazine")
            #expect(attributes["primaryLocale"] == "en-US" && attributes["isOrEverWasMadeForKids"] == false)
            #expect(attributes["contentRightsDeclaration"] == .null)
            #expect(attributes["subscriptionStatusUrl"] == .null)
            #expect(attributes["subscriptionStatusUrlForSandbox"] == "https://example.com/sandbox")
            #expect(attributes["subscriptionStatusUrlVersionForSandbox"] == "V2")
            #expect(Set(reply.data?["links"]?.members?.keys.map { $0 } ?? []) == ["self"])
            #expect(reply["links"]?["self"] == reply.data?["links"]?["self"])
        }
    }

    @Test func `links lead to the host and the environment that were asked`() async throws {
        try await ConnectServer.run { connect in
            let place = "/environments/staging/v1/apps"
            let plain = try await connect.get("\(place)?limit=1")
            let url = try #require(plain["links"]?["self"]?.text)
            #expect(url.hasPrefix("http://") && url.hasSuffix("\(place)?limit=1"))
            let name = try #require(HTTPField.Name("X-Forwarded-Proto"))
            let secure = try await connect.ask(.get, "\(place)/1234567", headers: [name: "https"])
            #expect(secure["links"]?["self"]?.text?.hasPrefix("https://") == true)
        }
    }

    @Test func `a list is read page by page`() async throws {
        try await ConnectServer.run { connect in
            let first = try await connect.get("/v1/apps?limit=1&fields%5Bapps%5D=name&sort=-name")
            #expect(first.data?.elements?.compactMap { $0["attributes"] } == [["name": "Magazine"]])
            #expect(first["meta"] == ["paging": ["total": 2, "limit": 1]])
            let next = try #require(first["links"]?["next"]?.text)
            let path = String(next[try #require(next.range(of: "/v1/")).lowerBound...])
            #expect(path.contains("fields%5Bapps%5D=name") && path.contains("sort=-name") && path.contains("limit=1"))
            let second = try await connect.get(path)
            #expect(second.data?.elements?.compactMap { $0["attributes"] } == [["name": "Camera"]])
            #expect(second["links"]?.members?["next"] == nil, "clients test for the key")
        }
    }

    @Test(arguments: [
        ("filter[bundleId]=com.example.magazine", ["1234567"]),
        ("filter[name]=Camera,Magazine", ["1234567", "7654321"]),
        ("filter[id]=7654321", ["7654321"]), ("filter[sku]=none", []), ("filter[name]=Mag+azine", []),
        ("filter[bundleId]=com.example.camera&filter[name]=Magazine", []),
    ])
    func `filters choose apps`(query: String, ids: [String]) async throws {
        try await ConnectServer.run { connect in
            let reply = try await connect.get("/v1/apps?\(query)")
            #expect(reply.data?.elements?.compactMap { $0["id"]?.text } == ids)
        }
    }

    @Test(arguments: [
        ("limit=0", "PARAMETER_ERROR.INVALID", "limit"), ("limit=201", "PARAMETER_ERROR.INVALID", "limit"),
        ("limit=x", "PARAMETER_ERROR.INVALID", "limit"), ("cursor=abc", "PARAMETER_ERROR.INVALID", "cursor"),
        ("sort=price", "PARAMETER_ERROR.INVALID", "sort"),
        ("fields[apps]=name,price", "PARAMETER_ERROR.INVALID", "fields[apps]"),
        ("include=prices", "PARAMETER_ERROR.INVALID", "include"),
        ("page=2", "PARAMETER_ERROR.ILLEGAL", "page"),
    ])
    func `a wrong parameter is named`(query: String, code: String, parameter: String) async throws {
        try await ConnectServer.run { connect in
            let reply = try await connect.get("/v1/apps?\(query)")
            #expect((reply.status, reply.connectCode) == (400, code))
            #expect(reply.connectError?["source"]?["parameter"]?.text == parameter)
        }
    }

    @Test func `an unknown app isn't found, and several unknown parameters are several errors`() async throws {
        try await ConnectServer.run { connect in
            let unknown = try await connect.get("/v1/apps/99")
            #expect((unknown.status, unknown.connectCode) == (404, "NOT_FOUND"))
            #expect(unknown.connectError?["detail"] == "There is no resource of type 'apps' with id '99'")
            let two = try await connect.get("/v1/apps?a=1&b=2")
            #expect(two["errors"]?.elements?.count == 2)
        }
    }
}
