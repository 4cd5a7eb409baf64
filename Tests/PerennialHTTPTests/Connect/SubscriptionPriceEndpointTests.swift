import HTTPTypes
import Perennial
import PerennialHTTP
import TestSupport
import Testing

/// `subscriptionPrices` (docs/reference/connect-api.md).
struct SubscriptionPriceEndpointTests {
    private static func id(of product: String, _ connect: ConnectServer) async throws -> String {
        let groups = try await connect.get(
            "/v1/apps/1234567/subscriptionGroups?include=subscriptions&limit[subscriptions]=50")
        let found = groups["included"]?.elements?.first { $0["attributes"]?["productId"]?.text == product }
        return try #require(found?["id"]?.text)
    }

    private static func price(
        _ id: String, _ territory: String, costing milliunits: Int64, start: String? = nil, preserve: Bool? = nil,
        of owner: String? = nil
    ) -> JSONValue {
        var attributes: [String: JSONValue] = ["startDate": start.map { .string($0) } ?? .null]
        if let preserve { attributes["preserveCurrentPrice"] = .bool(preserve) }
        return [
            "data": [
                "type": "subscriptionPrices", "attributes": .object(attributes),
                "relationships": [
                    "subscription": ["data": ["type": "subscriptions", "id": .string(id)]],
                    "territory": ["data": ["type": "territories", "id": .string(territory)]],
                    "subscriptionPricePoint": [
                        "data": [
                            "type": "subscriptionPricePoints",
                            "id": .string(
                                PriceScheduleEndpointTests.point(owner ?? id, territory, costing: milliunits)),
                        ]
                    ],
                ],
            ]
        ]
    }

    @Test func `a price is added, sold from its day on, and can be deleted before`() async throws {
        try await ConnectServer.run { connect in
            let id = try await Self.id(of: "monthly", connect)
            let made = try await connect.ask(
                .post, "/v1/subscriptionPrices",
                Self.price(id, "USA", costing: 7990, start: "2026-01-03", preserve: true))
            #expect(made.status == 201, "\(made.json)")
            #expect(made.data?["attributes"]?["startDate"] == "2026-01-03")
            let path = "/v1/subscriptions/\(id)/prices?filter[territory]=USA&include=subscriptionPricePoint,territory"
            let rows = try await connect.get(path)
            #expect(rows.data?.elements?.map { $0["attributes"]?["startDate"] } == [.null, "2026-01-03"])
            #expect(rows.data?.elements?.map { $0["attributes"]?["planType"] } == ["UPFRONT", "UPFRONT"])
            #expect(
                rows["included"]?.elements?.compactMap { $0["attributes"]?["customerPrice"]?.text } == ["4.99", "7.99"])
            let second = try await connect.ask(
                .post, "/v1/subscriptionPrices", Self.price(id, "USA", costing: 8990, start: "2026-02-03"))
            #expect((second.status, second.connectCode) == (409, "STATE_ERROR"))

            let row = try #require(made.data?["id"]?.text)
            #expect(try await connect.ask(.delete, "/v1/subscriptionPrices/\(row)").status == 204)
            #expect(try await connect.ask(.delete, "/v1/subscriptionPrices/\(row)").status == 404)
            let again = try await connect.ask(
                .post, "/v1/subscriptionPrices",
                Self.price(id, "USA", costing: 7990, start: "2026-01-03", preserve: true))
            #expect(again.status == 201)
            #expect(try await connect.shop.buy("monthly", as: "ann").price.milliunits == 4990)
            connect.shop.clock.advance(by: .days(3))
            #expect(try await connect.shop.buy("monthly", as: "ben").price.milliunits == 7990)
            let after = try await connect.get(path)
            #expect(after.data?.elements?.map { $0["attributes"]?["preserved"] } == [true, false])
            let started = try await connect.ask(.delete, "/v1/subscriptionPrices/\(row)")
            #expect((started.status, started.connectCode) == (409, "STATE_ERROR"))
        }
    }

    @Test func `prices of all territories are read in pages`() async throws {
        try await ConnectServer.run { connect in
            let id = try await Self.id(of: "monthly", connect)
            let all = try await connect.get("/v1/subscriptions/\(id)/prices?limit=200&include=territory")
            #expect(all.data?.elements?.count == Storefront.all.count)
            let point = PriceScheduleEndpointTests.point(id, "USA", costing: 7990)
            let found = try await connect.get("/v1/subscriptionPricePoints/\(point)?include=territory")
            #expect(found.data?["attributes"]?["customerPrice"] == "7.99")
            #expect(found.data?["attributes"]?["proceedsYear2"] == "5.7")
            #expect(try await connect.get("/v1/subscriptionPricePoints/nonsense").status == 404)
            let equal = try await connect.get(
                "/v1/subscriptionPricePoints/\(point)/adjustedEqualizations?filter[territory]=DEU")
            #expect(equal.data?.elements?.count == 1)
        }
    }

    @Test func `an update makes prices inline, and a linkage removes them`() async throws {
        try await ConnectServer.run { connect in
            let id = try await Self.id(of: "monthly", connect)
            func inline(_ number: Int, _ territory: String) -> JSONValue {
                [
                    "type": "subscriptionPrices", "id": .string("${\(number)}"),
                    "attributes": ["startDate": "2026-01-05"],
                    "relationships": [
                        "subscriptionPricePoint": [
                            "data": [
                                "type": "subscriptionPricePoints",
                                "id": .string(PriceScheduleEndpointTests.point(id, territory, costing: 7990)),
                            ]
                        ]
                    ],
                ]
            }
            let body: JSONValue = [
                "data": [
                    "type": "subscriptions", "id": .string(id),
                    "relationships": [
                        "prices": [
                            "data": [
                                ["type": "subscriptionPrices", "id": "${0}"],
                                ["type": "subscriptionPrices", "id": "${1}"],
                            ]
                        ]
                    ],
                ],
                "included": [inline(0, "DEU"), inline(1, "FRA")],
            ]
            // Of a request with a wrong price nothing is done.
            let half = JSONValue.object(
                body.members?.merging(["included": [inline(0, "DEU"), inline(1, "DEU")]]) { $1 } ?? [:])
            let refused = try await connect.ask(.patch, "/v1/subscriptions/\(id)", half)
            #expect((refused.status, refused.connectCode) == (409, "STATE_ERROR"))
            #expect(refused.connectError?["source"]?["pointer"] == "/included/1/attributes/startDate")
            let untouched = try await connect.get("/v1/subscriptions/\(id)/prices?filter[territory]=DEU")
            #expect(untouched.data?.elements?.count == 1)
            let changed = try await connect.ask(.patch, "/v1/subscriptions/\(id)", body)
            #expect(changed.status == 200, "\(changed.json)")
            let path = "/v1/subscriptions/\(id)/prices?filter[territory]=DEU,FRA"
            let rows = try #require(try await connect.get(path).data?.elements)
            let later = rows.filter { $0["attributes"]?["startDate"] == "2026-01-05" }
            #expect((rows.count, later.count) == (4, 2))
            let linkages = later.map { JSONValue.object(["type": "subscriptionPrices", "id": $0["id"] ?? .null]) }
            let removed = try await connect.ask(
                .delete, "/v1/subscriptions/\(id)/relationships/prices", ["data": .array(linkages)])
            #expect(removed.status == 204, "\(removed.json)")
            #expect(try await connect.get(path).data?.elements?.count == 2)
        }
    }

    @Test func `a refusal has Apple's code and pointer`() async throws {
        try await ConnectServer.run { connect in
            let (id, other) = (try await Self.id(of: "monthly", connect), try await Self.id(of: "yearly", connect))
            let cases: [(JSONValue, String, String)] = [
                (Self.price(id, "USA", costing: 7990), "ENTITY_ERROR.ATTRIBUTE.INVALID", "/data/attributes/startDate"),
                (
                    Self.price(id, "USA", costing: 7990, start: "2025-12-31"), "ENTITY_ERROR.ATTRIBUTE.INVALID",
                    "/data/attributes/startDate"
                ),
                (
                    Self.price(id, "USA", costing: 7990, start: "2026-02-01", of: other),
                    "ENTITY_ERROR.RELATIONSHIP.INVALID", "/data/relationships/subscriptionPricePoint/data/id"
                ),
                (
                    Self.price(id, "USA", costing: 7994, start: "2026-02-01"), "ENTITY_ERROR.RELATIONSHIP.INVALID",
                    "/data/relationships/subscriptionPricePoint/data/id"
                ),
            ]
            for (body, code, pointer) in cases {
                let reply = try await connect.ask(.post, "/v1/subscriptionPrices", body)
                #expect((reply.status, reply.connectCode) == (409, code), "\(reply.json)")
                #expect(reply.connectError?["source"]?["pointer"]?.text == pointer)
            }
        }
    }

    @Test func `a change of all territories is made at once in the control API`() async throws {
        try await ConnectServer.run { connect in
            let path = "/control/v1/apps/com.example.magazine/catalog/products/monthly/prices"
            let order: JSONValue = ["price": 5990, "at": "2026-02-01T00:00:00Z"]
            let seen = try await connect.server.control(.post, "\(path)/preview", order)
            #expect(seen.status == 200 && seen["storefronts"]?.elements?.count == Storefront.all.count)
            let changed = try await connect.server.control(.post, path, order)
            #expect(changed.status == 200, "\(changed.json)")
            #expect(changed["prices"]?.elements?.count == 2 * Storefront.all.count)
            let late = try await connect.server.control(.post, path, ["price": 6990, "revision": 0])
            #expect((late.status, late.error?["code"]) == (409, "changedMeanwhile"))
            let one = try await connect.server.control(.get, "\(path)?storefront=JPN")
            #expect(one["prices"]?.elements?.map { $0["price"] } == [5000, 6000])
            let cancelled = try await connect.server.control(
                .post, "\(path)/cancel", ["at": "2026-02-01T00:00:00Z", "storefront": "USA"])
            #expect(cancelled.status == 404, "it is one price for all")
            let all = try await connect.server.control(.post, "\(path)/cancel", ["at": "2026-02-01T00:00:00Z"])
            #expect(all["prices"]?.elements?.count == Storefront.all.count)
        }
    }
}
