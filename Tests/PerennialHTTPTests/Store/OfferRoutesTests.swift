import Foundation
import HTTPTypes
import Perennial
import PerennialStore
import TestSupport
import Testing

/// Offers as a device claims them (docs/reference/store.md).
struct OfferRoutesTests {
    private let key = TestOfferKey()

    private func run(_ test: @escaping @Sendable (StoreServer, _ token: String) async throws -> Void) async throws {
        try await StoreServer.run(app: TestCatalog.magazineWithOffers) { server in
            try await key.register(in: server.shop)
            let first = try await server.shop.buy("monthly", as: "ann")
            _ = try await server.shop.store.subscriptions.perform(.expire, on: first.originalID)
            try await test(server, try await server.signIn("/sandbox"))
        }
    }

    private static func body(_ offer: SignedOffer) -> [String: JSONValue] {
        [
            "identifier": .string(offer.offerID), "keyIdentifier": .string(offer.keyID), "nonce": .string(offer.nonce),
            "signature": .string(Data(offer.signature).base64EncodedString()),
            "timestamp": .number(Double(offer.timestamp.milliseconds)),
        ]
    }

    @Test func `a signed offer is sold at its price`() async throws {
        try await run { server, token in
            let offer = JSONValue.object(Self.body(try key.sign()))
            let reply = try await server.buy("monthly", token, more: ["offer": offer])
            #expect((reply.status, reply["transaction"]?["price"]) == (200, 2490))
        }
    }

    @Test func `a token grants its offer`() async throws {
        try await run { server, token in
            let jws = try key.token("promotional-offer", ["offerIdentifier": "half"])
            let reply = try await server.buy("monthly", token, more: ["offer": ["token": .string(jws)]])
            #expect((reply.status, reply["transaction"]?["price"]) == (200, 2490))
        }
    }

    @Test(arguments: ["identifier", "keyIdentifier", "nonce", "signature", "timestamp"])
    func `an offer without one of its parts is missingOfferParams`(part: String) async throws {
        try await run { server, token in
            var offer = Self.body(try key.sign())
            offer[part] = nil
            let reply = try await server.buy("monthly", token, more: ["offer": .object(offer)])
            #expect((reply.status, reply.error?["code"]) == (400, "missingOfferParameters"))
            #expect((reply.error?["field"], reply.error?["skError"]) == (.string("offer.\(part)"), 13))
        }
    }

    static let refusals: [(offer: String, nonce: String, code: JSONValue, skError: JSONValue)] = [
        ("none", TestOfferKey.nonce, "offerNotFound", 11), ("dear", TestOfferKey.nonce, "offerPriceInvalid", 14),
        ("half", "no UUID", "offerSignatureInvalid", 12),
    ]

    @Test(arguments: refusals.indices)
    func `a refused offer has StoreKit's number`(index: Int) async throws {
        let (id, nonce, code, skError) = Self.refusals[index]
        try await run { server, token in
            let offer = JSONValue.object(Self.body(try key.sign(id, nonce: nonce)))
            let reply = try await server.buy("monthly", token, more: ["offer": offer])
            #expect((reply.error?["code"], reply.error?["skError"], reply.error?["field"]) == (code, skError, "offer"))
        }
    }

    @Test func `products list their offers at the storefront's price, and eligibility`()
        async throws
    {
        try await run { server, ann in
            func monthly(_ token: String) async throws -> JSONValue {
                let reply = try await server.ask(
                    .post, "/sandbox/store/v1/products", ["productIds": ["monthly"]], bearer: token)
                return try #require(reply["products"]?.elements?.first?["subscription"])
            }
            let known = try await monthly(ann)
            #expect(known["isEligibleForIntroductoryOffer"] == false)
            try await server.shop.account("yuki", storefront: "JPN")
            let fresh = try await monthly(try await server.signIn("/sandbox", account: "yuki"))
            #expect(fresh["isEligibleForIntroductoryOffer"] == true)
            #expect(fresh["introductoryOffer"]?["paymentMode"] == "freeTrial")
            #expect(fresh["promotionalOffers"]?.elements?.first?["price"] == 100_000)
            // Listed for everybody: who is eligible is in the renewal information.
            #expect(fresh["winBackOffers"]?.elements?.map { $0["offerId"] } == ["return"])
            #expect(known["winBackOffers"]?.elements?.count == 1)
        }
    }
}
