import AppStoreFormats
import Foundation
import Perennial
import PerennialStorage
import PerennialStore
import TestSupport
import Testing

/// Offer codes of products that don't renew, from order to redemption in every protocol.
struct OneTimeCodeTests {
    private func makeShop(
        on engine: Engine = .sqliteInMemory, _ eligibility: Set<OneTimeOffer.Eligibility> = []
    ) async throws -> TestStore {
        try await TestStore.make(on: engine, app: TestCatalog.magazineWithOneTimeOffers(eligibility))
    }

    private func make(
        _ kind: OfferCodeOrder.Kind, for product: String, offer: String = "gift", in shop: TestStore
    ) async throws -> [String] {
        try await shop.store.offers.makeCodes(
            OfferCodeOrder(productID: Product.ID(rawValue: product), offerID: offer, kind: kind),
            of: TestCatalog.bundleID
        ).map(\.code.code)
    }

    private func redeem(_ code: String, as account: String, in shop: TestStore) async throws -> Transaction {
        try await shop.store.purchases.redeem(code, idempotencyKey: nil, by: try await shop.customer(account))
    }

    /// Returns the reason that a code was refused; `nil` if it was redeemed.
    private func refusal(_ code: String, as account: String, in shop: TestStore) async throws -> PurchaseRefusal.Code? {
        do {
            _ = try await redeem(code, as: account, in: shop)
            return nil
        } catch let refusal as PurchaseRefusal {
            return refusal.code
        }
    }

    static let products = ["film.roll", "filter.amber", "pass.1week"]

    @Test(arguments: Engine.allCases, products)
    func `a code sells at the offer's price with ONE_TIME in signed data`(
        engine: Engine, product: String
    ) async throws {
        let shop = try await makeShop(on: engine)
        let codes = try await make(.oneTime(count: 2), for: product, in: shop)
        let sold = try await redeem(codes[0], as: "ann", in: shop)
        #expect((sold.productID.rawValue, sold.price) == (product, Money(milliunits: 490, .usd)))
        let payload = try TestSigning.verifier.verify(
            try await shop.store.receipts.signedTransaction(sold, bundleID: TestCatalog.bundleID),
            as: TransactionPayload.self)
        #expect((payload.offerType, payload.offerIdentifier) == (.offerCode, "gift"))
        #expect((payload.offerDiscountType?.rawValue, payload.offerPeriod) == ("ONE_TIME", nil))
        #expect(payload.price == 490)
        #expect(try await shop.sumOfPostings() == ["USD": 0])
        // Once a code, and once an offer.
        #expect(try await refusal(codes[0], as: "ben", in: shop) == .codeNotRedeemable)
        #expect(try await refusal(codes[1], as: "ann", in: shop) == .offerNotAvailable)
        #expect(try await redeem(codes[1], as: "ben", in: shop).offer?.id == "gift")
        // Purchases without a code keep their price and have no offer.
        let regular = try await shop.buy(product, as: "cid")
        #expect((regular.offer, regular.price.milliunits > 490) == (nil, true))
    }

    @Test func `a redemption sends ONE_TIME_CHARGE with the offer`() async throws {
        let fixture = try await NotifyingShop.make(app: TestCatalog.magazineWithOneTimeOffers())
        let code = try await make(.oneTime(count: 1), for: "film.roll", in: fixture.shop)[0]
        _ = try await redeem(code, as: "ann", in: fixture.shop)
        try await fixture.deliver()
        let told = fixture.receiver.deliveries
        #expect(try told.map { try $0.name } == ["ONE_TIME_CHARGE"])
        let transaction = try #require(try told.first?.transaction)
        #expect((transaction.offerType, transaction.offerDiscountType) == (.offerCode, .oneTime))
        #expect(try told.first?.renewal == nil)
    }

    @Test func `verifyReceipt has the offer's reference name`() async throws {
        let shop = try await makeShop()
        let code = try await make(.custom("RADIO", maximumRedemptions: nil), for: "filter.amber", in: shop)[0]
        try await shop.buy("monthly", as: "ann")
        _ = try await redeem(code, as: "ann", in: shop)
        let answer = try await shop.verify(shop.receipt(of: "ann"), password: TestCatalog.sharedSecret)
        let latest = try #require(answer["latest_receipt_info"]?.elements)
        let names = latest.map { ($0["product_id"]?.text ?? "", $0["offer_code_ref_name"]?.text) }
        #expect(Dictionary(uniqueKeysWithValues: names) == ["filter.amber": "A gift", "monthly": nil])
        let inApp = try #require(
            answer["receipt"]?["in_app"]?.elements?.first { $0["product_id"] == "filter.amber" })
        #expect((inApp["promotional_offer_id"], inApp["is_trial_period"]) == (nil, "false"))
    }

    @Test(arguments: Engine.allCases)
    func `an offer for non-payers ends with the first payment`(
        engine: Engine
    ) async throws {
        let shop = try await makeShop(on: engine, [.nonSpender])
        _ = try await make(.custom("HELLO", maximumRedemptions: nil), for: "film.roll", in: shop)
        try await shop.buy("pass.summer", as: "ann")
        #expect(try await refusal("HELLO", as: "ann", in: shop) == .offerNotAvailable)
        // A free trial and a free subscription cost nothing.
        try await shop.buy("monthly", as: "ben")
        try await shop.buy("newsletter", as: "ben")
        #expect(try await refusal("HELLO", as: "ben", in: shop) == nil)
    }

    @Test func `a refused redemption leaves the code valid`() async throws {
        let shop = try await makeShop()
        let code = try await make(.oneTime(count: 1), for: "filter.amber", in: shop)[0]
        try await shop.account("ann", payment: .declined)
        #expect(try await refusal(code, as: "ann", in: shop) == .paymentDeclined)
        try await shop.account("ann", payment: .valid)
        try await shop.buy("filter.amber", as: "ben")
        #expect(try await refusal(code, as: "ben", in: shop) == .offerNotAvailable, "the customer owns it")
        #expect(try await refusal(code, as: "ann", in: shop) == nil)
        #expect(try await shop.store.offers.codes(of: TestCatalog.bundleID).map(\.redemptions) == [1])
    }

    @Test func `a free code works with a declined card and can be refunded`() async throws {
        var app = TestCatalog.magazineWithOneTimeOffers()
        let index = try #require(app.products.firstIndex { $0.id.rawValue == "film.roll" })
        app.products[index].codeOffers[0].basePrice = .zero(.usd)
        let shop = try await TestStore.make(app: app)
        let code = try await make(.oneTime(count: 1), for: "film.roll", in: shop)[0]
        try await shop.account("ann", payment: .declined)
        let sold = try await redeem(code, as: "ann", in: shop)
        #expect(sold.price.milliunits == 0)
        #expect(try await shop.refund(sold).revocation != nil)
        #expect(try await shop.sumOfPostings().values.allSatisfy { $0 == 0 })
    }

    @Test func `codes require an existing offer`() async throws {
        let shop = try await makeShop()
        for (product, offer) in [("film.roll", "other"), ("newsletter", "gift"), ("none", "gift")] {
            await #expect(throws: StoreError(.offerNotFound, "", "")) {
                try await make(.oneTime(count: 1), for: product, offer: offer, in: shop)
            }
        }
    }
}
