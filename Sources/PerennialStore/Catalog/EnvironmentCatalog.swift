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

    /// Changes products in the environment behind its lock, and invalidates the cached catalog. Only rows that differ are
    /// written.
    ///
    /// - Parameters:
    ///   - products: As in the catalog.
    ///   - body: Changes a product, and what else the environment has recorded of the app.
    /// - Returns: The products as the environment sells them now.
    func change(
        _ products: [Product], app: Int64, on connection: any Connection,
        _ body: (Product, inout ProductChange, inout EnvironmentSettings) throws -> Void
    ) throws -> [Product] {
        try EnvironmentsTable.lock(environment.id, on: connection)
        let before = try EnvironmentSettingsTable.settings(app: app, environment.id, on: connection)
        var settings = before
        var changed: [(id: Product.ID, change: ProductChange)] = []
        let sold = try products.map { product in
            // Read behind the lock: another node may have changed it.
            let known = try ProductChangesTable.change(of: product.id, app: app, environment.id, on: connection)
            var change = known
            try body(product, &change, &settings)
            if change != known { changed.append((product.id, change)) }
            return change.applied(to: product)
        }
        if settings != before {
            try EnvironmentSettingsTable.put(settings, app: app, environment.id, on: connection)
        }
        if !changed.isEmpty {
            let revision = try CatalogHeadTable.raise(on: connection)
            for (id, change) in changed {
                try ProductChangesTable.put(
                    change, of: id, app: app, environment.id, revision: revision, on: connection)
            }
        }
        return sold
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
