import AppStoreFormats
import BaseEncoding
import Crypto
import Foundation
import HTTPTypes
import Perennial
import PerennialHTTP
import TestSupport
import Testing

struct CredentialRoutesTests {
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

    @Test(arguments: Engine.allCases)
    func `a key that control made opens the Server API until control revokes it`(engine: Engine) async throws {
        try await StoreServer.run(on: engine) { server in
            let made = try await server.control(.post, Self.keys, ["kind": "serverAPI"])
            let id = try #require(made["keyId"]?.text)
            let key = try P256.Signing.PrivateKey(pemRepresentation: try #require(made["privateKey"]?.text))
            let seconds = Double(server.shop.clock.now.milliseconds / 1000)
            let parts: [JSONValue] = [
                ["alg": "ES256", "kid": .string(id), "typ": "JWT"],
                [
                    "iss": made["issuerId"] ?? .null, "iat": .number(seconds), "exp": .number(seconds + 300),
                    "aud": "appstoreconnect-v1", "bid": "com.example.magazine",
                ],
            ]
            let text = try parts.map { Base64.encode(try $0.encoded, as: .url) }.joined(separator: ".")
            let signature = try key.signature(for: Data(text.utf8)).rawRepresentation
            let token = "\(text).\(Base64.encode(Array(signature), as: .url))"
            for place in StoreServer.places {
                let reply = try await server.ask(.get, "\(place)/inApps/v1/transactions/1", bearer: token)
                #expect(reply["errorCode"]?.number == 4_040_010)
            }
            #expect(try await server.control(.delete, "\(Self.keys)/\(id)").status == 200)
            for place in StoreServer.places {
                let reply = try await server.ask(.get, "\(place)/inApps/v1/transactions/1", bearer: token)
                #expect((reply.status, reply.body) == (401, Array("Unauthenticated".utf8)))
            }
        }
    }

    @Test(arguments: Engine.allCases)
    func `verifyReceipt asks for the secret of the moment`(engine: Engine) async throws {
        try await StoreServer.run(on: engine) { server in
            try await server.shop.buy("monthly", as: "ann")
            let receipt = Data(try await server.shop.receipt(of: "ann")).base64EncodedString()
            func status(_ password: String) async throws -> JSONValue? {
                try await server.ask(
                    .post, "/sandbox/verifyReceipt",
                    ["receipt-data": .string(receipt), "password": .string(password)])["status"]
            }
            #expect(try await status(TestCatalog.sharedSecret) == 0)
            let new = try #require(try await server.control(.post, Self.secret)["sharedSecret"]?.text)
            #expect(try await status(TestCatalog.sharedSecret) == 21004)
            #expect(try await status(new) == 0)
            #expect(try await server.control(.delete, Self.secret).status == 200)
            for password in [TestCatalog.sharedSecret, new, ""] { #expect(try await status(password) == 21004) }
            let next = try #require(try await server.control(.post, Self.secret)["sharedSecret"]?.text)
            #expect(try await status(new) == 21004)
            #expect(try await status(next) == 0)
        }
    }
}
