import AppStoreFormats
import Perennial
import PerennialStorage
import PerennialStore
import TestSupport
import Testing

/// Three months of a small store on a manual clock, for the golden files: sales with quantities, a refund, a trial and
/// its conversion, renewals, a grace period, an upgrade, offers, storefronts with and without decimals, two apps.
enum ReportScenario {
    /// Thursday, 1 October 2026, 11:00 in Los Angeles.
    static let start = Instant(milliseconds: 1_790_877_600_000)
    static let atlasID = App.BundleID(rawValue: "com.example.atlas")
    static let compassID = App.BundleID(rawValue: "com.example.compass")

    static let atlas: App = {
        var app = App(
            bundleID: atlasID, appleID: 1_500_000_001, name: "Atlas", version: "3.2",
            saleTerms: SaleTerms(commissionBasisPoints: 3000, taxBasisPoints: 0),
            products: [
                product("atlas.coins", 1_500_000_101, .consumable, "100 Coins", 990, japan: 160_000),
                // A tab in a name would begin another cell.
                product("atlas.map", 1_500_000_102, .nonConsumable, "World\tMap", 4990),
                product("atlas.pass", 1_500_000_103, .nonRenewing, "Season Pass 2026, \"Gold\"", 9990),
                subscription("atlas.monthly", 1_500_000_104, "Atlas Monthly", 4990, .month, level: 2),
                subscription("atlas.yearly", 1_500_000_105, "Atlas Yearly", 49_990, .year, level: 1),
            ])
        app.reporting = ReportingInfo(
            sku: "ATLAS-01", developer: "Example Press, Inc.", category: "Reference", platforms: "iOS and tvOS")
        app.products[3].subscription?.introductoryOffer = offer(nil, "", .freeTrial, .week, 0)
        app.products[3].subscription?.promotionalOffers = [
            offer("half", "Half Price", .payAsYouGo, .month, 2490, count: 3)
        ]
        app.products[3].subscription?.codeOffers = [
            offer("radio", "Radio Spring", .payUpFront, Period(3, .month), 9990)
        ]
        return app
    }()

    /// An app without anything that only reports show.
    static let compass = App(
        bundleID: compassID, appleID: 1_500_000_002, name: "Compass",
        products: [product("compass.needle", 1_500_000_201, .nonConsumable, "Needle", 1990)])

    /// Lives the three months.
    ///
    /// - Returns: The environment, on 10 January 2027.
    static func live(on engine: Engine = .sqliteInMemory) async throws -> TestStore {
        let base = try await TestStore.make(on: engine, app: atlas, beside: [compass])
        _ = try await base.registry.makeEnvironment(
            "lab", kind: .production, clock: .manual, now: start, billing: BillingSettings(gracePeriodDays: 16))
        let shop = try await base.environment("lab")
        for (name, storefront) in ["ann": "USA", "ben": "DEU", "cho": "JPN", "dan": "GBR", "eva": "CHE", "fay": "USA"]
            .sorted(by: { $0.key < $1.key })
        {
            try await shop.account(name, storefront: storefront)
        }
        _ = try await shop.store.offers.makeCodes(
            OfferCodeOrder(
                productID: id("atlas.monthly"), offerID: "radio", kind: .custom("SPRING", maximumRedemptions: nil)),
            of: atlasID)
        let single = try await shop.store.offers.makeCodes(
            OfferCodeOrder(productID: id("atlas.monthly"), offerID: "radio", kind: .oneTime(count: 1)), of: atlasID)

        // 1 October. The app is free.
        try await install("3.1", "ann", .phone, .iPhone, in: shop)
        try await install("3.1", "ann", .tablet, .iPad, in: shop)
        try await install("3.1", "ben", .tablet, .iPad, in: shop)
        try await buy("atlas.coins", 3, "ann", .iPhone, in: shop)
        try await buy("atlas.coins", 2, "cho", .iPad, in: shop)
        let map = try await buy("atlas.map", 1, "ben", .iPad, in: shop)
        try await buy("atlas.pass", 1, "eva", .iPhone, in: shop)
        try await buy("compass.needle", 1, "ann", .desktop, in: shop)
        let trial = try await buy("atlas.monthly", 1, "dan", .iPhone, in: shop)
        let given = try await buy("atlas.monthly", 1, "eva", .appleTV, in: shop)
        _ = try await shop.store.purchases.redeem(
            "SPRING", idempotencyKey: nil, by: try await shop.customer("ann", app: atlasID))
        _ = try await shop.store.purchases.redeem(
            try #require(single.first).code.code, idempotencyKey: nil, by: try await shop.customer("fay", app: atlasID))

        // 3 October: a refund of two days before, and the same coins again.
        try await shop.advance(to: start + .days(2))
        try await shop.refund(map)
        try await buy("atlas.coins", 1, "ann", .iPhone, in: shop)
        try await install("3.2", "ann", .phone, .iPhone, in: shop)

        // 8 October: one trial becomes a paid subscription, the other ends. 20 October: the one becomes a yearly
        // subscription, the other starts again with a promotional offer.
        _ = try await shop.store.subscriptions.perform(.setAutoRenew(false), on: given.originalID)
        try await shop.advance(to: start + .days(19))
        _ = try await shop.store.subscriptions.perform(.change(id("atlas.yearly")), on: trial.originalID)
        try await buy("atlas.monthly", 1, "eva", .appleTV, offer: "half", in: shop)

        // 20 November: a charge fails, the grace period begins. In it, the charge succeeds.
        try await shop.account("eva", storefront: "CHE", payment: .declined)
        try await shop.advance(to: start + .days(52))
        try await shop.account("eva", storefront: "CHE")
        try await shop.advance(to: start + .days(66))

        // January: the subscriptions bought with codes have renewed at their regular price.
        try await shop.advance(to: start + .days(101))
        return shop
    }

    @discardableResult
    private static func buy(
        _ product: String, _ quantity: Int, _ account: String, _ device: DeviceFamily, offer: String? = nil,
        in shop: TestStore
    ) async throws -> Transaction {
        let app = product.hasPrefix("compass") ? compassID : atlasID
        return try await shop.store.purchases.buy(
            PurchaseRequest(productID: id(product), quantity: quantity, offerID: offer),
            by: try await shop.customer(account, app: app), on: SaleFacts(device: device, appVersion: "3.2"))
    }

    private static func install(
        _ version: String, _ account: String, _ device: TestDevice, _ family: DeviceFamily, in shop: TestStore
    ) async throws {
        _ = try await shop.store.downloads.record(
            deviceID: device.id, family: family, version: version, of: try await shop.customer(account, app: atlasID))
    }

    private static func id(_ product: String) -> Product.ID { Product.ID(rawValue: product) }

    private static func product(
        _ id: String, _ appleID: Int64, _ type: ProductType, _ name: String, _ price: Int64, japan: Int64? = nil
    ) -> Product {
        Product(
            id: Product.ID(rawValue: id), appleID: appleID, type: type, referenceName: name,
            prices: japan.map { [Storefront(rawValue: "JPN"): Money(milliunits: $0, .jpy)] } ?? [:],
            basePrice: Money(milliunits: price, .usd))
    }

    private static func subscription(
        _ id: String, _ appleID: Int64, _ name: String, _ price: Int64, _ period: Period, level: Int
    ) -> Product {
        var product = product(id, appleID, .autoRenewable, name, price)
        product.subscription = Product.Subscription(groupID: "21500001", level: level, period: period)
        return product
    }

    private static func offer(
        _ id: String?, _ name: String, _ mode: Offer.PaymentMode, _ period: Period, _ price: Int64, count: Int = 1
    ) -> Offer {
        Offer(
            id: id, referenceName: name, paymentMode: mode, period: period, periodCount: count,
            basePrice: Money(milliunits: price, .usd))
    }
}
