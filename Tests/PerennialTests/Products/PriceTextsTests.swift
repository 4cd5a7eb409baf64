import Foundation
import Perennial
import Testing

/// Prices of products in documents: one text for a schedule, and one for the storefronts' own prices.
struct PriceTextsTests {
    private static let day = Instant(CivilDate(year: 2027, month: 1, day: 1))
    private static let germany = Storefront(rawValue: "DEU")

    private static let product: Product = {
        var product = Product(
            id: Product.ID(rawValue: "coins"), type: .consumable, referenceName: "Coins",
            prices: [germany: Money(milliunits: 1090, .eur), .usa: Money(milliunits: -1, .usd)],
            basePrice: Money(milliunits: 990, .usd))
        product.priceSchedule = [
            ScheduledPrice(at: day, Money(milliunits: 1990, .usd), preservesSubscribers: true),
            ScheduledPrice(
                at: day, Money(milliunits: 1290, .eur), storefront: germany, preservesSubscribers: true),
            ScheduledPrice(at: day, Money(milliunits: 1990, .usd), storefront: .usa, needsConsent: false),
            ScheduledPrice(at: day + .days(9), Money(milliunits: .max, .usd), storefront: .usa),
        ]
        return product
    }()

    private static func document(of product: Product) throws -> [String: Any] {
        try #require(
            try JSONSerialization.jsonObject(with: JSONEncoder().encode(product)) as? [String: Any])
    }

    private static func product(from document: [String: Any]) throws -> Product {
        try JSONDecoder().decode(Product.self, from: JSONSerialization.data(withJSONObject: document))
    }

    @Test func `rows of one instant share it`() throws {
        let document = try Self.document(of: Self.product)
        #expect(document["prices"] as? String == "DEU EUR 1090,USA USD -1")
        #expect(
            document["laterPrices"] as? String == """
                1798761600000 p:- USD 1990,DEU EUR 1290;1798761600000 n:USA USD 1990;\
                1799539200000 -:USA USD 9223372036854775807
                """)
        #expect(try Self.product(from: document) == Self.product)
    }

    @Test func `a product without prices of its own is read again`() throws {
        var product = Self.product
        (product.prices, product.priceSchedule) = ([:], [])
        let document = try Self.document(of: product)
        #expect(document["laterPrices"] == nil)
        #expect(try Self.product(from: document) == product)
    }

    @Test func `a product of an earlier version is read`() throws {
        var document = try Self.document(of: Self.product)
        document["prices"] = [
            "DEU", ["milliunits": 1090, "currency": "EUR"], "USA", ["milliunits": -1, "currency": "USD"],
        ]
        let rows = Self.product.priceSchedule
        document["laterPrices"] = try JSONSerialization.jsonObject(with: JSONEncoder().encode(rows))
        #expect(try Self.product(from: document) == Self.product)
    }

    @Test func `codes that no store has are kept`() throws {
        var product = Self.product
        let odd = Storefront(rawValue: "a,b;:")
        product.prices[odd] = Money(milliunits: 1, Currency(rawValue: ""))
        product.priceSchedule.append(ScheduledPrice(at: Self.day, Money(milliunits: 1, .usd), storefront: odd))
        #expect(try JSONDecoder().decode(Product.self, from: JSONEncoder().encode(product)) == product)
    }

    @Test(arguments: [
        "1", "1 -", "1 -:", "1 -:USA USD", "1 -:USA USD 1,", "1 -:USA USD 1;", "1 -:USA USD 1.5", "x -:USA USD 1",
        "1 -:USA USD 9223372036854775808", "1 -:USA USD +1", "1 -:USA USD -", " ", ";",
    ])
    func `a text that is no schedule is refused`(text: String) throws {
        var document = try Self.document(of: Self.product)
        document["laterPrices"] = text
        #expect(throws: DecodingError.self) { try Self.product(from: document) }
    }

    @Test(arguments: ["USA", "USA USD", "USA USD 1,", "- USD 1", "USA USD 1;", ","])
    func `a text that is no list of prices is refused`(text: String) throws {
        var document = try Self.document(of: Self.product)
        document["prices"] = text
        #expect(throws: DecodingError.self) { try Self.product(from: document) }
    }

    @Test(arguments: [Int64.min, .min + 1, 0, .max])
    func `every amount and instant is kept`(number: Int64) throws {
        var product = Self.product
        product.prices = [.usa: Money(milliunits: number, .usd)]
        product.priceSchedule = [
            ScheduledPrice(at: Instant(milliseconds: number), Money(milliunits: number, .usd), storefront: .usa)
        ]
        #expect(try JSONDecoder().decode(Product.self, from: JSONEncoder().encode(product)) == product)
    }
}
