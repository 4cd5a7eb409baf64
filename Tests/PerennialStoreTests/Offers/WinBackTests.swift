import AppStoreFormats
import BaseEncoding
import Perennial
import PerennialStore
import TestSupport
import Testing

/// Win-back offers: eligibility by the store's rules, and their IDs in the renewal information.
struct WinBackTests {
    private let monthly = Product.ID(rawValue: "monthly")

    private func eligible(_ id: TransactionID, in shop: TestStore) async throws -> [String]? {
        let snapshot = try await shop.store.subscriptions.snapshot(of: id)
        let jws = try await shop.store.receipts.signedRenewalInfo(snapshot.subscription)
        let payload = try #require(Base64.decode(jws.split(separator: ".")[1].utf8, as: .url))
        return try JSONValue(payload)["eligibleWinBackOfferIds"]?.elements?.compactMap(\.text)
    }

    private func takeOffer(_ shop: TestStore, as account: String) async throws -> Transaction {
        try await shop.store.purchases.buy(
            PurchaseRequest(productID: monthly, claim: .winBack(id: "return")), by: try await shop.customer(account))
    }

    @Test(arguments: Engine.allCases)
    func `a customer away for a month can buy the win-back offer`(engine: Engine)
        async throws
    {
        let shop = try await TestStore.make(on: engine, app: TestCatalog.magazineWithOffers)
        let first = try await shop.buy("monthly", as: "ann")
        await #expect(throws: PurchaseRefusal(.offerNotAvailable, monthly, "")) {
            try await takeOffer(shop, as: "ann")
        }
        // The free week and a month of sandbox, then a month away; sandbox's months last five minutes.
        try await shop.advance(by: .minutes(9))
        _ = try await shop.store.subscriptions.perform(.expire, on: first.originalID)
        #expect(try await eligible(first.originalID, in: shop) == nil)
        try await shop.advance(by: .hours(1))
        #expect(try await eligible(first.originalID, in: shop) == ["return"])
        let back = try await takeOffer(shop, as: "ann")
        #expect(back.price.milliunits == 990)
        #expect(back.offer?.kind == .winBack)
        #expect(try await eligible(first.originalID, in: shop) == nil)
        #expect(try await shop.sumOfPostings() == ["USD": 0])
    }

    @Test func `a win-back offer's own rules replace the defaults`() async throws {
        var app = TestCatalog.magazineWithOffers
        let index = try #require(app.products.firstIndex { $0.id == monthly })
        app.products[index].subscription?.winBackOffers[0].winBackRules = WinBackRules(
            paidMonths: 0, monthsSinceEnd: 0, maximumMonthsSinceEnd: 2)
        let shop = try await TestStore.make(app: app)
        var lines: [TransactionID] = []
        for account in ["ann", "ben"] {
            lines.append(try await shop.buy("monthly", as: account).originalID)
            _ = try await shop.store.subscriptions.perform(.expire, on: lines[lines.count - 1])
        }
        #expect(try await eligible(lines[0], in: shop) == ["return"], "at once, and without having paid")
        #expect(try await takeOffer(shop, as: "ann").offer?.kind == .winBack)
        // Sandbox's months last five minutes.
        try await shop.advance(by: .minutes(16))
        #expect(try await eligible(lines[1], in: shop) == nil)
        await #expect(throws: PurchaseRefusal(.offerNotAvailable, monthly, "")) {
            try await takeOffer(shop, as: "ben")
        }
    }
}
