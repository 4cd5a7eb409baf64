import Perennial
import PerennialStore
import TestSupport
import Testing

/// Expirations and price increases in verifyReceipt (docs/reference/apple-behaviour.md, "Expiration intent", "Price
/// increases").
struct PriceConsentTests {
    private static let monthEnd = Period.month.end(after: Magazine.start)

    /// Returns the only entry of `pending_renewal_info`.
    private static func pending(_ shop: TestStore, _ account: String = "ann") async throws -> [String: String] {
        let answer = try await shop.verify(try await shop.receipt(of: account), password: TestCatalog.sharedSecret)
        let entries = try #require(answer["pending_renewal_info"]?.elements)
        #expect((answer["status"], entries.count) == (0, 1))
        return try #require(entries.first?.members).compactMapValues(\.text)
    }

    private static func raise(_ shop: TestStore, _ product: String = "month", to milliunits: Int64) async throws {
        let change = PriceChange(Product.ID(rawValue: product), milliunits: milliunits)
        _ = try await shop.store.products.changePrice(change, bundleID: TestCatalog.bundleID)
    }

    static let endings: [(intent: Int, end: @Sendable (TestStore, TransactionID) async throws -> Void)] = [
        (1, { _ = try await $0.store.subscriptions.perform(.setAutoRenew(false), on: $1) }),
        (2, { shop, _ in try await shop.account("ann", payment: .declined) }),
        (3, { shop, _ in try await raise(shop, to: 20_000) }),
        (
            4,
            { shop, _ in
                let month = Product.ID(rawValue: "month")
                _ = try await shop.store.products.setClearedForSale(false, month, bundleID: TestCatalog.bundleID)
            }
        ),
        (5, { _ = try await $0.store.subscriptions.perform(.expire, on: $1) }),
    ]

    @Test(arguments: endings.indices)
    func `each reason to expire has its expiration_intent`(index: Int) async throws {
        let (intent, end) = Self.endings[index]
        let shop = try await Magazine.shop()
        let first = try await shop.buy("month", as: "ann")
        try await end(shop, first.id)
        try await shop.advance(to: Self.monthEnd + .days(60))
        let renewal = try await Self.pending(shop)
        #expect(renewal["expiration_intent"] == "\(intent)")
        #expect(renewal["auto_renew_status"] == "0")
        #expect(try await shop.snapshot(first.id).1 == .expired)
        #expect(try await RenewalTests.periods(shop, of: "ann").count == 1)
    }

    @Test func `an operator's expiration has intent 5`() async throws {
        let shop = try await Magazine.shop()
        let first = try await shop.buy("month", as: "ann")
        _ = try await shop.store.subscriptions.perform(.expire, on: first.id)
        #expect(try await shop.snapshot(first.id).2.expirationIntent == .other)
    }

    /// New prices of a month at 9.99, and whether they need consent: both limits must be exceeded.
    static let increases: [(milliunits: Int64, needsConsent: Bool)] = [
        (10_990, false), (14_980, false), (14_990, false), (14_991, true), (15_000, true), (99_990, true),
    ]

    @Test(arguments: increases)
    func `an increase above USD 5 and half of the price needs consent`(milliunits: Int64, needsConsent: Bool)
        async throws
    {
        let shop = try await Magazine.shop()
        try await shop.buy("month", as: "ann")
        try await Self.raise(shop, to: milliunits)
        let renewal = try await Self.pending(shop)
        #expect(renewal["price_increase_status"] == (needsConsent ? "0" : "1"))
        #expect(renewal["price_consent_status"] == (needsConsent ? "0" : nil))
        try await shop.advance(to: Self.monthEnd)
        #expect(try await RenewalTests.periods(shop, of: "ann").count == (needsConsent ? 1 : 2))
    }

    /// Old and new prices, and whether they need consent: one limit alone may be exceeded.
    static let limits: [(product: String, old: Int64, new: Int64, needsConsent: Bool)] = [
        ("month", 20_000, 26_000, false), ("month", 20_000, 30_001, true), ("year", 9990, 59_990, false),
        ("year", 9990, 59_991, true), ("year", 200_000, 260_000, false),
    ]

    @Test(arguments: limits)
    func `an increase above only one of the two limits needs no consent`(
        product: String, old: Int64, new: Int64, needsConsent: Bool
    ) async throws {
        let shop = try await Magazine.shop()
        try await Self.raise(shop, product, to: old)
        let first = try await shop.buy(product, as: "ann")
        #expect(first.price.milliunits == old)
        try await Self.raise(shop, product, to: new)
        #expect(try await Self.pending(shop)["price_consent_status"] == (needsConsent ? "0" : nil))
        try await shop.advance(to: try #require(first.expiresDate))
        let prices = try await RenewalTests.periods(shop, of: "ann").map(\.price.milliunits)
        #expect(prices == (needsConsent ? [old] : [old, new]))
    }

    @Test(arguments: [true, false])
    func `consent renews at the new price, no consent expires with intent 3`(isAccepted: Bool) async throws {
        let shop = try await Magazine.shop()
        let first = try await shop.buy("month", as: "ann")
        try await Self.raise(shop, to: 20_000)
        #expect(try await Self.pending(shop)["price_consent_status"] == "0")
        #expect(try await shop.signedRenewal(first.id)["priceIncreaseStatus"]?.number == 0)
        _ = try await shop.store.subscriptions.perform(.answerPriceIncrease(accepted: isAccepted), on: first.id)
        #expect(try await shop.signedRenewal(first.id)["priceIncreaseStatus"]?.number == (isAccepted ? 1 : 0))
        #expect(try await Self.pending(shop)["price_consent_status"] == (isAccepted ? "1" : "0"))
        try await shop.advance(to: Self.monthEnd)
        let prices = try await RenewalTests.periods(shop, of: "ann").map(\.price.milliunits)
        #expect(prices == (isAccepted ? [9990, 20_000] : [9990]))
        let renewal = try await Self.pending(shop)
        #expect(renewal["price_consent_status"] == nil)
        #expect(renewal["expiration_intent"] == (isAccepted ? nil : "3"))
    }

    @Test func `a second increase within a year needs consent`() async throws {
        for (months, needsConsent) in [(11, true), (13, false)] {
            let shop = try await Magazine.shop()
            try await shop.buy("month", as: "ann")
            try await Self.raise(shop, to: 10_990)
            try await shop.advance(to: Period.month.end(after: Magazine.start, number: months))
            try await Self.raise(shop, to: 11_990)
            #expect(try await Self.pending(shop)["price_consent_status"] == (needsConsent ? "0" : nil))
        }
    }
}
