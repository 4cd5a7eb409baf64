import HTTPTypes
import TestSupport
import Testing

/// control/v1/families.
struct FamilyRoutesTests {
    @Test(arguments: StoreServer.places)
    func `a family is made, changed, listed and dissolved`(place: String) async throws {
        try await StoreServer.run { server in
            let path = "\(place)/control/v1/families"
            let made = try await server.control(.post, path, ["organizer": "ann", "members": ["bob"]])
            #expect(made.status == 201)
            let id = try #require(made["id"]?.text)
            #expect(made["members"] == ["bob"])
            let grown = try await server.control(.post, "\(path)/\(id)/members", ["account": "cem@example.com"])
            #expect(grown["members"] == ["bob", "cem@example.com"])
            let shrunk = try await server.control(.delete, "\(path)/\(id)/members/cem%40example.com")
            #expect(shrunk["members"] == ["bob"])
            #expect(try await server.control(.get, "\(path)/\(id)").json == shrunk.json)
            #expect(try await server.control(.get, path)["families"]?.elements == [try #require(shrunk.json)])
            #expect(try await server.control(.delete, "\(path)/\(id)").status == 204)
            #expect(try await server.control(.get, "\(path)/\(id)").status == 404)
        }
    }

    @Test func `what a family can't do is said in words`() async throws {
        try await StoreServer.run { server in
            let path = "/sandbox/control/v1/families"
            let made = try await server.control(.post, path, ["organizer": "ann"])
            let id = try #require(made["id"]?.text)
            let again = try await server.control(.post, path, ["organizer": "ann"])
            #expect(again.status == 409)
            #expect(again.error?["code"] == "alreadyMember")
            let stays = try await server.control(.delete, "\(path)/\(id)/members/ann")
            #expect(stays.error?["code"] == "notMember")
            #expect(try await server.control(.delete, "\(path)/\(id)/members/nobody").status == 404)
            #expect(try await server.control(.get, "\(path)/seven").error?["code"] == "familyNotFound")
            #expect(try await server.ask(.get, path).status == 401)
        }
    }
}
