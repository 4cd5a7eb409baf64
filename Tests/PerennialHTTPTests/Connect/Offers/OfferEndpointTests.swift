import HTTPTypes
import Perennial
import PerennialStore
import TestSupport
import Testing

/// Introductory, promotional and win-back offers (docs/reference/seller-operations.md, "Offers").
struct OfferEndpointTests {
    private static let trial: [String: JSONValue] = [
        "duration": "ONE_WEEK", "offerMode": "FREE_TRIAL", "numberOfPeriods": 1,
    ]
    private static let paid: [String: JSONValue] = [
        "duration": "ONE_MONTH", "offerMode": "PAY_AS_YOU_GO", "numberOfPeriods": 3,
    ]

    @Test func `an introductory offer of a territory is created, listed, changed and deleted`() async throws {
        try await ConnectServer.run { connect in
            let id = try await connect.appleID("monthly")
            let point = try await connect.pricePoint("v1/subscriptions", id, in: "DEU", "1.99")
            let made = try await connect.create(
                "v1/subscriptionIntroductoryOffers", Self.paid,
                [
                    "subscription": ConnectLink("subscriptions", id), "territory": ConnectLink("territories", "DEU"),
                    "subscriptionPricePoint": ConnectLink("subscriptionPricePoints", point),
                ])
            #expect(made.status == 201)
            #expect(
                made.attributes
                    == Self.paid.merging([
                        "startDate": .null, "endDate": .null, "targetSubscriptionPlanType": "UPFRONT",
                    ]) { $1 })
            let offer = try #require(made.data?["id"]?.text)
            let list = try await connect.read(
                "v1/subscriptions/\(id)/introductoryOffers?include=territory,subscriptionPricePoint")
            #expect(list.ids == [offer])
            #expect(Set(list["included"]?.elements?.compactMap { $0["id"]?.text } ?? []) == ["DEU", point])
            #expect(
                try await connect.read("v1/subscriptions/\(id)/introductoryOffers?filter[territory]=USA").ids == [])

            let again = try await connect.create(
                "v1/subscriptionIntroductoryOffers", Self.trial,
                ["subscription": ConnectLink("subscriptions", id)])
            #expect((again.status, again.connectCode) == (409, "ENTITY_ERROR.INVALID_INTERVAL"))

            let ended = try await connect.change(
                "v1/subscriptionIntroductoryOffers", offer, ["endDate": "2099-01-01"])
            #expect(ended.attributes["endDate"] == "2099-01-01")
            let removed = try await connect.ask(
                .delete, "/sandbox/v1/subscriptions/\(id)/relationships/introductoryOffers",
                ["data": [ConnectLink("subscriptionIntroductoryOffers", offer).json]])
            #expect(removed.status == 204)
            #expect(try await connect.read("v1/subscriptions/\(id)/introductoryOffers").ids == [])
        }
    }

    @Test func `a free trial with a price and a paid offer without one are refused`() async throws {
        try await ConnectServer.run { connect in
            let id = try await connect.appleID("monthly")
            let point = try await connect.pricePoint("v1/subscriptions", id, in: "USA", "0.99")
            let links = ["subscription": ConnectLink("subscriptions", id)]
            let priced = try await connect.create(
                "v1/subscriptionIntroductoryOffers", Self.trial,
                links.merging(["subscriptionPricePoint": ConnectLink("subscriptionPricePoints", point)]) { $1 })
            #expect((priced.status, priced.connectCode) == (409, "ENTITY_ERROR.RELATIONSHIP.INVALID"))
            #expect(priced.pointer == "/data/relationships/subscriptionPricePoint")
            let unpriced = try await connect.create("v1/subscriptionIntroductoryOffers", Self.paid, links)
            #expect((unpriced.status, unpriced.connectCode) == (409, "ENTITY_ERROR.RELATIONSHIP.REQUIRED"))
        }
    }

    @Test func `a promotional offer has prices by territory, which are replaced`() async throws {
        try await ConnectServer.run { connect in
            let id = try await connect.appleID("monthly")
            let usa = try await connect.pricePoint("v1/subscriptions", id, in: "USA", "1.99")
            let japan = try await connect.pricePoint("v1/subscriptions", id, in: "JPN", "300.0")
            let attributes = Self.paid.merging(["name": "Loyal", "offerCode": "loyal"]) { $1 }
            let links = ["subscription": ConnectLink("subscriptions", id)]
            let made = try await connect.createOffer(
                "subscriptionPromotionalOffers", attributes, links, [InlinePrice(usa), InlinePrice(japan, in: "JPN")],
                of: "subscriptionPromotionalOfferPrices")
            #expect(made.status == 201)
            let offer = try #require(made.data?["id"]?.text)
            let prices = try await connect.read(
                "v1/subscriptionPromotionalOffers/\(offer)/prices?include=territory,subscriptionPricePoint")
            #expect(prices.ids.count == 2)
            #expect(
                Set(prices["included"]?.elements?.compactMap { $0["id"]?.text } ?? [])
                    == [usa, japan, "USA", "JPN"])
            let filtered = try await connect.read(
                "v1/subscriptionPromotionalOffers/\(offer)/prices?filter[territory]=JPN")
            #expect(filtered.ids.count == 1)

            let duplicate = try await connect.createOffer(
                "subscriptionPromotionalOffers", attributes, links, [InlinePrice(usa)],
                of: "subscriptionPromotionalOfferPrices")
            #expect((duplicate.status, duplicate.connectCode) == (409, "ENTITY_ERROR.ATTRIBUTE.INVALID.DUPLICATE"))
            #expect(duplicate.pointer == "/data/attributes/offerCode")
            let wrong = try await connect.createOffer(
                "subscriptionPromotionalOffers", attributes.merging(["name": "B", "offerCode": "b"]) { $1 }, links,
                [InlinePrice(japan), InlinePrice(usa, in: "DEU")], of: "subscriptionPromotionalOfferPrices")
            #expect(wrong.status == 409)
            #expect(wrong.pointer == "/included/1/relationships/subscriptionPricePoint")

            #expect(try await connect.remove("v1/subscriptionPromotionalOffers", offer).status == 204)
            #expect(try await connect.read("v1/subscriptionPromotionalOffers/\(offer)").status == 404)
        }
    }

    @Test func `a win-back offer is created with its rules and listed by priority`() async throws {
        try await ConnectServer.run { connect in
            let id = try await connect.appleID("monthly")
            let point = try await connect.pricePoint("v1/subscriptions", id, in: "USA", "0.99")
            func make(_ code: String, _ priority: String) async throws -> StoreServer.Reply {
                try await connect.createOffer(
                    "winBackOffers",
                    [
                        "referenceName": .string("Return \(code)"), "offerId": .string(code), "duration": "ONE_MONTH",
                        "offerMode": "PAY_AS_YOU_GO", "periodCount": 1, "priority": .string(priority),
                        "customerEligibilityPaidSubscriptionDurationInMonths": 2,
                        "customerEligibilityTimeSinceLastSubscribedInMonths": ["minimum": 1, "maximum": 6],
                        "startDate": "2099-01-01",
                    ], ["subscription": ConnectLink("subscriptions", id)], [InlinePrice(point, in: "USA")],
                    of: "winBackOfferPrices")
            }
            let first = try await make("first", "NORMAL")
            #expect(first.status == 201)
            #expect(
                first.attributes["customerEligibilityTimeSinceLastSubscribedInMonths"]
                    == ["minimum": 1, "maximum": 6])
            let second = try await make("second", "HIGH")
            let ids = try [second, first].map { try #require($0.data?["id"]?.text) }
            #expect(try await connect.read("v1/subscriptions/\(id)/winBackOffers").ids == ids)
            let changed = try await connect.change(
                "v1/winBackOffers", ids[1], ["priority": "HIGH", "endDate": "2099-02-01"])
            #expect(changed.attributes["endDate"] == "2099-02-01")
            #expect(try await make("first", "HIGH").connectCode == "ENTITY_ERROR.ATTRIBUTE.INVALID.DUPLICATE")
            #expect(try await connect.remove("v1/winBackOffers", ids[0]).status == 204)
        }
    }

    @Test func `offers of an imported catalog are listed`() async throws {
        try await ConnectServer.run(app: TestCatalog.magazineWithOffers) { connect in
            let id = try await connect.appleID("monthly")
            let names = try await connect.read(
                "v1/subscriptions/\(id)/promotionalOffers?include=prices&limit[prices]=50")
            #expect(names.values("offerCode") == ["half", "dear"])
            #expect(try await connect.read("v1/subscriptions/\(id)/introductoryOffers").ids.count == 1)
            #expect(
                try await connect.read("v1/subscriptions/\(id)/offerCodes").values("name") == ["radio", "newcomers"])
            #expect(try await connect.read("v1/subscriptions/\(id)/winBackOffers").values("offerId") == ["return"])
        }
    }
}
