import Perennial
import PerennialStorage

/// An app's products as one environment sells them, as far as that differs from the catalog.
struct EnvironmentChanges: Sendable {
    /// The products with the environment's prices and availability, of those that differ.
    private(set) var products: [Product.ID: Product] = [:]
    /// The products with scheduled prices that haven't taken effect in the environment.
    private(set) var pending: [Product.ID: PendingPrices] = [:]

    /// - Parameters:
    ///   - entry: The app as in the catalog.
    ///   - changes: The environment's changes of its products.
    init(of entry: CatalogCache.Entry, _ changes: [Product.ID: ProductChange]) {
        for id in entry.scheduled.union(changes.keys) { update(id, of: entry, changes[id]) }
    }

    /// Brings a product up to date, which has changed in the catalog or in the environment.
    ///
    /// - Parameters:
    ///   - entry: The app as in the catalog.
    ///   - change: The environment's change of the product; `nil` without one.
    mutating func update(_ id: Product.ID, of entry: CatalogCache.Entry, _ change: ProductChange?) {
        (products[id], pending[id]) = (nil, nil)
        guard let product = entry.products[id], change != nil || !product.priceSchedule.isEmpty else { return }
        if let sold = change?.applied(to: product), sold != product { products[id] = sold }
        pending[id] = PendingPrices(product, change)
    }
}

/// A product's scheduled prices that haven't taken effect in an environment.
package struct PendingPrices: Sendable {
    /// The prices in their order; at least one.
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

extension CatalogCache.Entry {
    /// An app's products by their IDs, as an environment sells them.
    package struct SoldProducts: Sendable {
        fileprivate let catalog: [Product.ID: Product]
        fileprivate let changed: [Product.ID: Product]

        package subscript(id: Product.ID) -> Product? {
            // Most environments change few products, and most none.
            if !changed.isEmpty, let product = changed[id] { return product }
            return catalog[id]
        }
    }

    /// The products as the environment sells them.
    package var products: SoldProducts { SoldProducts(catalog: catalogProducts, changed: changes?.products ?? [:]) }

    /// The products with scheduled prices that haven't taken effect in the environment.
    package var pendingPrices: [Product.ID: PendingPrices] { changes?.pending ?? [:] }

    /// The app with its products as the environment sells them.
    package var soldApp: App {
        guard let changes, !changes.products.isEmpty else { return app }
        var sold = app
        for (index, product) in app.products.enumerated() {
            if let changed = changes.products[product.id] { sold.products[index] = changed }
        }
        return sold
    }

    /// Returns the entry as an environment sells it.
    ///
    /// - Parameters:
    ///   - changes: What it sells otherwise than the catalog says.
    ///   - own: The environment's settings for the app; `common` those for all apps.
    func sold(
        with changes: EnvironmentChanges, _ own: EnvironmentSettings?, and common: EnvironmentSettings?,
        _ kind: StoreEnvironment.Kind
    ) -> CatalogCache.Entry {
        var entry = self
        entry.changes = changes
        entry.billing = (own?.billing ?? BillingSettings()).merging(common?.billing).merging(app.billing?[kind])
        entry.nextPrice = changes.pending.values.compactMap { $0.prices.first?.at }.min()
        return entry
    }

    /// Returns a product at its price of an instant, also before a scheduled price has been applied.
    func product(_ id: Product.ID, at now: Instant) -> Product? {
        guard let nextPrice, nextPrice <= now, let pending = pendingPrices[id],
            let first = pending.prices.first, first.at <= now
        else { return products[id] }
        // A product that was removed since has no prices.
        return products[id] == nil ? nil : pending.product(at: now)
    }
}
