import HTTPTypes
import TestSupport
import Testing

/// `v2/inAppPurchases` (docs/reference/connect-api.md).
struct InAppPurchaseEndpointTests {
    @Test func `a product is created, read, changed and deleted`() async throws {
        try await ConnectServer.run { connect in
            let made = try await connect.create(
                "v2/inAppPurchases",
                [
                    "name": "Coins 100", "productId": "com.example.coins100", "inAppPurchaseType": "NON_CONSUMABLE",
                    "reviewNote": "Tap the shop.", "familySharable": true,
                ], ["app": ConnectLink("apps", ConnectServer.magazine)])
            #expect(made.status == 201)
            #expect(made.data?["type"] == "inAppPurchases")
            #expect(
                made.attributes == [
                    "name": "Coins 100", "productId": "com.example.coins100", "inAppPurchaseType": "NON_CONSUMABLE",
                    "state": "MISSING_METADATA", "reviewNote": "Tap the shop.", "familySharable": true,
                    "contentHosting": .null,
                ])
            let id = try #require(made.data?["id"]?.text)
            #expect(id.count >= 10)
            let changed = try await connect.change("v2/inAppPurchases", id, ["name": "Coins", "reviewNote": .null])
            #expect(changed.status == 200)
            #expect(changed.attributes["name"] == "Coins" && changed.attributes["reviewNote"] == .null)
            #expect(try await connect.read("v2/inAppPurchases/\(id)").attributes == changed.attributes)
            #expect(try await connect.remove("v2/inAppPurchases", id).status == 204)
            #expect(try await connect.read("v2/inAppPurchases/\(id)").status == 404)
        }
    }

    @Test func `a product is found in its app's list by its product ID, name and type`() async throws {
        try await ConnectServer.run { connect in
            let id = try await connect.makeProduct()
            let list = "v1/apps/\(ConnectServer.magazine)/inAppPurchasesV2"
            for filter in ["productId%5D=coins", "name%5D=Coins"] {
                #expect(try await connect.read("\(list)?filter%5B\(filter)").ids == [id], "\(filter)")
            }
            let unfinished = try await connect.read("\(list)?filter%5Bstate%5D=MISSING_METADATA")
            #expect(Set(unfinished.values("productId")) == ["draft", "coins"])
            let types = try await connect.read(
                "\(list)?filter%5BinAppPurchaseType%5D=NON_RENEWING_SUBSCRIPTION&sort=name")
            #expect(types.values("productId") == ["pass.1week", "pass.summer"])
            let all = try await connect.read("\(list)?limit=200")
            #expect(all.values("productId").contains("film.roll") && !all.values("productId").contains("monthly"))
            #expect(try await connect.read("\(list)?filter%5BproductId%5D=monthly").ids.isEmpty)
        }
    }

    @Test func `a product ID is used once, also by a deleted product`() async throws {
        try await ConnectServer.run { connect in
            let id = try await connect.makeProduct()
            #expect(try await connect.remove("v2/inAppPurchases", id).status == 204)
            for used in ["coins", "film.roll", "monthly"] {
                let reply = try await connect.create(
                    "v2/inAppPurchases",
                    ["name": "Coins", "productId": .string(used), "inAppPurchaseType": "CONSUMABLE"],
                    ["app": ConnectLink("apps", ConnectServer.magazine)])
                #expect(reply.status == 409 && reply.connectCode == "ENTITY_ERROR.ATTRIBUTE.INVALID.DUPLICATE")
                #expect(reply.pointer == "/data/attributes/productId")
            }
        }
    }

    @Test(arguments: [
        ("productId", "a b", "ENTITY_ERROR.ATTRIBUTE.INVALID"), ("productId", "-a", "ENTITY_ERROR.ATTRIBUTE.INVALID"),
        ("name", "", "ENTITY_ERROR.ATTRIBUTE.REQUIRED"),
        ("inAppPurchaseType", "FREE", "ENTITY_ERROR.ATTRIBUTE.INVALID"),
        ("familySharable", "true", "ENTITY_ERROR.ATTRIBUTE.TYPE"), ("price", "1.0", "ENTITY_ERROR.ATTRIBUTE.UNKNOWN"),
    ])
    func `a bad attribute is refused with its pointer`(attribute: String, value: String, code: String) async throws {
        try await ConnectServer.run { connect in
            var attributes: [String: JSONValue] = [
                "name": "Coins", "productId": "coins", "inAppPurchaseType": "CONSUMABLE",
            ]
            attributes[attribute] = .string(value)
            let reply = try await connect.create(
                "v2/inAppPurchases", attributes, ["app": ConnectLink("apps", ConnectServer.magazine)])
            #expect(reply.status == 409 && reply.connectCode?.hasPrefix(code) == true, "\(reply.connectCode ?? "")")
            #expect(reply.pointer == "/data/attributes/\(attribute)")
        }
    }

    @Test func `a missing member is refused with its pointer`() async throws {
        try await ConnectServer.run { connect in
            let complete: [String: JSONValue] = [
                "name": "Coins", "productId": "coins", "inAppPurchaseType": "CONSUMABLE",
            ]
            for name in complete.keys {
                let reply = try await connect.create(
                    "v2/inAppPurchases", complete.filter { $0.key != name },
                    ["app": ConnectLink("apps", ConnectServer.magazine)])
                #expect(reply.connectCode == "ENTITY_ERROR.ATTRIBUTE.REQUIRED")
                #expect(reply.pointer == "/data/attributes/\(name)")
            }
            let homeless = try await connect.create("v2/inAppPurchases", complete)
            #expect(homeless.connectCode == "ENTITY_ERROR.RELATIONSHIP.REQUIRED")
            let elsewhere = try await connect.create("v2/inAppPurchases", complete, ["app": ConnectLink("apps", "1")])
            #expect(elsewhere.connectCode == "ENTITY_ERROR.RELATIONSHIP.INVALID")
            #expect(elsewhere.status == 409)
        }
    }

    @Test func `a product on sale isn't deleted before it is removed from sale`() async throws {
        try await ConnectServer.run { connect in
            let id = try await connect.appleID("film.roll")
            #expect(try await connect.read("v2/inAppPurchases/\(id)").attributes["state"] == "APPROVED")
            let refused = try await connect.remove("v2/inAppPurchases", id)
            #expect(refused.status == 409 && refused.connectCode?.hasPrefix("STATE_ERROR") == true)
            let off = try await connect.create(
                "v1/inAppPurchaseAvailabilities", ["availableInNewTerritories": false],
                ["inAppPurchase": ConnectLink("inAppPurchases", id)], lists: ["availableTerritories": []])
            #expect(off.status == 201)
            #expect(
                try await connect.read("v2/inAppPurchases/\(id)").attributes["state"] == "DEVELOPER_REMOVED_FROM_SALE")
            #expect(try await connect.remove("v2/inAppPurchases", id).status == 204)
        }
    }

    @Test func `a subscription is no in-app purchase, nor the other way round`() async throws {
        try await ConnectServer.run { connect in
            let (monthly, roll) = (try await connect.appleID("monthly"), try await connect.appleID("film.roll"))
            #expect(try await connect.read("v2/inAppPurchases/\(monthly)").status == 404)
            #expect(try await connect.read("v1/subscriptions/\(roll)").status == 404)
            #expect(try await connect.read("v2/inAppPurchases/0\(roll)").status == 404)
            #expect(try await connect.remove("v2/inAppPurchases", monthly).status == 404)
        }
    }
}
