import Perennial
import PerennialStore
import TestSupport
import Testing

/// Sections 6.8 to 6.10 of the facts sheet as `verifyReceipt` tells them: why a subscription ended, and what became of a
/// price increase.
struct Section6PriceTests {
    private static let monthEnd = Period.month.end(after: Magazine.start)

    /// The one entry of `pending_renewal_info`.
    private static func pending(_ shop: TestStore, _ account: String = "ann") async throws -> [String: String] {
        let answer = try await shop.verify(try await shop.receipt(of: account), password: TestCatalog.sharedSecret)
        let entries = try #require(answer["pending_renewal_info"]?.elements)
        #expect((answer["status"], entries.count) == (0, 1))
        return try #require(entries.first?.members).compactMapValues(\.text)
    }

    private static func raise(_ shop: TestStore, _ product: String = "month", to milliunits: Int64) async throws {
        let change = PriceChange(Product.ID(rawValue: product), milliunits: milliunits)
        _ = try await shop.store.changePrice(change, bundleID: TestCatalog.bundleID)
    }

    static let endings: [(intent: Int, end: @Sendable (TestStore, TransactionID) async throws -> Void)] = [
        (1, { _ = try await $0.store.act(.setAutoRenew(false), on: $1) }),
        (2, { shop, _ in try await shop.account("ann", payment: .declined) }),
        (3, { shop, _ in try await raise(shop, to: 20_000) }),
        (
            4,
            { shop, _ in
                let month = Product.ID(rawValue: "month")
                _ = try await shop.store.setClearedForSale(false, month, bundleID: TestCatalog.bundleID)
            }
        ),
        (5, { _ = try await $0.store.act(.expire, on: $1) }),
    ]

    @Test(arguments: endings.indices)
    func `6.9 each reason to end has its expiration_intent`(index: Int) async throws {
        let (intent, end) = Self.endings[index]
        let shop = try await Magazine.shop()
        let first = try await shop.buy("month", as: "ann")
        try await end(shop, first.id)
        try await shop.advance(to: Self.monthEnd + .days(60))
        let renewal = try await Self.pending(shop)
        #expect(renewal["expiration_intent"] == "\(intent)")
        #expect(renewal["auto_renew_status"] == "0")
        #expect(try await shop.standing(first.id).1 == .expired)
        #expect(try await RenewalTests.periods(shop, of: "ann").count == 1)
    }

    @Test func `6.9 an operator's end is intent 5, other`() async throws {
        let shop = try await Magazine.shop()
        let first = try await shop.buy("month", as: "ann")
        _ = try await shop.store.act(.expire, on: first.id)
        #expect(try await shop.standing(first.id).2.expirationIntent == .other)
    }

    /// New prices of a month for 9.99, and whether subscribers must agree: both limits must be passed.
    static let increases: [(milliunits: Int64, needsConsent: Bool)] = [
        (10_990, false), (14_980, false), (14_990, false), (14_991, true), (15_000, true), (99_990, true),
    ]

    @Test(arguments: increases)
    func `6.10 consent is needed above USD 5 and half of the price`(milliunits: Int64, needsConsent: Bool) async throws
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

    /// Old and new prices, and whether subscribers must agree: either limit alone may be passed.
    static let limits: [(product: String, old: Int64, new: Int64, needsConsent: Bool)] = [
        ("month", 20_000, 26_000, false), ("month", 20_000, 30_001, true), ("year", 9990, 59_990, false),
        ("year", 9990, 59_991, true), ("year", 200_000, 260_000, false),
    ]

    @Test(arguments: limits)
    func `6.10 consent is needed above USD 5, for a year USD 50, and half of the price, not above one of them`(
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
    func `6.10 who agrees renews at the new price, who doesn't expires with intent 3`(isAccepted: Bool) async throws {
        let shop = try await Magazine.shop()
        let first = try await shop.buy("month", as: "ann")
        try await Self.raise(shop, to: 20_000)
        #expect(try await Self.pending(shop)["price_consent_status"] == "0")
        #expect(try await shop.signedRenewal(first.id)["priceIncreaseStatus"]?.number == 0)
        _ = try await shop.store.act(.answerPriceIncrease(accepted: isAccepted), on: first.id)
        #expect(try await shop.signedRenewal(first.id)["priceIncreaseStatus"]?.number == (isAccepted ? 1 : 0))
        #expect(try await Self.pending(shop)["price_consent_status"] == (isAccepted ? "1" : "0"))
        try await shop.advance(to: Self.monthEnd)
        let prices = try await RenewalTests.periods(shop, of: "ann").map(\.price.milliunits)
        #expect(prices == (isAccepted ? [9990, 20_000] : [9990]))
        let renewal = try await Self.pending(shop)
        #expect(renewal["price_consent_status"] == nil)
        #expect(renewal["expiration_intent"] == (isAccepted ? nil : "3"))
    }

    @Test func `6.10 a second increase within a year needs consent, after a year it doesn't`() async throws {
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
