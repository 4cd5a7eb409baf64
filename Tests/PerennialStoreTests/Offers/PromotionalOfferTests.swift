import Perennial
import PerennialStorage
import PerennialStore
import TestSupport
import Testing

/// Promotional offers need a signature, valid once (docs/reference/apple-behaviour.md, "Offer tokens").
struct PromotionalOfferTests {
    private let key = TestOfferKey()
    private let monthly = Product.ID(rawValue: "monthly")

    /// Creates a store whose customer ann had the monthly subscription and left.
    private func makeShop(on engine: Engine = .sqliteInMemory) async throws -> TestStore {
        let shop = try await TestStore.make(on: engine, app: TestCatalog.magazineWithOffers)
        try await key.register(in: shop)
        let first = try await shop.buy("monthly", as: "ann")
        _ = try await shop.store.subscriptions.perform(.expire, on: first.originalID)
        return shop
    }

    private func buy(
        _ claim: OfferClaim, in shop: TestStore, as account: String = "ann", product: String = "monthly",
        username: String? = nil, key: String? = nil
    ) async throws -> Transaction {
        try await shop.store.purchases.buy(
            PurchaseRequest(
                productID: Product.ID(rawValue: product), applicationUsername: username, claim: claim,
                idempotencyKey: key), by: try await shop.customer(account))
    }

    @Test(arguments: Engine.allCases)
    func `a signed offer is sold at its price, and its nonce once`(engine: Engine) async throws {
        let shop = try await makeShop(on: engine)
        let claim = OfferClaim.signed(try key.sign())
        let sold = try await buy(claim, in: shop, key: "k")
        #expect(sold.price.milliunits == 2490)
        #expect(sold.offer?.kind == .promotional)
        #expect(sold.offer?.id == "half")
        #expect(try await buy(claim, in: shop, key: "k") == sold)
        _ = try await shop.store.subscriptions.perform(.expire, on: sold.originalID)
        await #expect(throws: PurchaseRefusal(.offerSignatureInvalid, monthly, "")) {
            try await buy(claim, in: shop, key: "l")
        }
        #expect(try await shop.sumOfPostings() == ["USD": 0])
    }

    @Test(arguments: Engine.allCases)
    func `a nonce is stored as long as its signature is valid`(engine: Engine) async throws {
        let shop = try await makeShop(on: engine)
        let refusal = PurchaseRefusal(.offerSignatureInvalid, monthly, "")
        // A seller's clock may be ahead: such a signature is valid for longer than a day after its use.
        let ahead = TestStore.opening + .minutes(5)
        func signed(_ digit: Int) throws -> OfferClaim {
            .signed(
                try key.sign(
                    nonce: "1a2b3c4d-0000-4000-8000-00000000000\(digit)", at: digit == 1 ? ahead : shop.clock.now))
        }
        func sell(_ digit: Int) async throws {
            let sold = try await buy(try signed(digit), in: shop, key: "\(digit)")
            _ = try await shop.store.subscriptions.perform(.expire, on: sold.originalID)
        }
        try await sell(1)
        let first = try signed(1)
        shop.clock.advance(by: .hours(24) + .minutes(5) - 1)
        try await sell(2)
        #expect(try await shop.count("offer_nonces") == 2)
        await #expect(throws: refusal) { try await buy(first, in: shop, key: "again") }
        shop.clock.advance(by: 2)
        await #expect(throws: refusal) { try await buy(first, in: shop, key: "expired") }
        try await sell(3)
        #expect(try await shop.count("offer_nonces") == 2)
    }

    /// Goal: signatures by the wall clock are valid wherever a test has moved the environment's clock.
    @Test(arguments: [Int64.days(400), -.days(400)])
    func `on a manual clock signatures by either clock are valid, once`(away: Int64) async throws {
        let house = try await TestStore.make(app: TestCatalog.magazineWithOffers)
        try await key.register(in: house)
        _ = try await house.registry.makeEnvironment(
            "lab", kind: .sandbox, clock: .manual, now: TestStore.opening + away)
        let shop = try await house.environment("lab")
        func end(_ sold: Transaction) async throws {
            _ = try await shop.store.subscriptions.perform(.expire, on: sold.originalID)
        }
        func claims(at now: Instant, _ digit: Int) throws -> [OfferClaim] {
            let nonces = (0...1).map { "1a2b3c4d-0000-4000-8000-0000000000\(digit)\($0)" }
            let token = try key.token(
                "promotional-offer", ["offerIdentifier": "half", "nonce": .string(nonces[1])], at: now)
            return [.signed(try key.sign(nonce: nonces[0], at: now)), .token(token)]
        }
        try await end(try await shop.buy("monthly", as: "ann"))
        let byWorld = try claims(at: TestStore.opening, 1)
        for claim in try byWorld + claims(at: TestStore.opening + away, 2) {
            let sold = try await buy(claim, in: shop)
            #expect(sold.offer?.id == "half")
            try await end(sold)
        }
        for claim in try claims(at: TestStore.opening + 2 * away, 3) + claims(at: TestStore.opening + away / 2, 4) {
            await #expect(throws: PurchaseRefusal(.offerSignatureInvalid, monthly, "")) {
                try await buy(claim, in: shop)
            }
        }
        // Months later by the environment's clock, and still valid by the wall clock.
        _ = try await shop.store.clock.advance(to: TestStore.opening + away + .days(60))
        for claim in try claims(at: TestStore.opening, 5) { try await end(try await buy(claim, in: shop)) }
        for claim in byWorld {
            await #expect(throws: PurchaseRefusal(.offerSignatureInvalid, monthly, "")) {
                try await buy(claim, in: shop)
            }
        }
    }

    @Test func `a refused purchase leaves the nonce valid`() async throws {
        let shop = try await makeShop()
        let claim = OfferClaim.signed(try key.sign())
        try await shop.account("ann", payment: .declined)
        await #expect(throws: PurchaseRefusal(.paymentDeclined, monthly, "")) { try await buy(claim, in: shop) }
        try await shop.account("ann", payment: .valid)
        #expect(try await buy(claim, in: shop).price.milliunits == 2490)
    }

    static let forgeries: [(what: String, change: @Sendable (inout SignedOffer) -> Void)] = [
        ("offer", { $0.offerID = "dear" }), ("key", { $0.keyID = "OFFERKEY33" }),
        ("nonce", { $0.nonce = "1a2b3c4d-0000-4000-8000-abcdefabcdee" }),
        ("timestamp", { $0.timestamp = $0.timestamp + 1 }), ("signature", { $0.signature[10] ^= 1 }),
        ("no signature", { $0.signature = [] }),
    ]

    @Test(arguments: forgeries.indices)
    func `a value that differs from the signed one is refused`(
        index: Int
    ) async throws {
        let shop = try await makeShop()
        let before = try await shop.journal().count
        var offer = try key.sign()
        Self.forgeries[index].change(&offer)
        await #expect(throws: PurchaseRefusal(.offerSignatureInvalid, monthly, ""), "\(Self.forgeries[index].what)") {
            try await buy(.signed(offer), in: shop)
        }
        #expect(try await shop.journal().count == before)
    }

    @Test func `an offer's signature covers token, product and time`() async throws {
        let shop = try await makeShop()
        let refusal = PurchaseRefusal(.offerSignatureInvalid, monthly, "")
        let mine = OfferClaim.signed(try key.sign(username: "AAAA"))
        await #expect(throws: refusal) { try await buy(mine, in: shop, username: "bbbb") }
        await #expect(throws: refusal) { try await buy(.signed(try key.sign(product: "yearly")), in: shop) }
        let old = try key.sign(at: TestStore.opening + -.hours(24))
        await #expect(throws: refusal) { try await buy(.signed(old), in: shop) }
        #expect(try await buy(mine, in: shop, username: "aaaa").offer?.id == "half")
    }

    @Test func `other apps' keys, other kinds and revoked keys sign no offer`() async throws {
        let shop = try await makeShop()
        let others = [TestOfferKey("OFFERKEY44"), TestOfferKey("OFFERKEY55"), TestOfferKey("OFFERKEY66")]
        try await others[0].register(in: shop, app: TestCatalog.camera.appleID)
        try await others[1].register(in: shop, .connectAPI)
        try await others[2].register(in: shop, revoked: TestStore.opening)
        for other in others {
            await #expect(throws: PurchaseRefusal(.offerSignatureInvalid, monthly, "")) {
                try await buy(.signed(try other.sign()), in: shop)
            }
        }
    }

    @Test func `each reason to refuse an offer has its own error`() async throws {
        let shop = try await makeShop()
        await #expect(throws: PurchaseRefusal(.offerNotFound, monthly, "")) {
            try await buy(.signed(try key.sign("none")), in: shop)
        }
        await #expect(throws: PurchaseRefusal(.offerPriceInvalid, monthly, "")) {
            try await buy(.signed(try key.sign("dear")), in: shop)
        }
        await #expect(throws: PurchaseRefusal(.offerNotAvailable, monthly, "")) {
            try await buy(.signed(try key.sign()), in: shop, as: "bob")
        }
        await #expect(throws: PurchaseRefusal(.offerNotFound, monthly, "")) {
            try await buy(.signed(try key.sign(product: "film.roll")), in: shop, product: "film.roll")
        }
    }

    @Test func `a promotional-offer token grants its offer once`() async throws {
        let shop = try await makeShop()
        let other = try key.token("promotional-offer", ["offerIdentifier": "half", "productId": "yearly"])
        await #expect(throws: PurchaseRefusal(.offerSignatureInvalid, monthly, "")) {
            try await buy(.token(other), in: shop)
        }
        let nameless = try key.token("promotional-offer")
        await #expect(throws: PurchaseRefusal(.offerNotFound, monthly, "")) {
            try await buy(.token(nameless), in: shop)
        }
        let token = OfferClaim.token(try key.token("promotional-offer", ["offerIdentifier": "half"]))
        let sold = try await buy(token, in: shop, key: "k")
        #expect(sold.offer?.id == "half")
        _ = try await shop.store.subscriptions.perform(.expire, on: sold.originalID)
        await #expect(throws: PurchaseRefusal(.offerSignatureInvalid, monthly, "")) {
            try await buy(token, in: shop, key: "l")
        }
    }

    private func download(of account: String, in shop: TestStore) async throws -> String {
        let key = try await shop.customer(account).key
        return AppTransactionID(account: key.account, app: key.app).description
    }

    @Test func `a promotional-offer token can name its customer by a transaction`() async throws {
        let shop = try await makeShop()
        func token(for id: String, nonce: Int) throws -> OfferClaim {
            .token(
                try key.token(
                    "promotional-offer",
                    [
                        "offerIdentifier": "half", "transactionId": .string(id),
                        "nonce": .string("1a2b3c4d-0000-4000-8000-00000000000\(nonce)"),
                    ]))
        }
        let bobs = try await shop.buy("film.roll", as: "bob")
        for others in ["\(bobs.id)", try await download(of: "bob", in: shop), "7", "x"] {
            await #expect(throws: PurchaseRefusal(.offerSignatureInvalid, monthly, "")) {
                try await buy(token(for: others, nonce: 1), in: shop)
            }
        }
        let anns = try await shop.buy("film.roll", as: "ann")
        for (number, own) in ["\(anns.id)", try await download(of: "ann", in: shop)].enumerated() {
            let sold = try await buy(token(for: own, nonce: number), in: shop)
            #expect(sold.offer?.id == "half")
            _ = try await shop.store.subscriptions.perform(.expire, on: sold.originalID)
        }
    }

    @Test(arguments: [true, false])
    func `allowIntroductoryOffer decides for the customer of transactionId`(
        isAllowed: Bool
    ) async throws {
        let shop = try await makeShop()
        // A customer who had the offer in the group can't have it again unless the seller allows it.
        let account = isAllowed ? "ann" : "bob"
        // A customer without purchases is named by the app transaction.
        let own =
            isAllowed ? "\(try await shop.buy("film.roll", as: "ann").id)" : try await download(of: "bob", in: shop)
        for (claim, value) in [("allowIntroductoryOffer", JSONValue.bool(isAllowed)), ("transactionId", .string(own))] {
            let half = try key.token("introductory-offer-eligibility", [claim: value])
            await #expect(throws: PurchaseRefusal(.offerSignatureInvalid, monthly, ""), "\(claim) alone") {
                try await buy(.token(half), in: shop, as: account)
            }
        }
        let token = try key.token(
            "introductory-offer-eligibility",
            ["allowIntroductoryOffer": .bool(isAllowed), "transactionId": .string(own)])
        let sold = try await buy(.token(token), in: shop, as: account)
        #expect((sold.offer?.kind == .introductory) == isAllowed)
    }

    @Test func `an advanced-commerce-api token buys nothing`() async throws {
        let shop = try await makeShop()
        let before = try await shop.journal().count
        let token = try key.token(
            "advanced-commerce-api", ["request": "eyJvcGVyYXRpb24iOiJDUkVBVEVfT05FX1RJTUVfQ0hBUkdFIn0="])
        await #expect(throws: PurchaseRefusal(.offerSignatureInvalid, monthly, "")) {
            try await buy(.token(token), in: shop)
        }
        #expect(try await shop.journal().count == before)
    }

    @Test(arguments: ["", "a.b", "a.b.c", "e30.e30.AA"])
    func `a malformed offer token is refused`(text: String) async throws {
        let shop = try await makeShop()
        await #expect(throws: PurchaseRefusal(.offerSignatureInvalid, monthly, "")) {
            try await buy(.token(text), in: shop)
        }
    }
}
