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
        var entry = self
        let changes = own?.products ?? [:]
        for (id, change) in changes {
            guard let product = products[Product.ID(rawValue: id)] else { continue }
            let changed = change.applied(to: product)
            if changed != product { entry.put(changed) }
        }
        entry.billing = (own?.billing ?? BillingSettings()).merging(common?.billing).merging(app.billing?[kind])
        entry.pendingPrices = pendingPrices(after: changes)
        entry.nextPrice = entry.pendingPrices.values.compactMap { $0.prices.first?.at }.min()
        return entry
    }

    private func pendingPrices(after changes: [String: ProductChange]) -> [Product.ID: PendingPrices] {
        var pending: [Product.ID: PendingPrices] = [:]
        for id in scheduled.union(changes.keys.map(Product.ID.init(rawValue:))) {
            guard let product = products[id] else { continue }
            pending[id] = PendingPrices(product, changes[id.rawValue])
        }
        return pending
    }

    /// Returns a product at its price of an instant, also before a scheduled price has been applied.
    func product(_ id: Product.ID, at now: Instant) -> Product? {
        guard let product = products[id], let nextPrice, nextPrice <= now, let pending = pendingPrices[id] else {
            return products[id]
        }
        guard let first = pending.prices.first, first.at <= now else { return product }
        return pending.product(at: now)
    }
}

/// A product's scheduled prices that haven't taken effect in an environment.
package struct PendingPrices: Sendable {
    /// In order, and never empty.
    package let prices: [ScheduledPrice]
    private let catalogProduct: Product
    private let change: ProductChange

    /// - Parameter product: The product in the catalog.
    /// - Returns: `nil` if no price is pending.
    init?(_ product: Product, _ change: ProductChange?) {
        guard change != nil || !product.priceSchedule.isEmpty else { return nil }
        let change = change ?? ProductChange()
        prices = change.pendingPrices(of: product)
        guard !prices.isEmpty else { return nil }
        catalogProduct = product
        self.change = change
    }

    /// Returns the product at its prices of an instant.
    func product(at instant: Instant) -> Product { change.applied(to: catalogProduct, at: instant) }
}
