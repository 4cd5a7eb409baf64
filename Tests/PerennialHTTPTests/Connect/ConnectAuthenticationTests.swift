import AppStoreFormats
import HTTPTypes
import Perennial
import PerennialConnect
import PerennialHTTP
import TestSupport
import Testing

/// Tokens, scopes and roles of the App Store Connect API (docs/reference/connect-api.md, "Tokens" and "Roles").
struct ConnectAuthenticationTests {
    /// A token, and whether it is good: header and claims that differ from the usual ones.
    struct Case: Sendable, CustomTestStringConvertible {
        var words: String
        var isGood = false
        var header: [String: JSONValue?] = [:]
        /// Given the seconds of the wall clock.
        var claims: @Sendable (Double) -> [String: JSONValue?] = { _ in [:] }

        var testDescription: String { words }
    }

    static let cases = [
        Case(words: "with an issuer, iat and exp", isGood: true),
        Case(words: "without typ", isGood: true, header: ["typ": nil]),
        Case(words: "for 20 minutes", isGood: true, claims: { ["exp": .number($0 + 1200)] }),
        Case(words: "for 20 minutes and a second", claims: { ["exp": .number($0 + 1201)] }),
        Case(words: "for 20 minutes without iat", isGood: true, claims: { ["iat": nil, "exp": .number($0 + 1200)] }),
        Case(words: "without iat by a fast clock", isGood: true, claims: { ["iat": nil, "exp": .number($0 + 1260)] }),
        Case(words: "for too long without iat", claims: { ["iat": nil, "exp": .number($0 + 1261)] }),
        Case(
            words: "issued by a fast clock", isGood: true,
            claims: { ["iat": .number($0 + 60), "exp": .number($0 + 1260)] }),
        Case(words: "issued in the future", claims: { ["iat": .number($0 + 61), "exp": .number($0 + 1200)] }),
        Case(words: "expired", claims: { ["iat": .number($0 - 60), "exp": .number($0)] }),
        Case(words: "not good before another day", claims: { ["nbf": .number($0 + 86_400)] }),
        Case(words: "without exp", claims: { _ in ["exp": nil] }),
        Case(words: "for another audience", claims: { _ in ["aud": "appstoreconnect-v2"] }),
        Case(words: "for a list of audiences", isGood: true, claims: { _ in ["aud": ["appstoreconnect-v1"]] }),
        Case(words: "of another issuer", claims: { _ in ["iss": "57246542-96fe-1a63-e053-0824d011072a"] }),
        Case(words: "without an issuer", claims: { _ in ["iss": nil] }),
        Case(words: "with an issuer that is no text", claims: { _ in ["iss": 1, "sub": "user"] }),
        Case(words: "with another algorithm", header: ["alg": "HS256"]),
        Case(words: "with an unknown key", header: ["kid": "ABCDEFGHJK"]),
        Case(words: "with a scope that is no list", claims: { _ in ["scope": "GET /v1/apps"] }),
    ]

    @Test(arguments: cases)
    func `a token of the Connect API lets in if it is`(_ given: Case) async throws {
        try await ConnectServer.run { connect in
            let now = Double(connect.shop.clock.now.milliseconds / 1000)
            let claims = given.claims(now).merging(["bid": nil]) { own, _ in own }
            let token = try connect.key.token(at: connect.shop.clock.now, header: given.header, claims: claims)
            for place in StoreServer.places {
                let reply = try await connect.server.ask(.get, "\(place)/v1/apps", bearer: token)
                #expect(reply.status == (given.isGood ? 200 : 401))
                #expect(reply.headers[.contentType] == "application/json")
                guard !given.isGood else { continue }
                #expect(reply.connectCode == "NOT_AUTHORIZED")
                #expect(reply.connectError?["status"] == "401")
                #expect(reply.connectError?["title"] == "Authentication credentials are missing or invalid.")
            }
        }
    }

    @Test func `a token that was verified ends with its time and with its key`() async throws {
        try await ConnectServer.run { connect in
            let token = try connect.key.token(at: connect.shop.clock.now, claims: ["bid": nil])
            let ask = { try await connect.server.ask(.get, "/v1/apps", bearer: token).status }
            #expect(try await ask() == 200)
            connect.shop.clock.advance(by: .seconds(299))
            #expect(try await ask() == 200)
            connect.shop.clock.advance(by: .seconds(1))
            #expect(try await ask() == 401)

            let second = try connect.key.token(at: connect.shop.clock.now, claims: ["bid": nil])
            #expect(try await connect.server.ask(.get, "/v1/apps", bearer: second).status == 200)
            _ = try await connect.shop.keys.revokeTeamKey(connect.key.key.id)
            #expect(try await connect.server.ask(.get, "/v1/apps", bearer: second).status == 401)
        }
    }

    @Test(arguments: [
        (["GET /v1/apps"], "/v1/apps", true), (["GET /v1/apps"], "/v1/apps?limit=2", true),
        (["GET /v1/apps"], "/v1/apps?filter[sku]=x", false),
        (["GET /v1/apps?filter[sku]=x&filter[name]=y"], "/sandbox/v1/apps?filter[name]=y&filter%5Bsku%5D=x", true),
        (["GET /v1/salesReports", "GET /v1/apps"], "/environments/staging/v1/apps", true),
        (["POST /v1/apps"], "/v1/apps", false), (["GET /v1/apps/1234567"], "/v1/apps", false),
    ])
    func `a scope limits a token to some requests`(scope: [String], path: String, isGood: Bool) async throws {
        try await ConnectServer.run { connect in
            let scope = JSONValue.array(scope.map { .string($0) })
            let reply = try await connect.get(path, claims: ["scope": scope])
            #expect(reply.status == (isGood ? 200 : 401))
        }
    }

    @Test func `a token with a scope changes nothing`() async throws {
        try await ConnectServer.run { connect in
            let reply = try await connect.ask(
                .post, "/v1/analyticsReportRequests", [:], claims: ["scope": ["POST /v1/analyticsReportRequests"]])
            #expect((reply.status, reply.connectCode) == (401, "NOT_AUTHORIZED"))
        }
    }

    /// The status of each role at sales reports, finance reports, analytics reports and requests for these.
    static let roles: [(role: ConnectRole, statuses: [Int])] = [
        (.admin, [404, 404, 200, 422]), (.finance, [404, 404, 200, 403]), (.sales, [404, 403, 200, 403]),
        (.accessToReports, [404, 403, 200, 403]), (.appManager, [403, 403, 200, 422]),
        (.developer, [403, 403, 403, 403]), (.marketing, [403, 403, 403, 403]),
        (.customerSupport, [403, 403, 403, 403]),
    ]

    @Test(arguments: roles)
    func `a role decides what a key may do`(role: ConnectRole, statuses: [Int]) async throws {
        try await ConnectServer.run { connect in
            let key = try await TestServerAPIKey(of: connect.shop, roles: [role])
            let finance =
                "/sandbox/v1/financeReports?filter[vendorNumber]=\(connect.vendor)&filter[reportType]=FINANCIAL"
                + "&filter[regionCode]=US&filter[reportDate]=2025-01"
            let replies = [
                try await connect.get(connect.salesReport(), as: key), try await connect.get(finance, as: key),
                try await connect.get("/sandbox/v1/apps/1234567/analyticsReportRequests", as: key),
                try await connect.ask(.post, "/sandbox/v1/analyticsReportRequests", [:], as: key),
            ]
            #expect(replies.map(\.status) == statuses)
            for reply in replies where reply.status == 403 {
                #expect(reply.connectError?["code"] == "FORBIDDEN_ERROR")
                #expect(reply.connectError?["title"] == "This request is forbidden for security reasons")
                #expect(reply.connectError?["detail"] == "The API key in use does not allow this request")
            }
            #expect(try await connect.get("/v1/apps", as: key).status == 200)
        }
    }

    @Test(arguments: [APIKey.Kind.serverAPI, .promotionalOffer])
    func `a key of another API opens nothing`(kind: APIKey.Kind) async throws {
        try await ConnectServer.run { connect in
            let key = try await TestServerAPIKey(of: connect.shop, kind)
            #expect(try await connect.get("/v1/apps", as: key).status == 401)
        }
    }

    @Test func `the last use of a key is recorded to the minute`() async throws {
        try await ConnectServer.run { connect in
            let path = "/control/v1/connect-keys"
            func lastUsed() async throws -> String? {
                let keys = try await connect.server.control(.get, path)["keys"]?.elements
                return keys?.first { $0["keyId"]?.text == connect.key.key.id }?["lastUsed"]?.text
            }
            #expect(try await lastUsed() == nil)
            _ = try await connect.get("/v1/apps")
            let first = try #require(try await lastUsed())
            connect.shop.clock.advance(by: .seconds(59))
            _ = try await connect.get("/v1/apps")
            #expect(try await lastUsed() == first)
            connect.shop.clock.advance(by: .seconds(1))
            _ = try await connect.get("/v1/apps")
            #expect(try await lastUsed() ?? "" > first)
        }
    }
}
