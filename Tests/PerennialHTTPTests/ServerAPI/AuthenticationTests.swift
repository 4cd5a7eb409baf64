import AppStoreFormats
import BaseEncoding
import HTTPTypes
import Perennial
import PerennialConnect
import PerennialHTTP
import TestSupport
import Testing

struct AuthenticationTests {
    /// A token, and whether it is good: header and claims that differ from what Apple's libraries send.
    struct Case: Sendable, CustomTestStringConvertible {
        var words: String
        var isGood = false
        var header: [String: JSONValue?] = [:]
        /// Given the seconds of the world's clock.
        var claims: @Sendable (Double) -> [String: JSONValue?] = { _ in [:] }

        var testDescription: String { words }
    }

    static let cases = [
        Case(words: "as Apple's libraries make it", isGood: true),
        Case(words: "without iat, as Python's", isGood: true, claims: { _ in ["iat": nil] }),
        Case(words: "without typ", isGood: true, header: ["typ": nil]),
        Case(words: "for an hour", isGood: true, claims: { ["exp": .number($0 + 3600)] }),
        Case(words: "for an hour and a second", claims: { ["exp": .number($0 + 3601)] }),
        Case(words: "for an hour and a second, without iat", claims: { ["iat": nil, "exp": .number($0 + 3601)] }),
        Case(words: "issued long ago for more than an hour", claims: { ["iat": .number($0 - 3600)] }),
        Case(words: "of a clock that runs ahead", claims: { ["iat": .number($0 + 1)] }),
        Case(words: "good from now on", isGood: true, claims: { ["nbf": .number($0)] }),
        Case(words: "good from a second on", claims: { ["nbf": .number($0 + 1)] }),
        Case(words: "good from a moment on", claims: { ["nbf": .number($0 + 0.5)] }),
        Case(words: "good from a time in words", claims: { _ in ["nbf": "today"] }),
        Case(words: "good from no time", claims: { _ in ["nbf": .null] }),
        Case(words: "expired", claims: { ["iat": .number($0 - 60), "exp": .number($0)] }),
        Case(words: "without exp", claims: { _ in ["exp": nil] }),
        Case(words: "with exp in words", claims: { _ in ["exp": "tomorrow"] }),
        Case(words: "for no audience", claims: { _ in ["aud": nil] }),
        Case(words: "for another audience", claims: { _ in ["aud": "appstoreconnect-v2"] }),
        Case(words: "of another issuer", claims: { _ in ["iss": "57246542-96fe-1a63-e053-0824d011072a"] }),
        Case(words: "without an app", claims: { _ in ["bid": nil] }),
        Case(words: "of another key's app", claims: { _ in ["bid": .string(TestCatalog.otherBundleID.rawValue)] }),
        Case(words: "of an unknown app", claims: { _ in ["bid": "com.example.nothing"] }),
        Case(words: "with another algorithm", header: ["alg": "HS256"]),
        Case(words: "with none", header: ["alg": "none"]),
        Case(words: "without a key", header: ["kid": nil]),
        Case(words: "with an unknown key", header: ["kid": "ABCDEFGHJK"]),
        Case(words: "that must be understood", header: ["crit": ["exp"]]),
    ]

    @Test(arguments: cases)
    func `a token lets in if it is`(_ given: Case) async throws {
        try await StoreServer.run { server in
            let key = try await TestServerAPIKey(of: server.shop)
            let now = server.shop.clock.now
            let token = try key.token(
                at: now, header: given.header, claims: given.claims(Double(now.milliseconds / 1000)))
            for place in StoreServer.places {
                let reply = try await server.ask(.get, "\(place)/inApps/v1/transactions/1", bearer: token)
                if given.isGood {
                    #expect(reply.status == 404)
                    #expect(reply["errorCode"]?.number == 4_040_010)
                } else {
                    #expect(reply.status == 401)
                    #expect(reply.body == Array("Unauthenticated".utf8))
                    #expect(reply.headers[.contentType] == "text/plain")
                }
            }
        }
    }

    @Test(arguments: [nil, "", "Bearer", "Bearer ", "Bearer x", "Bearer a.b.c", "bearer TOKEN", "Basic TOKEN", "TOKEN"])
    func `the header is Authorization Bearer and a token`(header: String?) async throws {
        try await StoreServer.run { server in
            let key = try await TestServerAPIKey(of: server.shop)
            let token = try key.token(at: server.shop.clock.now)
            var headers: HTTPFields = [:]
            headers[.authorization] = header?.replacing("TOKEN", with: token)
            let reply = try await server.ask(.get, "/sandbox/inApps/v1/transactions/1", headers: headers)
            #expect(reply.status == 401)
        }
    }

    @Test func `a token is refused with one bit of its signature flipped`() async throws {
        try await StoreServer.run { server in
            let key = try await TestServerAPIKey(of: server.shop)
            let token = try key.token(at: server.shop.clock.now)
            let parts = token.split(separator: ".")
            var signature = try #require(Base64.decode(String(parts[2]), as: .url))
            signature[40] ^= 1
            let flipped = "\(parts[0]).\(parts[1]).\(Base64.encode(signature, as: .url))"
            let reply = try await server.ask(.get, "/sandbox/inApps/v1/transactions/1", bearer: flipped)
            #expect(reply.status == 401)
        }
    }

    @Test func `a token that was good ends with its time and with its key`() async throws {
        try await StoreServer.run { server in
            let key = try await TestServerAPIKey(of: server.shop)
            let path = "/sandbox/inApps/v1/transactions/1"
            let first = try key.token(at: server.shop.clock.now)
            #expect(try await server.ask(.get, path, bearer: first).status == 404)
            server.shop.clock.advance(by: 300_000)
            #expect(try await server.ask(.get, path, bearer: first).status == 401)

            let second = try key.token(at: server.shop.clock.now)
            #expect(try await server.ask(.get, path, bearer: second).status == 404)
            _ = try await server.shop.keys.revoke(key.key.id, of: key.bundleID)
            #expect(try await server.ask(.get, path, bearer: second).status == 401)
        }
    }

    @Test(arguments: [APIKey.Kind.connectAPI, .promotionalOffer])
    func `a key for something else is none`(kind: APIKey.Kind) async throws {
        try await StoreServer.run { server in
            let key = try await TestServerAPIKey(of: server.shop, kind)
            let token = try key.token(at: server.shop.clock.now)
            #expect(try await server.ask(.get, "/inApps/v1/transactions/1", bearer: token).status == 401)
        }
    }
}
