import Perennial

/// Products of the catalog whose offers tests edit.
enum OfferSamples {
    static let today = PacificDay(CivilDate(year: 2026, month: 3, day: 10))
    static let japan = Storefront(rawValue: "JPN")
    static let germany = Storefront(rawValue: "DEU")

    static func subscription(period: Period = .month, introductory: Offer? = nil) -> CatalogProduct {
        CatalogProduct(
            Product(
                id: Product.ID(rawValue: "monthly"), appleID: 7_000_000_201, type: .autoRenewable,
                referenceName: "Monthly", basePrice: Money(milliunits: 9_990, .usd),
                subscription: Product.Subscription(
                    groupID: "20000001", level: 1, period: period, introductoryOffer: introductory)))
    }

    static func consumable() -> CatalogProduct {
        CatalogProduct(
            Product(
                id: Product.ID(rawValue: "coins"), appleID: 7_000_000_101, type: .consumable, referenceName: "Coins",
                basePrice: Money(milliunits: 990, .usd)))
    }

    static func price(_ milliunits: Int64, _ currency: Currency = .usd, in storefront: Storefront = .usa) -> OfferPrice
    {
        OfferPrice(storefront: storefront, price: Money(milliunits: milliunits, currency))
    }

    static let trial = OfferProposal(paymentMode: .freeTrial, period: .week, periodCount: 1)
    static let cheap = OfferProposal(
        paymentMode: .payAsYouGo, period: .month, periodCount: 3,
        prices: [price(1_990), price(300_000, .jpy, in: japan)])
}
