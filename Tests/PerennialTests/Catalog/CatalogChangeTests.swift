import Foundation
import Testing

@testable import Perennial

/// The fields that an entry of the catalog's journal names.
struct CatalogChangeTests {
    private static let product = CatalogProduct(
        Product(
            id: Product.ID(rawValue: "monthly"), appleID: 7, type: .autoRenewable, referenceName: "Monthly",
            localizations: [Product.Localization(locale: "de", displayName: "Monat", description: "Jeden Monat")],
            prices: [Storefront(rawValue: "DEU"): Money(milliunits: 5490, .eur)],
            basePrice: Money(milliunits: 4990, .usd),
            subscription: Product.Subscription(groupID: "g", level: 1, period: .month)))

    private func fields(_ change: (inout CatalogProduct) -> Void) -> [CatalogChange.Field] {
        var changed = Self.product
        change(&changed)
        return CatalogChange.Field.differences(between: Self.product, and: changed)
    }

    private func field(_ name: String, _ before: String? = nil, _ after: String? = nil) -> CatalogChange.Field {
        CatalogChange.Field(name: name, before: before, after: after)
    }

    @Test func `plain values are shown before and after`() {
        #expect(fields { $0.product.referenceName = "Month" } == [field("referenceName", "Monthly", "Month")])
        #expect(
            fields { $0.product.basePrice = Money(milliunits: 5990, .usd) } == [
                field("basePrice", "USD 4.99", "USD 5.99")
            ])
        #expect(fields { $0.product.isClearedForSale = false } == [field("isClearedForSale", "true", "false")])
        #expect(fields { $0.product.state = .inReview } == [field("state", "approved", "inReview")])
        #expect(fields { $0.listing.reviewNote = "See level 2" } == [field("reviewNote", nil, "See level 2")])
    }

    @Test func `parts are named by storefront, locale and member`() {
        #expect(
            fields {
                $0.product.prices = [Storefront(rawValue: "JPN"): Money(milliunits: 600_000, .jpy)]
                $0.product.subscription?.level = 2
                $0.product.localizations.append(
                    Product.Localization(locale: "ja", displayName: "月", description: "毎月"))
            } == [
                field("localizations.ja", nil, "月 – 毎月"), field("prices.DEU", "EUR 5.49", nil),
                field("prices.JPN", nil, "JPY 600"), field("subscription.level", "1", "2"),
            ])
    }

    @Test func `values with parts are named only`() {
        let price = ScheduledPrice(at: Instant(seconds: 1), Money(milliunits: 5990, .usd))
        #expect(fields { $0.product.priceSchedule = [price] } == [field("priceSchedule")])
        #expect(
            fields { $0.listing.prices = PriceListing(monthly: PriceList(base: Money(milliunits: 990, .usd))) } == [
                field("priceListing")
            ])
    }

    @Test func `equal states and revisions differ in nothing`() {
        #expect(fields { $0.revision = 9 } == [])
    }

    @Test(arguments: [
        CatalogActor.key("2X9R4HXF34"), .user("ann@example.com"), .control, .file("a:b.yaml"), .commandLine("ann"),
    ])
    func `an author is read back from the journal`(actor: CatalogActor) throws {
        #expect(CatalogActor(actor.description) == actor)
        let json = try JSONEncoder().encode([actor])
        #expect(try JSONDecoder().decode([CatalogActor].self, from: json) == [actor])
    }

    @Test(arguments: ["", "key", "robot:x", "Control"])
    func `other texts are no author`(text: String) {
        #expect(CatalogActor(text) == nil)
    }
}
