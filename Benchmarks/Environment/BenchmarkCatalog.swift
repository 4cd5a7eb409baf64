import Perennial

/// The products of the benchmarks: consumables, non-consumables, and a subscription that renews.
enum BenchmarkCatalog {
    static let bundleID = App.BundleID(rawValue: "com.example.bench")
    static let sharedSecret = "0123456789abcdef0123456789abcdef"
    static let consumable = Product.ID(rawValue: "com.example.bench.coins")
    static let subscription = Product.ID(rawValue: "com.example.bench.monthly")
    static let ownable = (1...20).map { Product.ID(rawValue: "com.example.bench.chapter\($0)") }

    static let app = App(
        bundleID: bundleID, appleID: 1_234_567_890, name: "Bench",
        products: [
            product(consumable, .consumable), product(subscription, .autoRenewable, period: .month),
        ] + ownable.map { product($0, .nonConsumable) })

    /// Returns the app with so many more products.
    static func app(adding count: Int) -> App {
        var app = app
        app.products += (0..<count).map { number in
            product(Product.ID(rawValue: "com.example.bench.item\(number)"), .nonConsumable)
        }
        return app
    }

    /// Returns subscriptions that cost the same, in groups of their own.
    static func subscriptions(_ count: Int) -> [Product] {
        (0..<count).map { number in
            product(Product.ID(rawValue: "com.example.bench.paper\(number)"), .autoRenewable, period: .month)
        }
    }

    private static func product(_ id: Product.ID, _ type: ProductType, period: Period? = nil) -> Product {
        Product(
            id: id, type: type, referenceName: id.rawValue,
            localizations: [.init(locale: "en_US", displayName: "A product", description: "What it is")],
            basePrice: Money(milliunits: 1990, .usd),
            subscription: period.map { Product.Subscription(groupID: "bench", level: 1, period: $0) })
    }
}
