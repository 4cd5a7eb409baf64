import HTTPTypes
import TestSupport
import Testing

/// control/v1 and store/v1: offer codes, made and redeemed.
struct OfferCodeRoutesTests {
    private static let base = "/sandbox/control/v1"
    private static let codes = "\(base)/apps/com.example.magazine/offer-codes"

    private func run(_ test: @escaping @Sendable (StoreServer) async throws -> Void) async throws {
        try await StoreServer.run(app: TestCatalog.magazineWithOffers, test)
    }

    @Test func `codes are made, listed, and redeemed by device and operator`() async throws {
        try await run { server in
            let made = try await server.control(
                .post, Self.codes,
                [
                    "productId": "monthly", "offerId": "radio", "kind": "custom", "code": "spring",
                    "maximumRedemptions": 9,
                ])
            #expect((made.status, made["codes"]?.elements?.first?["code"]) == (201, "SPRING"))
            let redeemed = try await server.control(
                .post, "\(Self.base)/redemptions",
                ["bundleId": "com.example.magazine", "account": "bob", "code": "SPRING"])
            #expect(redeemed.status == 200)
            #expect(redeemed["signedTransaction"]?.text?.split(separator: ".").count == 3)
            let token = try await server.signIn("/sandbox")
            let bought = try await server.ask(
                .post, "/sandbox/store/v1/redemptions", ["code": "Spring", "idempotencyKey": "k"], bearer: token)
            #expect((bought.status, bought["transaction"]?["price"]) == (200, 4990))
            let again = try await server.ask(
                .post, "/sandbox/store/v1/redemptions", ["code": "Spring", "idempotencyKey": "k"], bearer: token)
            #expect(again.json == bought.json)
            let listed = try await server.control(.get, Self.codes)
            #expect(listed["codes"]?.elements?.map { $0["redemptions"] } == [2])
        }
    }

    @Test func `codes of products that don't renew are redeemed by device and operator`() async throws {
        try await StoreServer.run(app: TestCatalog.magazineWithOneTimeOffers()) { server in
            let order: JSONValue = [
                "productId": "film.roll", "offerId": "gift", "kind": "custom", "code": "spring",
            ]
            #expect(try await server.control(.post, Self.codes, order).status == 201)
            let redeemed = try await server.control(
                .post, "\(Self.base)/redemptions",
                ["bundleId": "com.example.magazine", "account": "bob", "code": "SPRING"])
            #expect(redeemed.status == 200)
            let token = try await server.signIn("/sandbox")
            let bought = try await server.ask(
                .post, "/sandbox/store/v1/redemptions", ["code": "Spring", "idempotencyKey": "k"], bearer: token)
            #expect((bought.status, bought["transaction"]?["price"]) == (200, 490))
            #expect(
                (bought["transaction"]?["productId"], bought["transaction"]?["type"]) == ("film.roll", "consumable"))
            let again = try await server.ask(
                .post, "/sandbox/store/v1/redemptions", ["code": "Spring", "idempotencyKey": "other"], bearer: token)
            #expect((again.status, again.error?["code"]) == (409, "offerNotAvailable"))
            #expect(try await server.control(.get, Self.codes)["codes"]?.elements?.map { $0["redemptions"] } == [2])
            // An operator grants the offer without a code; one that the product doesn't have is refused.
            for (offer, status) in [("gift", 200), ("other", 404)] {
                let sold = try await server.control(
                    .post, "\(Self.base)/purchases",
                    [
                        "bundleId": "com.example.magazine", "account": "cid", "productId": "film.roll",
                        "offerId": .string(offer),
                    ])
                #expect(sold.status == status, "\(offer)")
            }
        }
    }

    static let refusals: [(body: JSONValue, status: Int, code: JSONValue, field: JSONValue?)] = [
        (["productId": "monthly", "offerId": "none", "kind": "oneTime"], 404, "offerNotFound", nil),
        (["productId": "monthly", "offerId": "radio", "kind": "x"], 400, "malformedRequest", "kind"),
        (["productId": "monthly", "offerId": "radio", "kind": "custom"], 400, "malformedRequest", "code"),
        (
            ["productId": "monthly", "offerId": "radio", "kind": "oneTime", "count": 0], 400, "malformedRequest",
            "count"
        ),
        (
            ["productId": "monthly", "offerId": "radio", "kind": "oneTime", "expires": "soon"], 400, "malformedRequest",
            "expires"
        ),
    ]

    @Test(arguments: refusals.indices)
    func `what can't be made is refused`(index: Int) async throws {
        let (body, status, code, field) = Self.refusals[index]
        try await run { server in
            let reply = try await server.control(.post, Self.codes, body)
            #expect((reply.status, reply.error?["code"], reply.error?["field"]) == (status, code, field))
        }
    }

    @Test func `an unknown code has StoreKit's number`() async throws {
        try await run { server in
            let token = try await server.signIn("/sandbox")
            let reply = try await server.ask(.post, "/sandbox/store/v1/redemptions", ["code": "NONE"], bearer: token)
            #expect((reply.status, reply.error?["code"], reply.error?["skError"]) == (409, "codeNotRedeemable", 11))
        }
    }

    @Test func `a request of Ask to Buy lapses when the clock has moved by a day`() async throws {
        try await run { server in
            let place = "/environments/staging"
            let token = try await server.signIn(place)
            let asked = try await server.buy("film.roll", token, at: place, more: ["simulatesAskToBuy": true])
            #expect((asked.status, asked.json) == (202, ["state": "deferred"]))
            let list = "\(place)/control/v1/approvals?bundleId=com.example.magazine"
            let id = try #require(try await server.control(.get, list)["approvals"]?.elements?.first?["id"]?.text)
            _ = try await server.control(.post, "\(place)/control/v1/clock/advance", ["by": "P1D"])
            #expect(try await server.control(.get, list)["approvals"] == [])
            let late = try await server.control(.post, "\(place)/control/v1/approvals/\(id)/approve")
            #expect((late.status, late.json) == (200, [:]))
        }
    }
}
