import HTTPTypes
import Perennial
import PerennialHTTP
import TestSupport
import Testing

/// Products, groups and offers in the control API (docs/reference/control.md, "Catalog").
struct CatalogControlTests {
    private static let products = "/control/v1/apps/com.example.magazine/catalog/products"
    private static let groups = "/control/v1/apps/com.example.magazine/catalog/groups"

    @Test(arguments: ProductType.allCases)
    func `a product of each type is made, changed and deleted`(type: ProductType) async throws {
        try await StoreServer.run { server in
            var body: [String: JSONValue] = [
                "productId": "new.one", "type": .string(type.rawValue), "name": "New one",
                "localizations": [["locale": "en_US", "name": "The new one"]],
            ]
            if type == .autoRenewable {
                let group = try await server.control(.post, Self.groups, ["name": "Club"])
                #expect(group.status == 201)
                body["group"] = "Club"
                body["period"] = "P1M"
            }
            let made = try await server.control(.post, Self.products, .object(body))
            #expect(made.status == 201)
            #expect(made["productId"] == "new.one" && made["type"]?.text == type.rawValue)
            #expect(made["localizations"]?.elements?.first?["locale"] == "en-US")
            #expect((made["appleId"]?.text?.count ?? 0) >= 10)

            let path = "\(Self.products)/new.one"
            let changed = try await server.control(
                .post, path,
                [
                    "name": "Newer", "reviewNote": "Look at page 3",
                    "localizations": [
                        ["locale": "de-DE", "name": "Das neue"], ["locale": "en-US", "description": "All of it"],
                    ],
                    "storefronts": ["USA", "DEU"],
                ])
            #expect(changed.status == 200)
            #expect(changed["name"] == "Newer" && changed["reviewNote"] == "Look at page 3")
            #expect(changed["storefronts"] == ["DEU", "USA"])
            #expect(changed["localizations"]?.elements?.count == 2)
            #expect(changed["localizations"]?.elements?.first?["description"] == "All of it")
            #expect(try await server.control(.get, path).body == changed.body)
            #expect(try await server.control(.delete, path).status == 204)
            #expect(try await server.control(.get, path).status == 404)
            let again = try await server.control(.post, Self.products, .object(body))
            #expect((again.status, again.error?["field"]) == (409, "productId"), "an ID is never used again")
        }
    }

    @Test func `a value that breaks a rule is refused with its field`() async throws {
        try await StoreServer.run { server in
            let path = "\(Self.products)/monthly"
            let cases: [(JSONValue, String)] = [
                (["name": .string(String(repeating: "x", count: 75))], "name"),
                (["familyShareable": true, "period": "P1Y"], "subscriptionPeriod"),
                (["localizations": [["locale": "xx-XX", "name": "X"]]], "locale"),
                (["localizations": [["locale": "fr-FR", "description": "X"]]], "name"),
                (["taxCategory": .string(String(repeating: "x", count: 65))], "taxCategory"),
                (["taxCategory": "books\nand more"], "taxCategory"),
            ]
            for (body, field) in cases {
                let reply = try await server.control(.post, path, body)
                #expect((reply.status, reply.error?["field"]?.text) == (409, field), "\(body)")
            }
            let unknown = try await server.control(.post, path, ["colour": "red"])
            #expect((unknown.status, unknown.error?["field"]) == (400, "colour"))
            let found = try await server.control(.get, path)
            #expect(found["familyShareable"] == false, "nothing of a refused change is done")
            let late = try await server.control(.post, path, ["name": "Later", "revision": 0])
            #expect((late.status, late.error?["code"]) == (409, "changedMeanwhile"))
        }
    }

    @Test func `a product on sale isn't deleted, and one that is taken off sale is`() async throws {
        try await StoreServer.run { server in
            let path = "\(Self.products)/film.roll"
            let refused = try await server.control(.delete, path)
            #expect((refused.status, refused.error?["code"]) == (409, "stateInvalid"))
            let removed = try await server.control(.post, path, ["storefronts": []])
            #expect(removed["state"] == "DEVELOPER_REMOVED_FROM_SALE")
            #expect(try await server.shop.refusal(of: "film.roll", as: "ann").code == .productNotAvailable)
            #expect(try await server.control(.delete, path).status == 204)
        }
    }

    @Test func `a product that isn't cleared for sale stays off sale`() async throws {
        try await StoreServer.run { server in
            let path = "\(Self.products)/film.roll"
            let changes: [JSONValue] = [
                ["clearedForSale": false, "storefronts": ["USA"]], ["includesNewStorefronts": true],
            ]
            for change in changes {
                let reply = try await server.control(.post, path, change)
                #expect(reply.status == 200 && reply["clearedForSale"] == false && reply["storefronts"] == ["USA"])
                #expect(reply["state"] == "DEVELOPER_REMOVED_FROM_SALE")
            }
            let sold = try await server.control(.post, path, ["storefronts": ["USA"]])
            #expect(sold["clearedForSale"] == true && sold["state"] == "APPROVED")
        }
    }

    @Test func `only the end of an introductory offer changes`() async throws {
        try await StoreServer.run { server in
            let path = "\(Self.products)/monthly/offers"
            let made = try await server.control(
                .post, path,
                ["kind": "introductory", "paymentMode": "payAsYouGo", "price": 990, "ends": "2094-01-31"])
            #expect(made.status == 201)
            let cases: [(JSONValue, String)] = [
                ([:], "ends"), (["price": 1990], "price"),
                (["ends": "2094-02-28", "storefronts": ["USA"]], "storefronts"),
            ]
            for (body, field) in cases {
                let reply = try await server.control(.post, "\(path)/introductory/all", body)
                #expect((reply.status, reply.error?["field"]?.text) == (409, field), "\(body)")
            }
            let kept = try await server.control(.get, path)["offers"]?.elements?.first
            #expect(kept?["ends"] == "2094-01-31")
            let changed = try await server.control(.post, "\(path)/introductory/all", ["ends": "2094-02-28"])
            #expect(changed["offers"]?.elements?.first?["ends"] == "2094-02-28")
        }
    }

    @Test func `a group is made, named and deleted when it is empty`() async throws {
        try await StoreServer.run { server in
            let made = try await server.control(
                .post, Self.groups,
                ["name": "Club", "localizations": [["locale": "en-US", "name": "The club", "customAppName": "Mag"]]])
            #expect(made.status == 201)
            let path = "\(Self.groups)/\(made["groupId"]?.text ?? "")"
            let renamed = try await server.control(.post, path, ["name": "Circle"])
            #expect(renamed["name"] == "Circle" && renamed["localizations"]?.elements?.first?["customAppName"] == "Mag")
            let taken = try await server.control(.post, Self.groups, ["name": "Circle"])
            #expect((taken.status, taken.error?["code"]) == (409, "duplicate"))
            let full = try await server.control(.delete, "\(Self.groups)/magazine")
            #expect((full.status, full.error?["code"]) == (409, "state"))
            #expect(try await server.control(.delete, path).status == 204)
            let listed = try await server.control(.get, Self.groups)["groups"]?.elements
            #expect(Set(listed?.compactMap { $0["groupId"]?.text } ?? []) == ["magazine", "family"])
            let products = listed?.first { $0["groupId"] == "magazine" }?["products"]
            #expect(products == ["yearly", "monthly"], "the highest level first")
        }
    }

    @Test func `offers of each kind are made, listed and deleted`() async throws {
        try await StoreServer.run { server in
            let path = "\(Self.products)/monthly/offers"
            let orders: [JSONValue] = [
                ["kind": "introductory", "paymentMode": "payAsYouGo", "periodCount": 2, "price": 990],
                ["kind": "promotional", "offerId": "half", "paymentMode": "payAsYouGo", "price": 1990],
                ["kind": "code", "name": "radio", "paymentMode": "freeTrial", "period": "P1W", "eligibility": ["new"]],
                [
                    "kind": "winBack", "offerId": "return", "paymentMode": "payAsYouGo", "price": 990,
                    "storefronts": ["USA"], "winBack": ["paidMonths": 3, "priority": "HIGH"],
                ],
            ]
            for order in orders {
                let reply = try await server.control(.post, path, order)
                #expect(reply.status == 201, "\(order): \(reply.error ?? .null)")
            }
            let offers = try #require(try await server.control(.get, path)["offers"]?.elements)
            #expect(offers.compactMap { $0["kind"]?.text } == ["introductory", "promotional", "code", "winBack"])
            #expect(offers[0]["prices"]?["USA"] == 990 && offers[0]["prices"]?["JPN"] != nil)
            #expect(offers[3]["prices"] == ["USA": 990] && offers[3]["winBack"]?["priority"] == "HIGH")
            let again = try await server.control(.post, path, orders[0])
            #expect((again.status, again.error?["code"]) == (409, "invalidInterval"))
            let ended = try await server.control(.post, "\(path)/code/radio", ["active": false])
            #expect(ended["offers"]?.elements?[2]["active"] == false)
            for name in ["introductory/DEU", "introductory/all", "promotional/half", "winBack/return"] {
                #expect(try await server.control(.delete, "\(path)/\(name)").status == 200, "\(name)")
            }
            let left = try await server.control(.get, path)["offers"]?.elements
            #expect(left?.compactMap { $0["kind"]?.text } == ["code"])
            #expect(try await server.control(.delete, "\(path)/promotional/half").status == 404)
        }
    }

    @Test func `a product that doesn't renew has offers for codes only`() async throws {
        try await StoreServer.run { server in
            let path = "\(Self.products)/film.roll/offers"
            let made = try await server.control(.post, path, ["kind": "code", "name": "gift"])
            #expect(made.status == 201 && made["offers"]?.elements?.first?["offerId"] == "gift")
            let trial = try await server.control(.post, path, ["kind": "introductory", "paymentMode": "freeTrial"])
            #expect((trial.status, trial.error?["field"]) == (409, "kind"))
        }
    }
}
