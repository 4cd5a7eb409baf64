import Perennial
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
    func `whatever was changed after signing is refused, and nothing is charged`(index: Int) async throws {
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

    @Test func `a token grants its offer, once`() async throws {
        let shop = try await makeShop()
        let token = OfferClaim.token(try key.token("promotional-offer", ["offerIdentifier": "half"]))
        let sold = try await buy(token, in: shop, key: "k")
        #expect(sold.offer?.id == "half")
        _ = try await shop.store.act(.expire, on: sold.originalID)
        await #expect(throws: PurchaseRefusal(.offerSignatureInvalid, monthly, "")) {
            try await buy(token, in: shop, key: "l")
        }
    }

    @Test func `a token holds for the customer whose transaction it names`() async throws {
        let shop = try await makeShop()
        let bobs = try await shop.buy("film.roll", as: "bob")
        let token = try key.token(
            "promotional-offer", ["offerIdentifier": "half", "transactionId": .string("\(bobs.id)")])
        await #expect(throws: PurchaseRefusal(.offerSignatureInvalid, monthly, "")) {
            try await buy(.token(token), in: shop)
        }
    }

    @Test(arguments: [true, false])
    func `a token decides about the introductory offer in place of the store`(isAllowed: Bool) async throws {
        let shop = try await makeShop()
        // Whoever had the offer in the group may not have it again, but for the seller's word.
        let account = isAllowed ? "ann" : "bob"
        let own = try await shop.buy("film.roll", as: account)
        let token = try key.token(
            "introductory-offer-eligibility",
            ["allowIntroductoryOffer": .bool(isAllowed), "transactionId": .string("\(own.id)")])
        let sold = try await buy(.token(token), in: shop, as: account)
        #expect((sold.offer?.kind == .introductory) == isAllowed)
    }

    @Test(arguments: ["", "a.b", "a.b.c", "e30.e30.AA"])
    func `what is no token is refused`(text: String) async throws {
        let shop = try await makeShop()
        await #expect(throws: PurchaseRefusal(.offerSignatureInvalid, monthly, "")) {
            try await buy(.token(text), in: shop)
        }
    }
}
