import Perennial
import PerennialStorage

/// The catalog of one revision, as all environments sell it.
struct CachedCatalog: Sendable {
    /// Negative for an empty cache.
    private(set) var revision: Int64 = -1
    private(set) var entries = CatalogCache.Entries()
    private var settings: [StoreEnvironment.ID: [Int64: EnvironmentSettings]] = [:]
    /// The environments' changes of products, by app.
    private var productChanges: [StoreEnvironment.ID: [Int64: [Product.ID: ProductChange]]] = [:]
    /// Each environment's changes of apps, applied to their products; created on first use.
    private var applied: [StoreEnvironment.ID: [Int64: EnvironmentChanges]] = [:]
    /// Each environment's entries, created on first use.
    private var ofEnvironments: [StoreEnvironment.ID: CatalogCache.Entries] = [:]

    /// The Apple IDs of the apps.
    var apps: Set<Int64> { Set(entries.byNumber.keys) }

    /// Returns the apps as an environment sells them.
    mutating func entries(in environment: StoreEnvironment) -> CatalogCache.Entries {
        var own = ofEnvironments[environment.id] ?? CatalogCache.Entries()
        guard own.byNumber.count < entries.byNumber.count else { return own }
        // Not held twice while it is changed, so that it isn't copied.
        ofEnvironments[environment.id] = nil
        let settings = settings[environment.id] ?? [:]
        let common = settings[EnvironmentSettingsTable.allApps]
        for entry in entries.byNumber.values where own.byNumber[entry.app.appleID] == nil {
            let app = entry.app.appleID
            let changes =
                applied[environment.id]?[app]
                ?? EnvironmentChanges(of: entry, productChanges[environment.id]?[app] ?? [:])
            applied[environment.id, default: [:]][app] = changes
            own.put(entry.sold(with: changes, settings[app], and: common, environment.kind))
        }
        ofEnvironments[environment.id] = own
        return own
    }

    /// Applies what has changed since this revision. Older changes than those applied change nothing.
    mutating func apply(_ changes: CatalogChanges) {
        guard changes.revision > revision, isComplete(changes) else { return }
        revision = changes.revision
        // The environments' entries share the products with these, which are changed in place.
        if changes.includesSettings {
            settings = [:]
            for found in changes.settings { settings[found.environment, default: [:]][found.app] = found.settings }
            (productChanges, applied, ofEnvironments) = ([:], [:], [:])
        } else {
            for environment in Array(ofEnvironments.keys) {
                for app in changes.changedApps { ofEnvironments[environment]?.remove(app) }
            }
        }
        for (id, app) in changes.apps {
            switch app {
            case .unreadable: entries.remove(id)
            case .added(let entry): entries.put(entry)
            case .changed(let app): entries.change(id) { $0.replaceApp(app, revision: changes.revision) }
            }
        }
        var touched: [Int64: Set<Product.ID>] = [:]
        for product in changes.products {
            entries.change(product.app) { entry in
                if let before = entry.productID(of: product.id) { touched[product.app, default: []].insert(before) }
                if let sold = product.product, !product.isDeleted {
                    touched[product.app, default: []].insert(sold.id)
                    entry.put(sold, revision: changes.revision)
                } else {
                    entry.remove(product.id, former: product.product, revision: changes.revision)
                }
            }
        }
        for row in changes.productChanges {
            productChanges[row.environment, default: [:]][row.app, default: [:]][row.productID] = row.change
        }
        update(touched, changes.productChanges)
    }

    /// Brings the environments' changes up to date with products that have changed.
    ///
    /// - Parameters:
    ///   - products: The products that have changed in the catalog.
    ///   - rows: Those that have changed in an environment.
    private mutating func update(_ products: [Int64: Set<Product.ID>], _ rows: [CatalogChanges.ChangedProductChange]) {
        for environment in Array(applied.keys) {
            var touched = products
            for row in rows where row.environment == environment {
                touched[row.app, default: []].insert(row.productID)
            }
            for (app, ids) in touched {
                guard let entry = entries.byNumber[app] else {
                    applied[environment]?[app] = nil
                    continue
                }
                let changes = productChanges[environment]?[app] ?? [:]
                for id in ids { applied[environment]?[app]?.update(id, of: entry, changes[id]) }
            }
        }
    }

    /// Returns false if an app was removed since the changes were read: they lack its products.
    private func isComplete(_ changes: CatalogChanges) -> Bool {
        changes.apps.allSatisfy { id, app in
            guard case .changed = app else { return true }
            return entries.byNumber[id] != nil
        }
    }
}
