import HTTPTypes
import Perennial
import PerennialStore
import TestSupport
import Testing

/// Offers for codes, custom codes and batches of one-time codes (docs/reference/seller-operations.md, "Offer codes").
struct OfferCodeEndpointTests {
    private static func subscriptionOffer(_ connect: ConnectServer) async throws -> String {
        let id = try await connect.appleID("monthly")
        let made = try await connect.createOffer(
            "subscriptionOfferCodes",
            [
                "name": "Spring", "customerEligibilities": ["NEW", "EXPIRED"],
                "offerEligibility": "REPLACE_INTRO_OFFERS", "duration": "ONE_MONTH", "offerMode": "FREE_TRIAL",
                "numberOfPeriods": 1,
            ], ["subscription": ConnectLink("subscriptions", id)], [], of: "subscriptionOfferCodePrices")
        #expect(made.status == 201)
        #expect(made.attributes["active"] == true && made.attributes["totalNumberOfCodes"] == 0)
        return try #require(made.data?["id"]?.text)
    }

    private static func sandbox(_ connect: ConnectServer) async throws -> Store {
        try await connect.shop.environment("Sandbox").store
    }

    private static func customer(_ connect: ConnectServer) async throws -> Customer {
        try await sandbox(connect).accounts.customer(account: "ann", bundleID: TestCatalog.bundleID)
    }

    @Test func `one-time codes are downloaded and redeemed where they were made`() async throws {
        try await ConnectServer.run { connect in
            let offer = try await Self.subscriptionOffer(connect)
            let link = ["offerCode": ConnectLink("subscriptionOfferCodes", offer)]
            let made = try await connect.create(
                "v1/subscriptionOfferCodeOneTimeUseCodes",
                ["numberOfCodes": 500, "expirationDate": "2099-01-01"], link)
            #expect(made.status == 201)
            #expect(made.attributes["environment"] == "SANDBOX")
            let batch = try #require(made.data?["id"]?.text)
            let values = try await connect.read("v1/subscriptionOfferCodeOneTimeUseCodes/\(batch)/values")
            #expect(values.headers[.contentType] == "text/csv")
            let lines = String(decoding: values.body, as: UTF8.self).split(separator: "\n")
            let codes = lines.map { String($0.prefix { $0 != "," }) }
            #expect(Set(codes).count == 500 && codes.allSatisfy { $0.count == 18 })
            #expect(lines.allSatisfy { $0.contains("https://") })

            let customer = try await Self.customer(connect)
            let code = try #require(codes.first)
            let sold = try await Self.sandbox(connect).purchases.redeem(code, idempotencyKey: nil, by: customer)
            #expect(sold.offer?.id == "Spring")
            let read = try await connect.read("v1/subscriptionOfferCodes/\(offer)?include=oneTimeUseCodes,subscription")
            #expect(read.attributes["sandboxCodeCount"] == 500 && read.attributes["productionCodeCount"] == 0)
            #expect(read["included"]?.elements?.count == 2)
        }
    }

    @Test func `deactivated codes and codes of a deactivated offer are not redeemed`() async throws {
        try await ConnectServer.run { connect in
            let offer = try await Self.subscriptionOffer(connect)
            let link = ["offerCode": ConnectLink("subscriptionOfferCodes", offer)]
            func make(_ code: String) async throws -> StoreServer.Reply {
                try await connect.create(
                    "v1/subscriptionOfferCodeCustomCodes",
                    ["customCode": .string(code), "numberOfCodes": 100], link)
            }
            let first = try await make("RADIO")
            #expect(first.status == 201 && first.attributes["expirationDate"] == .null)
            #expect(try await make("radio").connectCode == "ENTITY_ERROR.ATTRIBUTE.INVALID.DUPLICATE")
            #expect(try await make("no spaces!").pointer == "/data/attributes/customCode")
            _ = try await make("TV")
            let customer = try await Self.customer(connect)
            let ended = try await connect.change(
                "v1/subscriptionOfferCodeCustomCodes", try #require(first.data?["id"]?.text), ["active": false])
            #expect(ended.attributes["active"] == false)
            await #expect(throws: PurchaseRefusal.self) {
                try await Self.sandbox(connect).purchases.redeem("RADIO", idempotencyKey: nil, by: customer)
            }
            #expect(try await connect.change("v1/subscriptionOfferCodes", offer, ["active": false]).status == 200)
            await #expect(throws: PurchaseRefusal.self) {
                try await Self.sandbox(connect).purchases.redeem("TV", idempotencyKey: nil, by: customer)
            }
            let revived = try await connect.change("v1/subscriptionOfferCodes", offer, ["active": true])
            #expect((revived.status, revived.connectCode) == (409, "STATE_ERROR.ENTITY_STATE_INVALID"))
            #expect(try await make("LATE").connectCode == "STATE_ERROR")
        }
    }

    @Test func `an offer of a consumable has a price for each territory`() async throws {
        try await ConnectServer.run { connect in
            let id = try await connect.appleID("film.roll")
            let point = try await connect.pricePoint("v2/inAppPurchases", id, in: "USA", "0.49")
            let made = try await connect.createOffer(
                "inAppPurchaseOfferCodes", ["name": "GIFT", "customerEligibilities": ["NON_SPENDER"]],
                ["inAppPurchase": ConnectLink("inAppPurchases", id)],
                [InlinePrice(point, in: "USA"), InlinePrice(nil, in: "DEU")], of: "inAppPurchaseOfferPrices",
                point: "pricePoint")
            #expect(made.status == 201)
            let offer = try #require(made.data?["id"]?.text)
            #expect(try await connect.read("v2/inAppPurchases/\(id)/offerCodes").ids == [offer])
            let prices = try await connect.read("v1/inAppPurchaseOfferCodes/\(offer)/prices?include=territory")
            #expect(prices["included"]?.elements?.compactMap { $0["id"]?.text } == ["DEU", "USA"])
            let code = try await connect.create(
                "v1/inAppPurchaseOfferCodeCustomCodes", ["customCode": "FREE", "numberOfCodes": 10],
                ["offerCode": ConnectLink("inAppPurchaseOfferCodes", offer)])
            #expect(code.status == 201)
            let sold = try await Self.sandbox(connect).purchases.redeem(
                "FREE", idempotencyKey: nil, by: try await Self.customer(connect))
            #expect(sold.price == Money(milliunits: 490, .usd))
            let batch = try #require(code.data?["id"]?.text)
            let actor = try await connect.read(
                "v1/inAppPurchaseOfferCodeCustomCodes/\(batch)?include=createdByActor")
            #expect(actor["included"]?.elements?.count == 1)
        }
    }

    @Test func `codes for Sandbox are made from Production, and not the other way around`() async throws {
        try await ConnectServer.run { connect in
            let offer = try await Self.subscriptionOffer(connect)
            func make(_ prefix: String, _ environment: String) async throws -> StoreServer.Reply {
                try await connect.ask(
                    .post, "\(prefix)/v1/subscriptionOfferCodeOneTimeUseCodes",
                    [
                        "data": [
                            "type": "subscriptionOfferCodeOneTimeUseCodes",
                            "attributes": [
                                "numberOfCodes": 1, "expirationDate": "2099-01-01", "environment": .string(environment),
                            ],
                            "relationships": [
                                "offerCode": ["data": ConnectLink("subscriptionOfferCodes", offer).json]
                            ],
                        ]
                    ])
            }
            #expect(try await make("", "SANDBOX").attributes["environment"] == "SANDBOX")
            #expect(try await make("", "PRODUCTION").attributes["environment"] == "PRODUCTION")
            #expect(try await make("/sandbox", "PRODUCTION").pointer == "/data/attributes/environment")
            let own = try await connect.get("/v1/subscriptionOfferCodes/\(offer)")
            #expect(own.attributes["productionCodeCount"] == 1 && own.attributes["sandboxCodeCount"] == 1)
            #expect(try await connect.read("v1/subscriptionOfferCodes/\(offer)/oneTimeUseCodes").ids.count == 1)
        }
    }
}
