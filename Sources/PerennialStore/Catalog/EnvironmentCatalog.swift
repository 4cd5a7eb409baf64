import Perennial
import PerennialStorage

/// The catalog as one environment has it.
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
}

extension CatalogCache.Entry {
    /// The app with what an environment says of it, and of all apps.
    func changed(
        by own: EnvironmentSettings?, and common: EnvironmentSettings?, _ kind: StoreEnvironment.Kind
    ) -> CatalogCache.Entry {
        var app = app
        let changes = own?.products ?? [:]
        if !changes.isEmpty {
            app.products = app.products.map { changes[$0.id.rawValue]?.applied(to: $0) ?? $0 }
        }
        let billing = (own?.billing ?? BillingSettings()).or(common?.billing).or(app.billing?[kind])
        return CatalogCache.Entry(
            app: app, revision: revision, sharedSecret: sharedSecret,
            products: changes.isEmpty
                ? products : Dictionary(app.products.map { ($0.id, $0) }) { first, _ in first },
            notifications: notifications, billing: billing)
    }
}
