import BaseEncoding
import HTTPTypes
import Perennial
import PerennialHTTP
import TestSupport
import Testing

/// Price points and price schedules of in-app purchases and apps (docs/reference/connect-api.md).
struct PriceScheduleEndpointTests {
    /// The consumable of the test catalog, at 0.99.
    private static let roll = "101"

    static func point(_ product: String, _ territory: String, _ number: String) -> String {
        Base64.encode(Array(#"{"s":"\#(product)","t":"\#(territory)","p":"\#(number)"}"#.utf8), as: .url)
    }

    /// The ID of the price point with a price, in thousandths.
    static func point(_ product: String, _ territory: String, costing milliunits: Int64) -> String {
        let currency = Storefront(rawValue: territory).currency ?? .usd
        return point(
            product, territory,
            PricePoint.point(of: Money(milliunits: milliunits, currency)).map { String($0.number) } ?? "none")
    }

    private static func row(
        _ number: Int, _ territory: String, costing milliunits: Int64, _ start: String? = nil, _ end: String? = nil
    ) -> JSONValue {
        row(number, territory, point: point(roll, territory, costing: milliunits), start, end)
    }

    /// Returns a row of `included`.
    private static func row(
        _ number: Int, _ territory: String, point: String, _ start: String? = nil, _ end: String? = nil
    ) -> JSONValue {
        func date(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }
        return [
            "type": "inAppPurchasePrices", "id": .string("${\(number)}"),
            "attributes": ["startDate": date(start), "endDate": date(end)],
            "relationships": [
                "inAppPurchasePricePoint": [
                    "data": [
                        "type": "inAppPurchasePricePoints", "id": .string(point),
                    ]
                ]
            ],
        ]
    }

    private static func schedule(_ rows: [JSONValue], base: String = "USA") -> JSONValue {
        let linkages = rows.map {
            JSONValue.object(["type": "inAppPurchasePrices", "id": $0["id"] ?? .null])
        }
        return [
            "data": [
                "type": "inAppPurchasePriceSchedules",
                "relationships": [
                    "inAppPurchase": ["data": ["type": "inAppPurchases", "id": .string(Self.roll)]],
                    "baseTerritory": ["data": ["type": "territories", "id": .string(base)]],
                    "manualPrices": ["data": .array(linkages)],
                ],
            ],
            "included": .array(rows),
        ]
    }

    @Test func `price points have amounts, proceeds and a territory in their ID`() async throws {
        try await ConnectServer.run { connect in
            let path = "/v2/inAppPurchases/\(Self.roll)/pricePoints"
            let some = try await connect.get("\(path)?filter[territory]=USA,JPN&limit=8000&include=territory")
            #expect(some.status == 200)
            #expect(some["meta"]?["paging"]?["total"] == 1797)
            let points = try #require(some.data?.elements)
            #expect(points.count == 1797)
            let dollar = try #require(points.first { $0["id"]?.text == Self.point(Self.roll, "USA", costing: 990) })
            #expect(dollar["attributes"]?["customerPrice"] == "0.99")
            // The test app's tax is 19 %: (0.99 - 0.16) less 30 %.
            #expect(dollar["attributes"]?["proceeds"] == "0.59")
            #expect(dollar["relationships"]?["territory"]?["data"]?["id"] == "USA")
            #expect(points.contains { $0["id"]?.text == Self.point(Self.roll, "JPN", "10001") })
            // Its own price in Japan is no price point.
            #expect(points.contains { $0["attributes"]?["customerPrice"] == "120.0" })
            let first = try await connect.get("\(path)?limit=200")
            #expect(first["meta"]?["paging"]?["limit"] == 200 && first["links"]?["next"] != nil)

            let equal = try await connect.get(
                "/v1/inAppPurchasePricePoints/\(Self.point(Self.roll, "USA", costing: 990))/equalizations?limit=200")
            #expect(equal.data?.elements?.count == Storefront.all.count - 1)
            let japan = equal.data?.elements?.first { $0["id"]?.text == Self.point(Self.roll, "JPN", "10010") }
            #expect(japan?["attributes"]?["customerPrice"] == "99.0")
        }
    }

    @Test func `a schedule is replaced, sold by the clock and read again`() async throws {
        try await ConnectServer.run { connect in
            let rows = [
                Self.row(1, "USA", costing: 1490, nil, "2026-01-10"), Self.row(2, "USA", costing: 2990, "2026-01-10"),
                Self.row(3, "DEU", costing: 1990),
            ]
            let made = try await connect.ask(.post, "/v1/inAppPurchasePriceSchedules", Self.schedule(rows))
            #expect(made.status == 201, "\(made.json)")
            #expect(made.data?["id"]?.text == Self.roll)
            let path = "/v1/inAppPurchasePriceSchedules/\(Self.roll)"
            let manual = try await connect.get("\(path)/manualPrices?include=inAppPurchasePricePoint,territory")
            let found = try #require(manual.data?.elements)
            #expect(found.map { $0["relationships"]?["territory"]?["data"]?["id"]?.text } == ["DEU", "USA", "USA"])
            #expect(found.map { $0["attributes"]?["startDate"] } == [.null, .null, "2026-01-10"])
            #expect(found.map { $0["attributes"]?["endDate"] } == [.null, "2026-01-10", .null])
            #expect(found.allSatisfy { $0["attributes"]?["manual"] == true })
            #expect(manual["included"]?.elements?.count == 5)
            let automatic = try await connect.get("\(path)/automaticPrices?filter[territory]=JPN")
            #expect(automatic.data?.elements?.map { $0["attributes"]?["startDate"] } == [.null, "2026-01-10"])
            let all = try await connect.get("\(path)/automaticPrices?limit=200")
            #expect(all["meta"]?["paging"]?["total"] == .number(Double(2 * (Storefront.all.count - 2))))
            #expect(try await connect.get("\(path)/baseTerritory").data?["id"] == "USA")
            let related = try await connect.get("/v2/inAppPurchases/\(Self.roll)/iapPriceSchedule?include=manualPrices")
            #expect(related["included"]?.elements?.count == 3)

            #expect(try await connect.shop.buy("film.roll", as: "ann").price == Money(milliunits: 1490, .usd))
            try await connect.shop.account("hana", storefront: "JPN")
            #expect(try await connect.shop.buy("film.roll", as: "hana").price == Money(milliunits: 149_000, .jpy))
            // The tenth begins at midnight in Los Angeles.
            connect.shop.clock.advance(by: .days(9) + .hours(7))
            #expect(try await connect.shop.buy("film.roll", as: "ann").price == Money(milliunits: 1490, .usd))
            connect.shop.clock.advance(by: .hours(1))
            #expect(try await connect.shop.buy("film.roll", as: "ann").price == Money(milliunits: 2990, .usd))
            #expect(try await connect.shop.buy("film.roll", as: "hana").price == Money(milliunits: 299_000, .jpy))
            let later = try await connect.get("\(path)/manualPrices?filter[territory]=USA")
            #expect(later.data?.elements?.map { $0["attributes"]?["startDate"] } == ["2026-01-10"])
        }
    }

    @Test(arguments: [
        (
            [row(1, "DEU", costing: 1990)], "ENTITY_ERROR.BASE_TERRITORY_INTERVAL_REQUIRED",
            "/data/relationships/manualPrices"
        ),
        (
            [row(1, "USA", costing: 1490, nil, "2026-02-10"), row(2, "USA", costing: 2990, "2026-02-11")],
            "ENTITY_ERROR.INVALID_INTERVAL", "/data/relationships/manualPrices"
        ),
        (
            [row(1, "USA", costing: 1490, nil, "2025-12-01"), row(2, "USA", costing: 2990, "2025-12-01")],
            "ENTITY_ERROR.ATTRIBUTE.INVALID", "/included/1/attributes/startDate"
        ),
        (
            [row(1, "USA", point: point(roll, "USA", "99999"))], "ENTITY_ERROR.RELATIONSHIP.INVALID",
            "/included/0/relationships/inAppPurchasePricePoint/data/id"
        ),
        (
            [row(1, "USA", point: point(roll, "USA", "x123450"))], "ENTITY_ERROR.RELATIONSHIP.INVALID",
            "/included/0/relationships/inAppPurchasePricePoint/data/id"
        ),
    ])
    func `a refused schedule changes nothing`(rows: [JSONValue], code: String, pointer: String) async throws {
        try await ConnectServer.run { connect in
            let reply = try await connect.ask(.post, "/v1/inAppPurchasePriceSchedules", Self.schedule(rows))
            #expect((reply.status, reply.connectCode) == (409, code), "\(reply.json)")
            #expect(reply.connectError?["source"]?["pointer"]?.text == pointer)
            #expect(try await connect.shop.buy("film.roll", as: "ann").price == Money(milliunits: 990, .usd))
        }
    }

    @Test func `an app has a price schedule by the same rules`() async throws {
        try await ConnectServer.run { connect in
            let app = "1234567"
            let point = try await connect.get("/v1/apps/\(app)/appPricePoints?filter[territory]=USA&limit=200")
            let paid = try #require(point.data?.elements?.first { $0["attributes"]?["customerPrice"] == "0.99" })
            let free = try await connect.get("/v1/appPriceSchedules/\(app)/manualPrices?include=appPricePoint")
            #expect(free["included"]?.elements?.first?["attributes"]?["customerPrice"] == "0.0")
            let body: JSONValue = [
                "data": [
                    "type": "appPriceSchedules",
                    "relationships": [
                        "app": ["data": ["type": "apps", "id": .string(app)]],
                        "baseTerritory": ["data": ["type": "territories", "id": "USA"]],
                        "manualPrices": ["data": [["type": "appPrices", "id": "${p}"]]],
                    ],
                ],
                "included": [
                    [
                        "type": "appPrices", "id": "${p}",
                        "relationships": [
                            "appPricePoint": ["data": ["type": "appPricePoints", "id": paid["id"] ?? .null]]
                        ],
                    ]
                ],
            ]
            let made = try await connect.ask(.post, "/v1/appPriceSchedules", body)
            #expect(made.status == 201, "\(made.json)")
            let automatic = try await connect.get(
                "/v1/appPriceSchedules/\(app)/automaticPrices?filter[territory]=JPN&include=appPricePoint")
            #expect(automatic["included"]?.elements?.first?["attributes"]?["customerPrice"] == "99.0")
        }
    }
}
