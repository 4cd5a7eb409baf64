import Foundation
import Perennial
import Testing

struct PricePointTests {
    /// Prices from the examples of Apple's App Store Connect API.
    @Test(arguments: [(10_001, Int64(290)), (10_010, 990), (10_036, 2_990)])
    func `points have the numbers that Apple's examples show`(number: Int, milliunits: Int64) {
        let point = PricePoint.all(in: .usd).first { $0.number == number }
        #expect(point?.price == Money(milliunits: milliunits, .usd))
    }

    @Test func `the points of US dollars go from 0.29 to 10,000, those above 1,000 on request`() {
        let points = PricePoint.all(in: .usd)
        #expect(points.first?.price.decimal == "0.29")
        #expect(points.last?.price.decimal == "10000.00")
        #expect(points.count == 1078)
        #expect(points.count { !$0.isOnRequest } == 898)
        #expect(points.last { !$0.isOnRequest }?.price.decimal == "1000.00")
        #expect(Set(points.map(\.price)).count == points.count)
        #expect(points.map(\.price.milliunits) == points.map(\.price.milliunits).sorted())
    }

    @Test func `a point is found by its number and by its price`() {
        for currency in [Currency.usd, .eur, .jpy] {
            for point in PricePoint.all(in: currency) {
                #expect(PricePoint.point(point.number, in: currency) == point)
                #expect(PricePoint.point(of: point.price) == point)
            }
            for number in [0, 10_000, 10_001 + PricePoint.count, Int.min, Int.max] {
                #expect(PricePoint.point(number, in: currency) == nil)
            }
        }
        #expect(PricePoint.point(of: Money(milliunits: 5_550, .usd)) == nil)
        #expect(PricePoint.point(of: Money(milliunits: -1_000, .usd)) == nil)
        #expect(PricePoint.point(PricePoint.defaultCount + 10_000, in: .usd)?.price.decimal == "1000.00")
    }

    @Test func `the equal price has the same number in each currency`() {
        for currency in Set(Storefront.all.map(\.currency)) {
            for point in PricePoint.all(in: .usd) {
                let equal = PricePoint.equalization(of: point.price, in: currency)
                #expect(PricePoint.point(of: equal)?.number == point.number)
                #expect(PricePoint.equalization(of: equal, in: .usd) == point.price)
            }
        }
        // Between two points: scaled, and a whole coin.
        #expect(PricePoint.equalization(of: Money(milliunits: 5_555, .usd), in: .jpy).decimal == "556")
        #expect(PricePoint.equalization(of: Money(milliunits: 555_000, .jpy), in: .usd).decimal == "5.55")
    }

    @Test func `the points of every storefront are whole coins`() {
        for currency in Set(Storefront.all.map(\.currency)) {
            for point in PricePoint.all(in: currency) {
                #expect(point.price.milliunits % currency.smallestAmount == 0, "\(point.price)")
            }
        }
        #expect(PricePoint.all(in: .jpy).first?.price.decimal == "29")
    }
}

struct ScheduledPriceTests {
    private static let day = Instant(CivilDate(year: 2027, month: 1, day: 1))
    private static let germany = Storefront(rawValue: "DEU")

    private static func money(_ milliunits: Int64) -> Money { Money(milliunits: milliunits, .usd) }

    private static let product: Product = {
        var product = Product(
            id: Product.ID(rawValue: "coins"), type: .consumable, referenceName: "Coins", basePrice: money(990))
        product.priceSchedule = [
            ScheduledPrice(at: day + .days(9), money(2990)),
            ScheduledPrice(at: day, Money(milliunits: 1290, .eur), storefront: germany),
            ScheduledPrice(at: day, money(1990), preservesSubscribers: true),
        ]
        return product
    }()

    @Test(arguments: [
        (ScheduledPrice(at: day, money(1990)), #""1798761600000 - USD 1990 -""#),
        (
            ScheduledPrice(
                at: day, Money(milliunits: 1290, .eur), storefront: germany, needsConsent: true,
                preservesSubscribers: true), #""1798761600000 DEU EUR 1290 pc""#
        ),
        (ScheduledPrice(at: day, money(-1), needsConsent: false), #""1798761600000 - USD -1 n""#),
    ])
    func `a scheduled price is stored as one text`(price: ScheduledPrice, text: String) throws {
        #expect(String(decoding: try JSONEncoder().encode(price), as: UTF8.self) == text)
        #expect(try JSONDecoder().decode(ScheduledPrice.self, from: Data(text.utf8)) == price)
    }

    @Test func `a scheduled price of an earlier version is read`() throws {
        let instant = String(decoding: try JSONEncoder().encode(Self.day), as: UTF8.self)
        let price = String(decoding: try JSONEncoder().encode(Self.money(1990)), as: UTF8.self)
        let stored = #"{"at":\#(instant),"price":\#(price),"storefront":"USA","needsConsent":false,"preserved":true}"#
        #expect(
            try JSONDecoder().decode(ScheduledPrice.self, from: Data(stored.utf8))
                == ScheduledPrice(
                    at: Self.day, Self.money(1990), storefront: .usa, needsConsent: false, preservesSubscribers: true))
    }

    @Test(arguments: ["", "1 USA USD", "x - USD 1 -", "1 - USD 1.5 -", "1 - USD 1 - 2"])
    func `a text that is no scheduled price is refused`(text: String) {
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(ScheduledPrice.self, from: JSONEncoder().encode(text))
        }
    }

    @Test func `pending prices are in order, a storefront's after the base price`() {
        var change = ProductChange()
        change.schedule(ScheduledPrice(at: Self.day + .days(1), Self.money(2490)))
        let pending = change.pendingPrices(of: Self.product)
        #expect(pending.map(\.price.milliunits) == [1990, 1290, 2490, 2990])
    }

    @Test func `a performed price takes effect once`() {
        var change = ProductChange()
        #expect(change.perform(until: Self.day, of: Self.product).map(\.price.milliunits) == [1990, 1290])
        #expect(change.perform(until: Self.day, of: Self.product).isEmpty)
        #expect(change.pendingPrices(of: Self.product).map(\.price.milliunits) == [2990])
        let product = change.applied(to: Self.product)
        #expect(product.price(in: .usa)?.milliunits == 1990)
        #expect(product.price(in: Self.germany) == Money(milliunits: 1290, .eur))
    }

    @Test func `a scheduled price replaces one at the same instant, and can be cancelled`() {
        var change = ProductChange()
        for price in [Int64(2490), 2590] { change.schedule(ScheduledPrice(at: Self.day, Self.money(price))) }
        #expect(change.scheduled.map(\.price.milliunits) == [2590])
        let isCancelled = [Self.germany, nil].map { change.cancelScheduled(at: Self.day, in: $0) }
        #expect(isCancelled == [false, true])
        #expect(change == ProductChange())
    }

    @Test func `a change stored before schedules existed is read`() throws {
        let text = #"{"isClearedForSale":{"catalog":true,"value":false}}"#
        let change = try JSONDecoder().decode(ProductChange.self, from: Data(text.utf8))
        #expect(change.scheduled.isEmpty)
        #expect(!change.applied(to: Self.product).isClearedForSale)
    }
}
