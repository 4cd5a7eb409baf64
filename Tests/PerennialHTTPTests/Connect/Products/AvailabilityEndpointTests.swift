import HTTPTypes
import Perennial
import PerennialConnect
import TestSupport
import Testing

/// Availabilities, storefronts and the settings of apps.
struct AvailabilityEndpointTests {
    private static func territories(_ codes: String...) -> [ConnectLink] {
        codes.map { ConnectLink("territories", $0) }
    }

    @Test func `all storefronts are listed with their currencies`() async throws {
        try await ConnectServer.run { connect in
            let reply = try await connect.read("v1/territories?limit=200")
            #expect(reply.ids.count == Storefront.all.count && reply.ids.contains("DEU"))
            let germany = reply.data?.elements?.first { $0["id"] == "DEU" }
            #expect(germany?["attributes"] == ["currency": "EUR"])
        }
    }

    @Test func `a new product has no availability until it is set`() async throws {
        try await ConnectServer.run { connect in
            let id = try await connect.makeProduct()
            let absent = try await connect.read("v2/inAppPurchases/\(id)/inAppPurchaseAvailability")
            #expect(absent.status == 404 && absent.connectCode == "NOT_FOUND")
            let made = try await connect.create(
                "v1/inAppPurchaseAvailabilities", ["availableInNewTerritories": true],
                ["inAppPurchase": ConnectLink("inAppPurchases", id)],
                lists: ["availableTerritories": Self.territories("USA", "DEU")])
            #expect(made.status == 201 && made.data?["id"]?.text == id)
            let list = try await connect.read("v1/inAppPurchaseAvailabilities/\(id)/availableTerritories?limit=200")
            #expect(list.ids == ["DEU", "USA"])
            #expect(
                try await connect.read("v2/inAppPurchases/\(id)/inAppPurchaseAvailability").attributes == [
                    "availableInNewTerritories": true
                ])
        }
    }

    @Test func `a subscription's availability is that of its plan`() async throws {
        try await ConnectServer.run { connect in
            let id = try await connect.appleID("monthly")
            let all = try await connect.read(
                "v1/subscriptions/\(id)/subscriptionAvailability?include=availableTerritories")
            #expect(all.data?["id"]?.text == id && all.attributes["availableInNewTerritories"] == true)
            let made = try await connect.create(
                "v1/subscriptionAvailabilities", ["availableInNewTerritories": false],
                ["subscription": ConnectLink("subscriptions", id)],
                lists: ["availableTerritories": Self.territories("USA")])
            #expect(made.status == 201)
            let plans = try await connect.read("v1/subscriptions/\(id)/planAvailabilities")
            #expect(plans.values("planType") == ["UPFRONT"])
            let plan = try #require(plans.ids.first)
            let path = "v1/subscriptionPlanAvailabilities/\(plan)"
            #expect(try await connect.read("\(path)/availableTerritories").ids == ["USA"])
            let replaced = try await connect.ask(
                .patch, "/sandbox/\(path)/relationships/availableTerritories",
                ["data": .array(Self.territories("FRA", "DEU").map(\.json))])
            #expect(replaced.status == 204)
            #expect(
                try await connect.read("v1/subscriptionAvailabilities/\(id)/availableTerritories").ids == [
                    "DEU", "FRA",
                ])
            let changed = try await connect.change(
                "v1/subscriptionPlanAvailabilities", plan, ["availableInNewTerritories": true])
            #expect(changed.attributes["availableInNewTerritories"] == true)
        }
    }

    @Test func `a plan that isn't cleared for sale keeps its territories`() async throws {
        try await ConnectServer.run { connect in
            let id = try await connect.appleID("monthly")
            let number = try #require(Int64(id))
            try await connect.editor.edit(by: .control) { draft in
                try draft.update(number) { product in
                    try product.setAvailability([.usa], includesNew: true)
                    product.product.isClearedForSale = false
                }
            }
            let changed = try await connect.change(
                "v1/subscriptionPlanAvailabilities", "\(id)_UPFRONT", ["availableInNewTerritories": false])
            #expect(changed.status == 200 && changed.attributes["availableInNewTerritories"] == false)
            let product = try #require(try await connect.editor.read { try $0.product(number) })
            #expect(!product.product.isClearedForSale && product.product.availability?.storefronts == [.usa])
        }
    }

    @Test func `only a subscription of a year has a monthly plan`() async throws {
        try await ConnectServer.run { connect in
            for (product, status) in [("monthly", 409), ("yearly", 201)] {
                let id = try await connect.appleID(product)
                let reply = try await connect.create(
                    "v1/subscriptionPlanAvailabilities", ["planType": "MONTHLY", "availableInNewTerritories": true],
                    ["subscription": ConnectLink("subscriptions", id)],
                    lists: ["availableTerritories": Self.territories("USA")])
                #expect(reply.status == status && reply.pointer == (status == 409 ? "/data/attributes/planType" : nil))
                let plans = try await connect.read("v1/subscriptions/\(id)/planAvailabilities").values("planType")
                #expect(plans == (status == 409 ? ["UPFRONT"] : ["UPFRONT", "MONTHLY"]))
            }
        }
    }

    @Test func `an app is offered in the storefronts of its availability`() async throws {
        try await ConnectServer.run { connect in
            let app = ConnectServer.magazine
            let before = try await connect.read("v1/apps/\(app)/appAvailabilityV2")
            #expect(before.data?["id"]?.text == app && before.attributes["availableInNewTerritories"] == true)
            let made = try await connect.ask(
                .post, "/sandbox/v2/appAvailabilities",
                [
                    "data": [
                        "type": "appAvailabilities", "attributes": ["availableInNewTerritories": false],
                        "relationships": [
                            "app": ["data": ["type": "apps", "id": .string(app)]],
                            "territoryAvailabilities": [
                                "data": [["type": "territoryAvailabilities", "id": "${us}"]]
                            ],
                        ],
                    ],
                    "included": [
                        [
                            "type": "territoryAvailabilities", "id": "${us}", "attributes": ["available": true],
                            "relationships": ["territory": ["data": ["type": "territories", "id": "USA"]]],
                        ]
                    ],
                ])
            #expect(made.status == 201, "\(made.json ?? .null)")
            let list = try await connect.read(
                "v2/appAvailabilities/\(app)/territoryAvailabilities?limit=200&include=territory")
            let offered = list.data?.elements?.filter { $0["attributes"]?["available"] == true } ?? []
            #expect(list.ids.count == Storefront.all.count && offered.count == 1)
            #expect(offered[0]["relationships"]?["territory"]?["data"]?["id"] == "USA")
            let other = try #require(
                list.data?.elements?.first { $0["attributes"]?["available"] == false }?["id"]?.text)
            let changed = try await connect.change("v1/territoryAvailabilities", other, ["available": true])
            #expect(changed.attributes["available"] == true)
            let ordered = try await connect.change("v1/territoryAvailabilities", other, ["preOrderEnabled": true])
            #expect(ordered.status == 409 && ordered.pointer == "/data/attributes/preOrderEnabled")
        }
    }

    @Test func `an unknown storefront is refused`() async throws {
        try await ConnectServer.run { connect in
            let id = try await connect.makeProduct()
            let reply = try await connect.create(
                "v1/inAppPurchaseAvailabilities", ["availableInNewTerritories": true],
                ["inAppPurchase": ConnectLink("inAppPurchases", id)],
                lists: ["availableTerritories": Self.territories("USA", "XYZ")])
            #expect(reply.status == 409 && reply.connectCode == "ENTITY_ERROR.RELATIONSHIP.INVALID")
            #expect(reply.pointer?.hasPrefix("/data/relationships/availableTerritories") == true)
            #expect(try await connect.read("v2/inAppPurchases/\(id)/inAppPurchaseAvailability").status == 404)
        }
    }

    @Test func `an app's notification URLs are set, changed and removed`() async throws {
        try await ConnectServer.run { connect in
            let set = try await connect.change(
                "v1/apps", ConnectServer.magazine,
                [
                    "subscriptionStatusUrl": "https://example.com/production", "subscriptionStatusUrlVersion": "V1",
                    "subscriptionStatusUrlForSandbox": "https://example.com/sandbox", "primaryLocale": "de-DE",
                    "contentRightsDeclaration": "DOES_NOT_USE_THIRD_PARTY_CONTENT",
                ])
            #expect(set.status == 200)
            #expect(set.attributes["subscriptionStatusUrlVersion"] == "V1")
            #expect(set.attributes["subscriptionStatusUrlVersionForSandbox"] == "V2")
            #expect(set.attributes["primaryLocale"] == "de-DE")
            #expect(set.attributes["contentRightsDeclaration"] == "DOES_NOT_USE_THIRD_PARTY_CONTENT")
            let stored = try await connect.server.control(
                .get, "/sandbox/control/v1/apps/com.example.magazine/notifications")
            #expect(stored["url"] == "https://example.com/sandbox")
            let editor = CatalogEditor(database: connect.shop.database) { TestStore.opening }
            let fields = try await editor.read { try $0.changes(after: 0, limit: 1000, app: 1_234_567) }
                .filter { $0.actor.description.hasPrefix("key:") }.flatMap(\.fields).map(\.name)
            #expect(fields.contains("subscriptionStatusUrl") && fields.contains("subscriptionStatusUrlForSandbox"))
            #expect(fields.contains("defaultLocale"))
            let removed = try await connect.change("v1/apps", ConnectServer.magazine, ["subscriptionStatusUrl": .null])
            #expect(removed.attributes["subscriptionStatusUrl"] == .null)
            #expect(removed.attributes["subscriptionStatusUrlForSandbox"] == "https://example.com/sandbox")
        }
    }

    @Test(arguments: [
        ("subscriptionStatusUrl", JSONValue.string("ftp://example.com"), "subscriptionStatusUrl"),
        ("subscriptionStatusUrlVersion", "V2", "subscriptionStatusUrl"), ("bundleId", "com.example.other", "bundleId"),
        ("primaryLocale", "xx", "primaryLocale"), ("accessibilityUrl", "example", "accessibilityUrl"),
    ])
    func `a bad setting of an app is refused with its pointer`(
        attribute: String, value: JSONValue, pointer: String
    ) async throws {
        try await ConnectServer.run { connect in
            let reply = try await connect.change("v1/apps", ConnectServer.magazine, [attribute: value])
            #expect(reply.status == 409 && reply.pointer == "/data/attributes/\(pointer)")
        }
    }
}
