import Perennial

/// The simulated app: products of every type, and two subscription groups with changes between all their products.
enum SimulatedCatalog {
    static let bundleID = App.BundleID(rawValue: "com.example.simulation")
    static let appleID: Int64 = 4_000_001
    static let sharedSecret = "00112233445566778899aabbccddeeff"
    static let storefronts = ["USA", "DEU", "JPN"].map(Storefront.init(rawValue:))
    /// Shareable products: of one group the highest level and one of the lowest, all of the other group, and one of two
    /// non-consumables.
    private static let shareable: Set<String> = [
        "gold.year", "gold.month", "bronze.week", "cloud.month", "cloud.year", "frame",
    ]
    static let offers = ["comeback", "loyal", "code"]

    static let subscriptions = subscriptionProducts.map(\.id)
    static let others = otherProducts.map(\.id)
    static let free = Product.ID(rawValue: "newsletter")
    /// The products of the catalog at the start.
    static let initial = subscriptionProducts + otherProducts
    /// The products that the seller may publish later.
    static let additions = addedProducts.map(\.id)
    static let products = Dictionary(
        (initial + addedProducts).map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })

    static func isSubscription(_ id: Product.ID) -> Bool { products[id]?.type == .autoRenewable }

    /// Returns the price point at which an addition is published.
    static func firstPoint(of addition: Product.ID) -> Int { additions.firstIndex(of: addition) ?? 0 }

    static func app(overlap: NonRenewingPolicy.Overlap) -> App {
        App(
            bundleID: bundleID, appleID: appleID, name: "Simulation", isNewsstand: true,
            nonRenewing: NonRenewingPolicy(overlap: overlap), saleTerms: terms(0), products: initial)
    }

    /// The storefronts whose tax customers pay on top of prices.
    static let untaxedPrices: Set<Storefront> = [storefronts[0]]

    /// Returns terms that change with the number of products off sale, since a refund goes by the terms of its sale.
    static func terms(_ change: Int) -> SaleTerms {
        let isFirst = change.isMultiple(of: 2)
        let onTop = SalesTax(basisPoints: isFirst ? 825 : 600, isIncluded: false)
        return SaleTerms(
            commissionBasisPoints: isFirst ? 3000 : 1500, taxBasisPoints: isFirst ? 1900 : 700,
            storefrontTaxes: Dictionary(uniqueKeysWithValues: untaxedPrices.map { ($0, onTop) }))
    }

    private static let otherProducts = [
        product("film", .consumable, 990),
        product("filter", .nonConsumable, 1_990),
        product("frame", .nonConsumable, 3_990),
        product("pass.30days", .nonRenewing, 2_990),
        product("summer", .nonRenewing, 4_990),
        product("newsletter", .free, 0),
    ]

    private static let addedProducts = [
        product("stamp", .consumable, 0), product("poster", .nonConsumable, 0),
        subscription("zine.month", 0, .month, level: 2, in: "cloud", plain: true),
    ]

    private static let subscriptionProducts = [
        subscription("gold.year", 49_990, .year, level: 1),
        subscription("gold.month", 9_990, .month, level: 1, trial),
        subscription("silver.month", 4_990, .month, level: 2, trial),
        subscription("copper.month", 4_490, .month, level: 2, monthly),
        subscription("silver.quarter", 12_990, Period(3, .month), level: 2, upFront),
        subscription("silver.halfyear", 22_990, Period(6, .month), level: 2),
        subscription("bronze.week", 1_490, .week, level: 3),
        subscription("bronze.twomonths", 5_490, Period(2, .month), level: 3),
        subscription("cloud.month", 1_990, .month, level: 1, in: "cloud", trial),
        subscription("cloud.year", 19_990, .year, level: 1, in: "cloud"),
    ]

    private static let trial = Offer(
        id: nil, paymentMode: .freeTrial, period: .week, basePrice: Money(milliunits: 0, .usd))
    private static let monthly = Offer(
        id: nil, paymentMode: .payAsYouGo, period: .month, periodCount: 3, basePrice: Money(milliunits: 990, .usd))
    private static let upFront = Offer(
        id: nil, paymentMode: .payUpFront, period: Period(2, .month), basePrice: Money(milliunits: 1_990, .usd))

    private static func product(_ id: String, _ type: ProductType, _ price: Int64) -> Product {
        // The same name as the subscriptions' code, so that every product has it.
        let code = OneTimeOffer(id: "code", basePrice: Money(milliunits: price / 20 * 10, .usd))
        return Product(
            id: Product.ID(rawValue: id), type: type, referenceName: id, isFamilyShareable: shareable.contains(id),
            basePrice: Money(milliunits: price, .usd), codeOffers: type.renews || price == 0 ? [] : [code])
    }

    private static func subscription(
        _ id: String, _ price: Int64, _ period: Period, level: Int, in group: String = "magazine",
        _ introductory: Offer? = nil, plain: Bool = false
    ) -> Product {
        func offer(_ id: String, _ mode: Offer.PaymentMode, stackable: Bool = false) -> Offer {
            Offer(
                id: id, paymentMode: mode, period: period, periodCount: mode == .payAsYouGo ? 2 : 1,
                basePrice: Money(milliunits: mode == .freeTrial ? 0 : price / 20 * 10, .usd), isStackable: stackable)
        }
        var product = product(id, .autoRenewable, price)
        product.subscription = Product.Subscription(groupID: group, level: level, period: period)
        if plain { return product }
        product.subscription = Product.Subscription(
            groupID: group, level: level, period: period, introductoryOffer: introductory,
            promotionalOffers: [offer("loyal", .payAsYouGo)], codeOffers: [offer("code", .payUpFront, stackable: true)],
            winBackOffers: [offer("comeback", .freeTrial)])
        return product
    }
}
