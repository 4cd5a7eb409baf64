import HTTPTypes
import Perennial
import PerennialHTTP
import TestSupport
import Testing

struct KeyRoutesTests {
    private static let keys = "/control/v1/apps/com.example.magazine/keys"
    private static let secret = "/control/v1/apps/com.example.magazine/shared-secret"

    @Test(arguments: Engine.allCases)
    func `a private key is shown once, and a revoked key stays in the list`(engine: Engine) async throws {
        try await StoreServer.run(on: engine) { server in
            let made = try await server.control(.post, Self.keys, ["kind": "promotionalOffer"])
            #expect(made.status == 201)
            let id = try #require(made["keyId"]?.text)
            #expect(APIKey.isID(id))
            #expect(made["privateKey"]?.text?.hasPrefix("-----BEGIN PRIVATE KEY-----") == true)
            let other = try await server.control(.post, Self.keys, ["kind": "serverAPI"])
            #expect(other["issuerId"] == made["issuerId"])

            let revoked = try await server.control(.delete, "\(Self.keys)/\(id)")
            #expect(revoked["revoked"]?.text != nil)
            let listed = try await server.control(.get, Self.keys)
            let found = try #require(listed["keys"]?.elements)
            #expect(found.count == 2)
            #expect(found.allSatisfy { $0["privateKey"] == nil })
            #expect(found.filter { $0["revoked"] != nil }.compactMap { $0["keyId"]?.text } == [id])
        }
    }

    @Test func `keys of apps that are not there, of other apps and of unknown kinds are refused`() async throws {
        try await StoreServer.run { server in
            let made = try await server.control(.post, Self.keys, ["kind": "serverAPI"])
            let id = try #require(made["keyId"]?.text)
            let foreign = "/control/v1/apps/com.example.camera/keys/\(id)"
            #expect(try await server.control(.delete, foreign).error?["code"] == "keyNotFound")
            #expect(try await server.control(.get, "/control/v1/apps/none/keys").error?["code"] == "appNotFound")
            let unknown = try await server.control(.post, Self.keys, ["kind": "car"])
            #expect(unknown.error?["field"] == "kind")
            #expect(try await server.ask(.get, Self.keys).status == 401)
            #expect(try await server.control(.get, Self.keys)["keys"]?.elements?.first?["revoked"] == nil)
        }
    }

    @Test func `a new shared secret takes the place of the old, and a revoked one is none`() async throws {
        try await StoreServer.run { server in
            let old = try await server.control(.get, Self.secret)["sharedSecret"]?.text
            #expect(old == TestCatalog.sharedSecret)
            let new = try #require(try await server.control(.post, Self.secret)["sharedSecret"]?.text)
            #expect(new != old && new.utf8.count == 32)
            #expect(try await server.control(.get, Self.secret)["sharedSecret"]?.text == new)
            #expect(try await server.control(.delete, Self.secret).status == 200)
            #expect(try await server.control(.get, Self.secret)["sharedSecret"] == nil)
        }
    }
}
