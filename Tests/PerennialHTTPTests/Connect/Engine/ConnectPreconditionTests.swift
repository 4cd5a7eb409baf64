import HTTPTypes
import Perennial
import TestSupport
import Testing

/// Entity tags of resources and conditional changes (docs/reference/connect-api.md, "Two writers").
struct ConnectPreconditionTests {
    private static let path = "v2/inAppPurchases/101"

    private static func patch(
        _ connect: ConnectServer, _ name: String, ifMatch tag: String?
    ) async throws -> StoreServer.Reply {
        try await connect.ask(
            .patch, "/sandbox/\(path)",
            ["data": ["type": "inAppPurchases", "id": "101", "attributes": ["name": .string(name)]]],
            headers: headers(tag))
    }

    private static func headers(_ tag: String?) -> HTTPFields { tag.map { [.ifMatch: $0] } ?? [:] }

    private static func tag(_ connect: ConnectServer, _ path: String) async throws -> String {
        try #require(try await connect.read(path).headers[.eTag])
    }

    private static func expectTold(_ reply: StoreServer.Reply, pointer: String?) {
        #expect((reply.status, reply.connectCode) == (409, "STATE_ERROR"))
        #expect(reply.pointer == pointer)
    }

    @Test(arguments: Engine.allCases)
    func `of two writers who have read the same, the second is told`(engine: Engine) async throws {
        try await ConnectServer.run(on: engine) { connect in
            let tag = try await Self.tag(connect, Self.path)
            let first = try await Self.patch(connect, "First", ifMatch: tag)
            #expect(first.status == 200)
            Self.expectTold(try await Self.patch(connect, "Second", ifMatch: tag), pointer: "/data")
            #expect(try await connect.read(Self.path).attributes["name"] == "First")
            // The answer to a change has the tag for the next one.
            let next = try #require(first.headers[.eTag])
            #expect(next != tag)
            #expect(try await Self.patch(connect, "Third", ifMatch: next).status == 200)
        }
    }

    @Test(arguments: Engine.allCases)
    func `of many writers at once with one tag, one succeeds`(engine: Engine) async throws {
        try await ConnectServer.run(on: engine) { connect in
            let tag = try await Self.tag(connect, Self.path)
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for writer in 1...8 {
                    group.addTask { try await Self.patch(connect, "Writer \(writer)", ifMatch: tag).status }
                }
                return try await group.reduce(into: [Int]()) { $0.append($1) }
            }
            #expect(statuses.filter { $0 == 200 }.count == 1)
            #expect(statuses.filter { $0 == 409 }.count == 7)
        }
    }

    @Test func `fields, includes, hosts and a second reading don't change a tag`() async throws {
        try await ConnectServer.run { connect in
            let tag = try await Self.tag(connect, Self.path)
            #expect(tag.hasPrefix("\"") && tag.hasSuffix("\"") && tag.utf8.count == 34)
            #expect(try await Self.tag(connect, Self.path) == tag)
            #expect(try await Self.tag(connect, "\(Self.path)?fields[inAppPurchases]=state") == tag)
            #expect(try await Self.tag(connect, "\(Self.path)?include=inAppPurchaseLocalizations") == tag)
            #expect(try await connect.ask(.head, "/sandbox/\(Self.path)").headers[.eTag] == tag)
            let secure: HTTPFields = [try #require(HTTPField.Name("X-Forwarded-Proto")): "https"]
            #expect(try await connect.ask(.get, "/sandbox/\(Self.path)", headers: secure).headers[.eTag] == tag)
            // The same resource at the end of a relationship.
            let schedule = try await Self.tag(connect, "\(Self.path)/iapPriceSchedule")
            #expect(try await Self.tag(connect, "v1/inAppPurchasePriceSchedules/101") == schedule)
            #expect(try await connect.read("v1/apps/1234567/inAppPurchasesV2").headers[.eTag] == nil)
        }
    }

    @Test func `an upload's addresses, which each reading renews, don't change its tag`() async throws {
        try await ConnectServer.run { connect in
            let product = try await connect.makeProduct()
            let made = try await connect.create(
                "v1/inAppPurchaseAppStoreReviewScreenshots", ["fileName": "shot.png", "fileSize": 1000],
                ["inAppPurchaseV2": ConnectLink("inAppPurchases", product)])
            let id = try #require(made.data?["id"]?.text)
            let tag = try #require(made.headers[.eTag])
            connect.shop.clock.advance(by: 300_000)
            #expect(try await Self.tag(connect, "v1/inAppPurchaseAppStoreReviewScreenshots/\(id)") == tag)
        }
    }

    @Test func `a star asks for any resource, and weak or bare tags match none`() async throws {
        try await ConnectServer.run { connect in
            let tag = try await Self.tag(connect, Self.path)
            #expect(try await Self.patch(connect, "A", ifMatch: "*").status == 200)
            let now = try await Self.tag(connect, Self.path)
            for wrong in ["W/\(now)", String(now.dropFirst().dropLast()), "\"\"", "", tag] {
                Self.expectTold(try await Self.patch(connect, "B", ifMatch: wrong), pointer: "/data")
            }
            #expect(try await Self.patch(connect, "C", ifMatch: "\(tag), \(now)").status == 200)
            let unknown = try await connect.ask(
                .delete, "/sandbox/v2/inAppPurchases/999999", headers: [.ifMatch: "*"])
            #expect((unknown.status, unknown.connectCode) == (404, "NOT_FOUND"))
        }
    }

    @Test func `a deletion of what was changed meanwhile is refused`() async throws {
        try await ConnectServer.run { connect in
            let id = try await connect.makeProduct()
            let path = "/sandbox/v2/inAppPurchases/\(id)"
            let tag = try await Self.tag(connect, "v2/inAppPurchases/\(id)")
            #expect(try await connect.change("v2/inAppPurchases", id, ["name": "More coins"]).status == 200)
            Self.expectTold(try await connect.ask(.delete, path, headers: [.ifMatch: tag]), pointer: nil)
            let now = try await Self.tag(connect, "v2/inAppPurchases/\(id)")
            #expect(try await connect.ask(.delete, path, headers: [.ifMatch: now]).status == 204)
        }
    }

    @Test func `territories that a request replaces belong to an availability's tag`() async throws {
        try await ConnectServer.run { connect in
            func replace(_ territory: String, ifMatch tag: String?) async throws -> StoreServer.Reply {
                try await connect.ask(
                    .post, "/sandbox/v1/inAppPurchaseAvailabilities",
                    [
                        "data": [
                            "type": "inAppPurchaseAvailabilities",
                            "attributes": ["availableInNewTerritories": false],
                            "relationships": [
                                "inAppPurchase": ["data": ["type": "inAppPurchases", "id": "101"]],
                                "availableTerritories": ["data": [["type": "territories", "id": .string(territory)]]],
                            ],
                        ]
                    ], headers: Self.headers(tag))
            }
            #expect(try await replace("USA", ifMatch: nil).status == 201)
            let tag = try await Self.tag(connect, "v1/inAppPurchaseAvailabilities/101")
            #expect(try await replace("DEU", ifMatch: tag).status == 201)
            Self.expectTold(try await replace("FRA", ifMatch: tag), pointer: "/data")
            let places = try await connect.read("v1/inAppPurchaseAvailabilities/101/availableTerritories")
            #expect(places.ids == ["DEU"])
        }
    }

    @Test(arguments: ["UPFRONT", "MONTHLY"])
    func `a plan's availability is replaced only as it was read`(plan: String) async throws {
        try await ConnectServer.run { connect in
            let id = try await connect.appleID("yearly")
            func replace(_ territory: String, ifMatch tag: String?) async throws -> StoreServer.Reply {
                try await connect.ask(
                    .post, "/sandbox/v1/subscriptionPlanAvailabilities",
                    [
                        "data": [
                            "type": "subscriptionPlanAvailabilities",
                            "attributes": ["planType": .string(plan), "availableInNewTerritories": false],
                            "relationships": [
                                "subscription": ["data": ["type": "subscriptions", "id": .string(id)]],
                                "availableTerritories": ["data": [["type": "territories", "id": .string(territory)]]],
                            ],
                        ]
                    ], headers: Self.headers(tag))
            }
            let path = "v1/subscriptionPlanAvailabilities/\(id)_\(plan)"
            if plan == "MONTHLY" {
                // The availability of the other plan isn't what is replaced.
                Self.expectTold(try await replace("USA", ifMatch: "*"), pointer: "/data")
                #expect(try await connect.read(path).status == 404)
            }
            #expect(try await replace("USA", ifMatch: nil).status == 201)
            let tag = try await Self.tag(connect, path)
            let first = try await replace("DEU", ifMatch: tag)
            #expect(first.status == 201)
            Self.expectTold(try await replace("FRA", ifMatch: tag), pointer: "/data")
            #expect(try await connect.read("\(path)/availableTerritories").ids == ["DEU"])
            #expect(try await replace("FRA", ifMatch: first.headers[.eTag]).status == 201)
        }
    }

    @Test func `a subscription's price at once replaces only the one that was read`() async throws {
        try await ConnectServer.run { connect in
            let group = try await connect.create(
                "v1/subscriptionGroups", ["referenceName": "Club"], ["app": ConnectLink("apps", ConnectServer.magazine)]
            )
            let made = try await connect.create(
                "v1/subscriptions", ["name": "Club", "productId": "club", "subscriptionPeriod": "ONE_MONTH"],
                ["group": ConnectLink("subscriptionGroups", try #require(group.data?["id"]?.text))])
            let id = try #require(made.data?["id"]?.text)
            let offered = try await connect.create(
                "v1/subscriptionAvailabilities", ["availableInNewTerritories": true],
                ["subscription": ConnectLink("subscriptions", id)],
                lists: ["availableTerritories": [ConnectLink("territories", "USA")]])
            #expect(offered.status == 201)
            func price(_ milliunits: Int64, ifMatch tag: String?) async throws -> StoreServer.Reply {
                let point = PriceScheduleEndpointTests.point(id, "USA", costing: milliunits)
                return try await connect.ask(
                    .post, "/sandbox/v1/subscriptionPrices",
                    [
                        "data": [
                            "type": "subscriptionPrices",
                            "relationships": [
                                "subscription": ["data": ["type": "subscriptions", "id": .string(id)]],
                                "subscriptionPricePoint": [
                                    "data": ["type": "subscriptionPricePoints", "id": .string(point)]
                                ],
                            ],
                        ]
                    ], headers: Self.headers(tag))
            }
            Self.expectTold(try await price(1990, ifMatch: "*"), pointer: "/data")
            let first = try await price(1990, ifMatch: nil)
            #expect(first.status == 201)
            let tag = try #require(first.headers[.eTag])
            let second = try await price(2990, ifMatch: tag)
            #expect(second.status == 201 && second.headers[.eTag] != tag)
            Self.expectTold(try await price(3990, ifMatch: tag), pointer: "/data")
            #expect(
                try await connect.read("v1/subscriptions/\(id)/prices").ids == [try #require(second.data?["id"]?.text)])
        }
    }

    @Test func `a price schedule is replaced only as it was read`() async throws {
        try await ConnectServer.run { connect in
            func replace(_ milliunits: Int64, ifMatch tag: String?) async throws -> StoreServer.Reply {
                let point = PriceScheduleEndpointTests.point("101", "USA", costing: milliunits)
                return try await connect.ask(
                    .post, "/sandbox/v1/inAppPurchasePriceSchedules",
                    [
                        "data": [
                            "type": "inAppPurchasePriceSchedules",
                            "relationships": [
                                "inAppPurchase": ["data": ["type": "inAppPurchases", "id": "101"]],
                                "baseTerritory": ["data": ["type": "territories", "id": "USA"]],
                                "manualPrices": ["data": [["type": "inAppPurchasePrices", "id": "${row}"]]],
                            ],
                        ],
                        "included": [
                            [
                                "type": "inAppPurchasePrices", "id": "${row}",
                                "relationships": [
                                    "inAppPurchasePricePoint": [
                                        "data": ["type": "inAppPurchasePricePoints", "id": .string(point)]
                                    ]
                                ],
                            ]
                        ],
                    ], headers: Self.headers(tag))
            }
            let tag = try await Self.tag(connect, "v1/inAppPurchasePriceSchedules/101")
            let first = try await replace(1990, ifMatch: tag)
            #expect(first.status == 201)
            Self.expectTold(try await replace(2990, ifMatch: tag), pointer: "/data")
            #expect(try await replace(2990, ifMatch: first.headers[.eTag]).status == 201)
            // A product without a schedule has none to be replaced.
            let product = try await connect.makeProduct()
            let none = try await connect.ask(
                .post, "/sandbox/v1/inAppPurchaseAvailabilities",
                [
                    "data": [
                        "type": "inAppPurchaseAvailabilities", "attributes": ["availableInNewTerritories": true],
                        "relationships": [
                            "inAppPurchase": ["data": ["type": "inAppPurchases", "id": .string(product)]],
                            "availableTerritories": ["data": [["type": "territories", "id": "USA"]]],
                        ],
                    ]
                ], headers: [.ifMatch: "*"])
            Self.expectTold(none, pointer: "/data")
        }
    }

    @Test func `an order of promotions is replaced only as it was read`() async throws {
        try await ConnectServer.run { connect in
            var ids: [String] = []
            for product in ["film.roll", "filter.amber"] {
                let made = try await connect.create(
                    "v1/promotedPurchases", ["visibleForAllUsers": true],
                    [
                        "app": ConnectLink("apps", ConnectServer.magazine),
                        "inAppPurchaseV2": ConnectLink("inAppPurchases", try await connect.appleID(product)),
                    ])
                ids.append(try #require(made.data?["id"]?.text))
            }
            let path = "v1/apps/\(ConnectServer.magazine)/relationships/promotedPurchases"
            let tag = try await Self.tag(connect, path)
            func order(_ ids: [String]) async throws -> StoreServer.Reply {
                try await connect.ask(
                    .patch, "/sandbox/\(path)",
                    ["data": .array(ids.map { ConnectLink("promotedPurchases", $0).json })],
                    headers: [.ifMatch: tag])
            }
            #expect(try await order(ids.reversed()).status == 204)
            Self.expectTold(try await order(ids), pointer: "/data")
            #expect(try await connect.read(path).ids == ids.reversed())
        }
    }
}
