import HTTPTypes
import Perennial
import PerennialHTTP
import TestSupport
import Testing

/// Users, invitations and testers in the control API (docs/reference/control.md).
struct TeamRoutesTests {
    private static let users = "/control/v1/users"
    private static let invitations = "/control/v1/user-invitations"

    private static func person(_ email: String, roles: JSONValue, more: [String: JSONValue] = [:]) -> JSONValue {
        .object(
            [
                "username": .string(email), "firstName": "Uma", "lastName": "Urban", "roles": roles,
            ].merging(more) { $1 })
    }

    @Test(arguments: Engine.allCases)
    func `a user is added, changed and removed`(engine: Engine) async throws {
        try await StoreServer.run(on: engine) { server in
            let made = try await server.control(
                .post, Self.users,
                Self.person("Uma@Example.com", roles: ["DEVELOPER"], more: ["visibleApps": ["com.example.magazine"]]))
            #expect(made.status == 201)
            #expect(made["username"] == "uma@example.com" && made["allAppsVisible"] == false)
            #expect(made["visibleApps"] == ["com.example.magazine"])
            let path = "\(Self.users)/uma@example.com"
            let changed = try await server.control(.post, path, ["roles": ["ADMIN"], "visibleApps": []])
            #expect(changed["roles"] == ["ADMIN"] && changed["allAppsVisible"] == true)
            let again = try await server.control(.post, Self.users, Self.person("uma@example.com", roles: ["SALES"]))
            #expect((again.status, again.error?["code"]) == (409, "duplicate"))
            #expect(again.error?["field"] == "username")
            #expect(try await server.control(.get, Self.users)["users"]?.elements?.count == 1)
            #expect(try await server.control(.delete, path).status == 204)
            #expect(try await server.control(.get, path).status == 404)
        }
    }

    @Test func `one user is the account holder, until another one is`() async throws {
        try await StoreServer.run { server in
            for (email, role) in [("one@example.com", "ACCOUNT_HOLDER"), ("two@example.com", "SALES")] {
                let made = try await server.control(.post, Self.users, Self.person(email, roles: [.string(role)]))
                #expect(made.status == 201)
            }
            let second = try await server.control(
                .post, Self.users, Self.person("three@example.com", roles: ["ACCOUNT_HOLDER"]))
            #expect((second.status, second.error?["field"]) == (409, "roles"))
            #expect(try await server.control(.delete, "\(Self.users)/one@example.com").status == 409)
            let moved = try await server.control(.post, "\(Self.users)/two@example.com/account-holder")
            #expect(moved["roles"] == ["ACCOUNT_HOLDER", "SALES"])
            #expect(try await server.control(.get, "\(Self.users)/one@example.com")["roles"] == ["ADMIN"])
        }
    }

    @Test func `an invitation is accepted, and ends after three days`() async throws {
        try await StoreServer.run { server in
            for name in ["one", "two"] {
                let body = Self.person("\(name)@example.com", roles: ["MARKETING"])
                #expect(try await server.control(.post, Self.invitations, body).status == 201)
            }
            let user = try await server.control(.post, "\(Self.invitations)/one@example.com/accept")
            #expect(user["roles"] == ["MARKETING"])
            #expect(try await server.control(.get, Self.invitations)["invitations"]?.elements?.count == 1)
            server.shop.clock.advance(by: .days(3))
            #expect(try await server.control(.get, Self.invitations)["invitations"]?.elements?.isEmpty == true)
            #expect(try await server.control(.post, "\(Self.invitations)/two@example.com/accept").status == 404)
            let again = Self.person("two@example.com", roles: ["MARKETING"])
            #expect(try await server.control(.post, Self.invitations, again).status == 201)
        }
    }

    @Test func `a tester is named and cleared`() async throws {
        try await StoreServer.run { server in
            try await server.shop.buyAndFinish("filter.amber", as: "ann")
            let path = "/sandbox/control/v1/testers/ann"
            let named = try await server.control(.post, path, ["firstName": "Ann"])
            #expect(named["firstName"] == "Ann" && named["lastName"] == nil)
            let cleared = try await server.control(.post, "\(path)/clear-purchase-history")
            #expect(cleared.status == 200 && cleared["id"] == named["id"])
            #expect(try await server.shop.restore("ann").isEmpty)
            #expect(try await server.control(.get, "/sandbox/control/v1/testers/eve").status == 404)
        }
    }
}
