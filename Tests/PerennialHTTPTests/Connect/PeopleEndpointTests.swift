import HTTPTypes
import Perennial
import PerennialConnect
import PerennialHTTP
import PerennialStore
import TestSupport
import Testing

/// `v1/users`, `v1/userInvitations`, `v1/actors` and `v2/sandboxTesters` (docs/reference/connect-api.md, "Users and keys").
struct PeopleEndpointTests {
    private static func addUser(
        _ connect: ConnectServer, _ email: String, _ roles: Set<ConnectRole>, apps: Set<Int64> = []
    ) async throws -> String {
        try await connect.shop.keys.team.edit { team in
            try team.create(
                TeamPerson(email: email, firstName: "Uma", lastName: "Urban"),
                access: TeamAccess(roles: roles, allAppsVisible: apps.isEmpty, visibleApps: apps)
            ).id
        }
    }

    private static func body(
        _ type: String, id: String? = nil, _ attributes: [String: JSONValue], apps: [String]? = nil
    ) -> JSONValue {
        var data: [String: JSONValue] = ["type": .string(type), "attributes": .object(attributes)]
        if let id { data["id"] = .string(id) }
        if let apps {
            let linkages = apps.map { JSONValue.object(["type": "apps", "id": .string($0)]) }
            data["relationships"] = ["visibleApps": ["data": .array(linkages)]]
        }
        return ["data": .object(data)]
    }

    @Test func `users are listed, filtered, sorted and changed`() async throws {
        try await ConnectServer.run { connect in
            let sales = try await Self.addUser(connect, "sam@example.com", [.sales])
            _ = try await Self.addUser(connect, "dora@example.com", [.developer], apps: [1_234_567])
            let list = try await connect.get("/v1/users?sort=-username&include=visibleApps&limit=200")
            #expect(list.status == 200)
            let names = list.data?.elements?.compactMap { $0["attributes"]?["username"]?.text }
            #expect(names == ["sam@example.com", "dora@example.com"])
            let attributes = try #require(list.data?.elements?.first?["attributes"]?.members)
            #expect(
                Set(attributes.keys) == [
                    "username", "firstName", "lastName", "roles", "allAppsVisible", "provisioningAllowed",
                ])
            #expect(list["included"]?.elements?.compactMap { $0["id"]?.text } == ["1234567"])
            let filtered = try await connect.get("/v1/users?filter[roles]=DEVELOPER,ADMIN")
            #expect(filtered.data?.elements?.count == 1)

            let changed = try await connect.ask(
                .patch, "/v1/users/\(sales)",
                Self.body("users", id: sales, ["roles": ["MARKETING"], "allAppsVisible": false], apps: ["1234567"]))
            #expect(changed.status == 200)
            #expect(changed.data?["attributes"]?["roles"] == ["MARKETING"])
            let apps = try await connect.get("/v1/users/\(sales)/visibleApps")
            #expect(apps.data?.elements?.first?["attributes"]?["bundleId"] == "com.example.magazine")
            #expect(try await connect.ask(.delete, "/v1/users/\(sales)").status == 204)
            #expect(try await connect.get("/v1/users/\(sales)").status == 404)
        }
    }

    @Test func `a rule of roles is answered with Apple's code and pointer`() async throws {
        try await ConnectServer.run { connect in
            let holder = try await Self.addUser(connect, "ada@example.com", [.accountHolder])
            let cases: [([String: JSONValue], String, String)] = [
                (["roles": ["ADMIN"]], "ENTITY_ERROR.ATTRIBUTE.INVALID", "/data/attributes/roles"),
                (
                    ["allAppsVisible": false], "ENTITY_ERROR.ATTRIBUTE.INVALID",
                    "/data/attributes/allAppsVisible"
                ),
            ]
            for (attributes, code, pointer) in cases {
                let reply = try await connect.ask(
                    .patch, "/v1/users/\(holder)", Self.body("users", id: holder, attributes))
                #expect((reply.status, reply.connectCode) == (409, code))
                #expect(reply.connectError?["source"]?["pointer"]?.text == pointer)
            }
            let removed = try await connect.ask(.delete, "/v1/users/\(holder)")
            #expect((removed.status, removed.connectCode) == (409, "STATE_ERROR"))
        }
    }

    @Test func `visible apps are added, replaced and removed`() async throws {
        try await ConnectServer.run { connect in
            let user = try await Self.addUser(connect, "dora@example.com", [.developer], apps: [1_234_567])
            let path = "/v1/users/\(user)/relationships/visibleApps"
            func apps(_ ids: String...) -> JSONValue {
                ["data": .array(ids.map { .object(["type": "apps", "id": .string($0)]) })]
            }
            #expect(try await connect.ask(.post, path, apps("7654321")).status == 204)
            #expect(try await connect.get(path).data?.elements?.count == 2)
            #expect(try await connect.ask(.delete, path, apps("1234567")).status == 204)
            #expect(try await connect.get(path).data?.elements?.compactMap { $0["id"]?.text } == ["7654321"])
            #expect(try await connect.ask(.patch, path, apps("1234567")).status == 204)
            let last = try await connect.ask(.delete, path, apps("1234567"))
            #expect((last.status, last.connectCode) == (409, "ENTITY_ERROR.RELATIONSHIP.REQUIRED"))
            #expect(try await connect.ask(.post, path, apps("1")).status == 409)
        }
    }

    @Test func `a person is invited once`() async throws {
        try await ConnectServer.run { connect in
            let invitation = Self.body(
                "userInvitations",
                ["email": "ivy@example.com", "firstName": "Ivy", "lastName": "Ink", "roles": ["SALES"]])
            let made = try await connect.ask(.post, "/v1/userInvitations", invitation)
            #expect(made.status == 201)
            #expect(made.data?["attributes"]?["allAppsVisible"] == true)
            #expect(made.data?["attributes"]?["expirationDate"]?.text?.hasSuffix("+00:00") == true)
            let again = try await connect.ask(.post, "/v1/userInvitations", invitation)
            #expect((again.status, again.connectCode) == (409, "ENTITY_ERROR.ATTRIBUTE.INVALID.DUPLICATE"))
            #expect(again.connectError?["source"]?["pointer"] == "/data/attributes/email")
            let list = try await connect.get("/v1/userInvitations?filter[email]=ivy@example.com")
            #expect(list["meta"]?["paging"]?["total"] == 1)
            let id = made.data?["id"]?.text ?? ""
            #expect(try await connect.ask(.delete, "/v1/userInvitations/\(id)").status == 204)
            #expect(try await connect.get("/v1/userInvitations/\(id)").status == 404)
        }
    }

    @Test func `an actor is a user or a key`() async throws {
        try await ConnectServer.run { connect in
            let user = try await Self.addUser(connect, "sam@example.com", [.sales])
            let list = try await connect.get("/v1/actors?filter[id]=\(user),\(connect.key.key.id)")
            #expect(
                Set(list.data?.elements?.compactMap { $0["attributes"]?["actorType"]?.text } ?? []) == [
                    "USER", "API_KEY",
                ])
            #expect(try await connect.get("/v1/actors/\(user)").data?["attributes"]?["userEmail"] == "sam@example.com")
            let all = try await connect.get("/v1/actors")
            #expect((all.status, all.connectCode) == (400, "PARAMETER_ERROR.REQUIRED"))
            #expect(try await connect.get("/v1/actors/ABCDEFGHJK").status == 404)
        }
    }

    @Test(arguments: ["", "/sandbox"])
    func `testers of Sandbox are listed, changed and cleared`(place: String) async throws {
        try await ConnectServer.run { connect in
            for name in ["ann", "ben", "cem"] { try await connect.shop.account(name) }
            try await connect.shop.buyAndFinish("filter.amber", as: "ann")
            let first = try await connect.get("\(place)/v2/sandboxTesters?limit=2")
            #expect(first.data?.elements?.compactMap { $0["attributes"]?["acAccountName"]?.text } == ["ann", "ben"])
            #expect(first["meta"]?["paging"]?["total"] == 3)
            let id = try #require(first.data?.elements?.first?["id"]?.text)
            func change(_ attributes: [String: JSONValue]) async throws -> StoreServer.Reply {
                try await connect.ask(
                    .patch, "\(place)/v2/sandboxTesters/\(id)", Self.body("sandboxTesters", id: id, attributes))
            }
            let changed = try await change([
                "territory": "DEU", "interruptPurchases": true,
                "subscriptionRenewalRate": "MONTHLY_RENEWAL_EVERY_THREE_MINUTES",
            ])
            #expect(changed.status == 200 && changed.data?["attributes"]?["territory"] == "DEU")
            let account = try await connect.shop.store.accounts.account(named: "ann")
            #expect(account.interruptsPurchases && account.renewalRate == .monthlyRenewalEveryThreeMinutes)
            let reset = try await change(["subscriptionRenewalRate": .null, "interruptPurchases": false])
            #expect(reset.data?["attributes"]?["subscriptionRenewalRate"] == .null)

            let request: JSONValue = [
                "data": [
                    "type": "sandboxTestersClearPurchaseHistoryRequest",
                    "relationships": [
                        "sandboxTesters": ["data": [["type": "sandboxTesters", "id": .string(id)]]]
                    ],
                ]
            ]
            let path = "\(place)/v2/sandboxTestersClearPurchaseHistoryRequest"
            let cleared = try await connect.ask(.post, path, request)
            #expect(cleared.status == 201 && cleared.data?["id"]?.text?.count == 36)
            #expect(try await connect.shop.restore("ann").isEmpty)
            #expect(try await change(["territory": "USA"]).data?["id"]?.text == id, "the tester keeps its ID")
        }
    }

    @Test func `users and testers are open to their roles only`() async throws {
        try await ConnectServer.run { connect in
            let developer = try await TestServerAPIKey(of: connect.shop, roles: [.developer])
            let sales = try await TestServerAPIKey(of: connect.shop, roles: [.sales])
            #expect(try await connect.get("/v1/users", as: developer).status == 403)
            #expect(try await connect.get("/v2/sandboxTesters", as: developer).status == 200)
            #expect(try await connect.get("/v2/sandboxTesters", as: sales).status == 403)
        }
    }

    @Test func `a user sees only the apps that are visible to it`() async throws {
        try await ConnectServer.run { connect in
            _ = try await Self.addUser(
                connect, "dora@example.com", [.appManager, .generateIndividualKeys], apps: [7_654_321])
            let key = try await TestServerAPIKey(of: connect.shop, user: "dora@example.com")
            let claims: [String: JSONValue?] = ["iss": nil, "sub": "user"]
            let apps = try await connect.get("/v1/apps", as: key, claims: claims)
            #expect(apps.data?.elements?.compactMap { $0["id"]?.text } == ["7654321"])
            #expect(try await connect.get("/v1/apps/1234567", as: key, claims: claims).status == 404)
            let products = try await connect.get("/v1/apps/1234567/inAppPurchasesV2", as: key, claims: claims)
            #expect(products.status == 404)
        }
    }
}
