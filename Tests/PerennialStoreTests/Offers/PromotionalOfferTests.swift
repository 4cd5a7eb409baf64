import Perennial
import PerennialStorage
import PerennialStore
import TestSupport
import Testing

/// Promotional offers at the purchase (facts sheet 6.4 and 6.5): the seller's signature decides, once.
struct PromotionalOfferTests {
    private let key = TestOfferKey()
    private let monthly = Product.ID(rawValue: "monthly")

    /// A store whose customer ann had the monthly subscription, and left.
    private func makeShop(on engine: Engine = .sqliteInMemory) async throws -> TestStore {
        let shop = try await TestStore.make(on: engine, app: TestCatalog.magazineWithOffers)
        try await key.register(in: shop)
        let first = try await shop.buy("monthly", as: "ann")
        _ = try await shop.store.act(.expire, on: first.originalID)
        return shop
    }

    private func buy(
        _ claim: OfferClaim, in shop: TestStore, as account: String = "ann", product: String = "monthly",
        username: String? = nil, key: String? = nil
    ) async throws -> Transaction {
        try await shop.store.purchase(
            PurchaseRequest(
                productID: Product.ID(rawValue: product), applicationUsername: username, claim: claim,
                idempotencyKey: key), by: try await shop.customer(account))
    }

    @Test(arguments: Engine.allCases)
    func `a signed offer is sold at its price, and its nonce is good for one purchase`(engine: Engine) async throws {
        let shop = try await makeShop(on: engine)
        let claim = OfferClaim.signed(try key.sign())
        let sold = try await buy(claim, in: shop, key: "k")
        #expect(sold.price.milliunits == 2490)
        #expect(sold.offer?.kind == .promotional)
        #expect(sold.offer?.id == "half")
        #expect(try await buy(claim, in: shop, key: "k") == sold)
        _ = try await shop.store.act(.expire, on: sold.originalID)
        await #expect(throws: PurchaseRefusal(.offerSignatureInvalid, monthly, "")) {
            try await buy(claim, in: shop, key: "l")
        }
        #expect(try await shop.sumOfPostings() == ["USD": 0])
    }

    @Test(arguments: Engine.allCases)
    func `a nonce is remembered for as long as its signature is good, and no longer`(engine: Engine) async throws {
        let shop = try await makeShop(on: engine)
        let refusal = PurchaseRefusal(.offerSignatureInvalid, monthly, "")
        // A seller's clock may be ahead, so that a signature is good for longer than a day after its use.
        let ahead = TestStore.opening + .minutes(5)
        func signed(_ digit: Int) throws -> OfferClaim {
            .signed(
                try key.sign(
                    nonce: "1a2b3c4d-0000-4000-8000-00000000000\(digit)", at: digit == 1 ? ahead : shop.clock.now))
        }
        func sell(_ digit: Int) async throws {
            let sold = try await buy(try signed(digit), in: shop, key: "\(digit)")
            _ = try await shop.store.act(.expire, on: sold.originalID)
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

    /// A seller's library signs by the world's clock, wherever a test has moved the environment's.
    @Test(arguments: [Int64.days(400), -.days(400)])
    func `6.4 on a manual clock what is signed by either clock is good, and its nonce once`(away: Int64) async throws {
        let house = try await TestStore.make(app: TestCatalog.magazineWithOffers)
        try await key.register(in: house)
        _ = try await house.registry.makeEnvironment(
            "lab", kind: .sandbox, clock: .manual, now: TestStore.opening + away)
        let shop = try await house.environment("lab")
        func end(_ sold: Transaction) async throws { _ = try await shop.store.act(.expire, on: sold.originalID) }
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
        // Months later by the environment's clock, and still fresh by the world's.
        _ = try await shop.store.advanceClock(to: TestStore.opening + away + .days(60))
        for claim in try claims(at: TestStore.opening, 5) { try await end(try await buy(claim, in: shop)) }
        for claim in byWorld {
            await #expect(throws: PurchaseRefusal(.offerSignatureInvalid, monthly, "")) {
                try await buy(claim, in: shop)
            }
        }
    }

    @Test func `a refused purchase leaves the nonce for the next one`() async throws {
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
    func `6.4 the device passes key, nonce, signature and time, and whatever is not as signed is refused`(
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

    @Test func `the signature holds for its customer's name, product and day`() async throws {
        let shop = try await makeShop()
        let refusal = PurchaseRefusal(.offerSignatureInvalid, monthly, "")
        let mine = OfferClaim.signed(try key.sign(username: "AAAA"))
        await #expect(throws: refusal) { try await buy(mine, in: shop, username: "bbbb") }
        await #expect(throws: refusal) { try await buy(.signed(try key.sign(product: "yearly")), in: shop) }
        let old = try key.sign(at: TestStore.opening + -.hours(24))
        await #expect(throws: refusal) { try await buy(.signed(old), in: shop) }
        #expect(try await buy(mine, in: shop, username: "aaaa").offer?.id == "half")
    }

    @Test func `a key of another app, of another kind or a revoked one signs nothing`() async throws {
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

    @Test func `an offer that isn't there, costs too much or is not for the customer has its own word`() async throws {
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

    @Test func `6.5 promotional-offer: productId and offerIdentifier grant an offer, once`() async throws {
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
        _ = try await shop.store.act(.expire, on: sold.originalID)
        await #expect(throws: PurchaseRefusal(.offerSignatureInvalid, monthly, "")) {
            try await buy(token, in: shop, key: "l")
        }
    }

    private func download(of account: String, in shop: TestStore) async throws -> String {
        let key = try await shop.customer(account).key
        return AppTransactionID(account: key.account, app: key.app).description
    }

    @Test func `6.5 promotional-offer: transactionId names the customer, also by an app transaction`() async throws {
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
            _ = try await shop.store.act(.expire, on: sold.originalID)
        }
    }

    @Test(arguments: [true, false])
    func `6.5 introductory-offer-eligibility: allowIntroductoryOffer decides for transactionId's customer`(
        isAllowed: Bool
    ) async throws {
        let shop = try await makeShop()
        // Whoever had the offer in the group may not have it again, but for the seller's word.
        let account = isAllowed ? "ann" : "bob"
        // Who hasn't bought anything is known by the download of the app.
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

    @Test func `6.5 advanced-commerce-api: a request in the app buys nothing`() async throws {
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
    func `what is no token is refused`(text: String) async throws {
        let shop = try await makeShop()
        await #expect(throws: PurchaseRefusal(.offerSignatureInvalid, monthly, "")) {
            try await buy(.token(text), in: shop)
        }
    }
}
