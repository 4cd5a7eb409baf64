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
        let billing = (own?.billing ?? BillingSettings()).merging(common?.billing).merging(app.billing?[kind])
        return CatalogCache.Entry(
            app: app, revision: revision, sharedSecret: sharedSecret,
            products: changes.isEmpty
                ? products : Dictionary(app.products.map { ($0.id, $0) }) { first, _ in first },
            notifications: notifications, billing: billing)
    }
}
