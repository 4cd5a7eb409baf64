import Perennial
import PerennialStorage

/// The catalog as one environment sees it.
struct EnvironmentCatalog: Sendable {
    let cache: CatalogCache
    let environment: StoreEnvironment

    func entry(_ bundleID: App.BundleID, on connection: any Connection) throws -> CatalogCache.Entry? {
        try cache.entries(in: environment, on: connection).byBundleID[bundleID]
    }

    func entry(number: Int64, on connection: any Connection) throws -> CatalogCache.Entry? {
        try cache.entries(in: environment, on: connection).byNumber[number]
    }

    func all(on connection: any Connection) throws -> [CatalogCache.Entry] {
        try cache.entries(in: environment, on: connection).sorted
    }

    /// Returns the instant of the first scheduled price that hasn't taken effect.
    func nextPrice(on connection: any Connection) throws -> Instant? {
        try cache.entries(in: environment, on: connection).nextPrice
    }

    /// Changes the environment's settings for an app behind the environment's lock, and invalidates the cached catalog.
    func changeSettings<Value>(
        app: Int64, on connection: any Connection, _ change: (inout EnvironmentSettings) throws -> Value
    ) throws -> Value {
        try EnvironmentsTable.lock(environment.id, on: connection)
        var settings = try EnvironmentSettingsTable.settings(app: app, environment.id, on: connection)
        let value = try change(&settings)
        try EnvironmentSettingsTable.put(settings, app: app, environment.id, on: connection)
        try AppsTable.touch(app == EnvironmentSettingsTable.allApps ? nil : app, on: connection)
        return value
    }
}

extension CatalogCache.Entry {
    /// Returns the entry with an environment's settings for this app and for all apps applied.
    func changed(
        by own: EnvironmentSettings?, and common: EnvironmentSettings?, _ kind: StoreEnvironment.Kind
    ) -> CatalogCache.Entry {
        var app = app
        let changes = own?.products ?? [:]
        if !changes.isEmpty {
            app.products = app.products.map { changes[$0.id.rawValue]?.applied(to: $0) ?? $0 }
        }
        let pending = pendingPrices(after: changes)
        let billing = (own?.billing ?? BillingSettings()).merging(common?.billing).merging(app.billing?[kind])
        return CatalogCache.Entry(
            app: app, revision: revision, sharedSecret: sharedSecret,
            products: changes.isEmpty
                ? products : Dictionary(app.products.map { ($0.id, $0) }) { first, _ in first },
            notifications: notifications, billing: billing, pendingPrices: pending,
            nextPrice: pending.values.compactMap { $0.first?.at }.min())
    }

    private func pendingPrices(after changes: [String: ProductChange]) -> [Product.ID: [ScheduledPrice]] {
        var pending: [Product.ID: [ScheduledPrice]] = [:]
        for product in app.products {
            let change = changes[product.id.rawValue]
            guard change != nil || !product.priceSchedule.isEmpty else { continue }
            let prices = (change ?? ProductChange()).pendingPrices(of: product)
            if !prices.isEmpty { pending[product.id] = prices }
        }
        return pending
    }

    /// Returns a product at its price of an instant, also before a scheduled price has been applied.
    func product(_ id: Product.ID, at now: Instant) -> Product? {
        guard let product = products[id], let nextPrice, nextPrice <= now, let pending = pendingPrices[id] else {
            return products[id]
        }
        return pending.prefix { $0.at <= now }.reduce(product) { $0.priced($1.price, in: $1.storefront) }
    }
}
