import Perennial
import PerennialStorage
import PerennialStore
import TestSupport
import Testing

/// Offer codes, their redemption and limits (docs/reference/apple-behaviour.md, "Offers").
struct OfferCodeTests {
    private let monthly = Product.ID(rawValue: "monthly")

    private func makeShop(on engine: Engine = .sqliteInMemory) async throws -> TestStore {
        try await TestStore.make(on: engine, app: TestCatalog.magazineWithOffers)
    }

    private func make(
        _ kind: OfferCodeOrder.Kind, offer: String = "radio", expires: Instant? = nil, in shop: TestStore
    ) async throws -> [String] {
        try await shop.store.offers.makeCodes(
            OfferCodeOrder(productID: monthly, offerID: offer, kind: kind, expires: expires),
            of: TestCatalog.bundleID
        ).map(\.code.code)
    }

    private func redeem(
        _ code: String, as account: String, key: String? = nil, in shop: TestStore
    ) async throws -> Transaction {
        try await shop.store.purchases.redeem(code, idempotencyKey: key, by: try await shop.customer(account))
    }

    @Test(arguments: Engine.allCases)
    func `an offer code is redeemed once a code and once an offer, offerType 3`(engine: Engine) async throws {
        let shop = try await makeShop(on: engine)
        let codes = try await make(.oneTime(count: 3), in: shop)
        #expect(Set(codes).count == 3)
        let sold = try await redeem(codes[0], as: "ann", key: "k", in: shop)
        #expect(sold.price.milliunits == 4990)
        #expect(sold.offer?.kind.rawValue == 3)
        #expect(sold.offer?.id == "radio")
        #expect(try await redeem(codes[0], as: "ann", key: "k", in: shop) == sold)
        await #expect(throws: PurchaseRefusal(.codeNotRedeemable, monthly, ""), "the same code") {
            try await redeem(codes[0], as: "bob", in: shop)
        }
        await #expect(throws: PurchaseRefusal(.offerNotAvailable, monthly, ""), "the same offer") {
            try await redeem(codes[1], as: "ann", in: shop)
        }
        let listed = try await shop.store.offers.codes(of: TestCatalog.bundleID)
        #expect(listed.map(\.redemptions).reduce(0, +) == 1)
        #expect(try await shop.sumOfPostings() == ["USD": 0])
    }

    @Test(arguments: Engine.allCases)
    func `a custom code is redeemed up to its maximum`(engine: Engine) async throws {
        let shop = try await makeShop(on: engine)
        _ = try await make(.custom("spring26", maximumRedemptions: 2), in: shop)
        for account in ["ann", "bob"] {
            #expect(try await redeem(" Spring26 ", as: account, in: shop).offer?.kind == .code)
        }
        await #expect(throws: PurchaseRefusal(.codeNotRedeemable, monthly, "")) {
            try await redeem("SPRING26", as: "cid", in: shop)
        }
    }

    @Test func `a code expires by its date, a one-time code within six months`() async throws {
        let shop = try await makeShop()
        _ = try await make(
            .custom("SOON", maximumRedemptions: nil), expires: TestStore.opening + .days(2), in: shop)
        let old = try await make(.oneTime(count: 1), in: shop)[0]
        try await shop.advance(by: .days(2))
        await #expect(throws: PurchaseRefusal(.codeNotRedeemable, monthly, "")) {
            try await redeem("SOON", as: "ann", in: shop)
        }
        try await shop.advance(by: .days(180))
        await #expect(throws: PurchaseRefusal(.codeNotRedeemable, monthly, "")) {
            try await redeem(old, as: "ann", in: shop)
        }
    }

    @Test func `a refused redemption leaves the code valid`() async throws {
        let shop = try await makeShop()
        let code = try await make(.oneTime(count: 1), in: shop)[0]
        try await shop.account("ann", payment: .declined)
        await #expect(throws: PurchaseRefusal(.paymentDeclined, monthly, "")) {
            try await redeem(code, as: "ann", in: shop)
        }
        try await shop.account("ann", payment: .valid)
        #expect(try await redeem(code, as: "ann", in: shop).offer?.id == "radio")
    }

    @Test func `invalid orders of codes have their own errors`() async throws {
        let shop = try await makeShop()
        _ = try await make(.custom("SPRING", maximumRedemptions: nil), in: shop)
        await #expect(throws: StoreError(.offerCodeExists, "", "")) {
            try await make(.custom("spring", maximumRedemptions: nil), in: shop)
        }
        await #expect(throws: StoreError(.offerNotFound, "", "")) {
            try await make(.oneTime(count: 1), offer: "half", in: shop)
        }
        let malformed: [OfferCodeOrder.Kind] = [
            .oneTime(count: 0), .oneTime(count: 1001), .custom("", maximumRedemptions: nil),
            .custom("A-B", maximumRedemptions: nil), .custom("A", maximumRedemptions: 0),
        ]
        for kind in malformed {
            await #expect(throws: StoreError(.malformed, "", "")) { try await make(kind, in: shop) }
        }
        await #expect(throws: StoreError(.malformed, "", "")) {
            try await make(.oneTime(count: 1), expires: TestStore.opening, in: shop)
        }
    }

    @Test(arguments: ["", "NONE", "\u{0}"])
    func `an unknown code is refused`(code: String) async throws {
        let shop = try await makeShop()
        await #expect(throws: PurchaseRefusal(.codeNotRedeemable, monthly, "")) {
            try await redeem(code, as: "ann", in: shop)
        }
    }
}
