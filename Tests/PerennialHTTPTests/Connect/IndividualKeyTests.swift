import HTTPTypes
import Perennial
import PerennialConnect
import PerennialHTTP
import TestSupport
import Testing

/// Users' own keys (docs/reference/connect-api.md, "Keys and roles").
struct IndividualKeyTests {
    /// A token of an individual key names no issuer.
    private static let claims: [String: JSONValue?] = ["iss": nil, "sub": "user"]

    private static func addUser(
        _ connect: ConnectServer, _ roles: Set<ConnectRole>, apps: Set<Int64> = []
    ) async throws {
        _ = try await connect.shop.keys.team.edit { team in
            try team.create(
                TeamPerson(email: "uma@example.com", firstName: "Uma", lastName: "Urban"),
                access: TeamAccess(roles: roles, allAppsVisible: apps.isEmpty, visibleApps: apps))
        }
    }

    @Test func `an individual key has its user's roles of the moment`() async throws {
        try await ConnectServer.run { connect in
            try await Self.addUser(connect, [.developer, .generateIndividualKeys])
            let key = try await TestServerAPIKey(of: connect.shop, user: "uma@example.com")
            let analytics = "/sandbox/v1/apps/1234567/analyticsReportRequests"
            #expect(try await connect.get("/v1/apps", as: key, claims: Self.claims).status == 200)
            #expect(try await connect.get(analytics, as: key, claims: Self.claims).status == 403)
            _ = try await connect.shop.keys.team.edit {
                try $0.update("uma@example.com", TeamAccess.Change(roles: [.appManager]))
            }
            #expect(try await connect.get(analytics, as: key, claims: Self.claims).status == 200)
        }
    }

    @Test func `an individual key reads no reports of sales and finance`() async throws {
        try await ConnectServer.run { connect in
            try await Self.addUser(connect, [.admin])
            let key = try await TestServerAPIKey(of: connect.shop, user: "uma@example.com")
            let reply = try await connect.get(connect.salesReport(), as: key, claims: Self.claims)
            #expect((reply.status, reply.connectCode) == (403, "FORBIDDEN_ERROR"))
        }
    }

    @Test func `a key with a token of the other kind is refused`() async throws {
        try await ConnectServer.run { connect in
            try await Self.addUser(connect, [.admin])
            let key = try await TestServerAPIKey(of: connect.shop, user: "uma@example.com")
            #expect(try await connect.get("/v1/apps", as: key).status == 401, "an issuer with an individual key")
            #expect(try await connect.get("/v1/apps", claims: Self.claims).status == 401, "none with a team key")
        }
    }

    @Test func `a user who leaves takes the key along`() async throws {
        try await ConnectServer.run { connect in
            try await Self.addUser(connect, [.admin])
            let key = try await TestServerAPIKey(of: connect.shop, user: "uma@example.com")
            #expect(try await connect.get("/v1/apps", as: key, claims: Self.claims).status == 200)
            try await connect.shop.keys.team.edit { try $0.remove("uma@example.com") }
            #expect(try await connect.get("/v1/apps", as: key, claims: Self.claims).status == 401)
            let keys = try await connect.server.control(.get, "/control/v1/connect-keys")["keys"]?.elements
            let listed = try #require(keys?.first { $0["keyId"]?.text == key.key.id })
            #expect(listed["revoked"] != nil && listed["user"] != nil && listed["roles"] == nil)
        }
    }

    @Test func `a user without the role for it gets no key`() async throws {
        try await ConnectServer.run { connect in
            try await Self.addUser(connect, [.marketing])
            let path = "/control/v1/connect-keys"
            let reply = try await connect.server.control(.post, path, ["user": "uma@example.com"])
            #expect((reply.status, reply.error?["code"]) == (409, "state"))
            let unknown = try await connect.server.control(.post, path, ["user": "eve@example.com"])
            #expect((unknown.status, unknown.error?["code"]) == (404, "userNotFound"))
            let both = try await connect.server.control(
                .post, path, ["user": "uma@example.com", "roles": ["ADMIN"]])
            #expect(both.status == 400)
            let holder = try await connect.server.control(.post, path, ["roles": ["ACCOUNT_HOLDER"]])
            #expect(holder.error?["field"] == "roles")
        }
    }
}
