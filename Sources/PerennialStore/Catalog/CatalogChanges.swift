import Foundation
import Logging
import Perennial
import PerennialStorage

/// The rows of the catalog that changed after a revision, decoded.
///
/// A product that can't be read is left out with a line in the log: everything else is sold and renewed all the same.
struct CatalogChanges: Sendable {
    enum ChangedApp: Sendable {
        /// Known before: its products are those of before, and what changed of them.
        case changed(CatalogCache.Entry)
        /// An app with all its products.
        case added(CatalogCache.Entry)
        case unreadable
    }

    struct ChangedProduct: Sendable {
        var id: Int64
        var app: Int64
        /// `nil` if it can't be read.
        var product: Product?
        var isDeleted: Bool
    }

    /// A product that has changed in an environment.
    struct ChangedProductChange: Sendable {
        var environment: StoreEnvironment.ID
        var app: Int64
        var productID: Product.ID
        /// `nil` if it can't be read.
        var change: ProductChange?
    }

    let revision: Int64
    private(set) var apps: [(id: Int64, app: ChangedApp)] = []
    private(set) var products: [ChangedProduct] = []
    private(set) var settings: [(environment: StoreEnvironment.ID, app: Int64, settings: EnvironmentSettings)] = []
    /// The changes of products in environments: all of them with the settings, otherwise those of later revisions.
    private(set) var productChanges: [ChangedProductChange] = []
    /// True if the settings of environments were read again.
    private(set) var includesSettings = false

    var changedApps: Set<Int64> {
        Set(apps.map(\.id)).union(products.map(\.app)).union(productChanges.map(\.app))
    }

    /// - Parameters:
    ///   - known: The revision of the cache; negative for an empty one.
    ///   - readable: The apps in the cache.
    init(
        after known: Int64, upTo revision: Int64, apps readable: Set<Int64>, on connection: any Connection,
        _ logger: Logger
    ) throws {
        self.revision = revision
        let records = try AppsTable.all(changedAfter: known, on: connection)
        let notified =
            records.isEmpty
            ? [:] : Dictionary(grouping: try NotificationSettingsTable.all(on: connection), by: \.place.app)
        for record in records {
            guard let entry = Self.entry(record, notified[record.id] ?? [], revision, logger) else {
                apps.append((record.id, .unreadable))
                continue
            }
            if readable.contains(record.id) {
                apps.append((record.id, .changed(entry)))
            } else {
                let rows = try ProductsTable.definitions(app: record.id, on: connection)
                let sold = rows.filter { !$0.isDeleted }.compactMap { Self.product($0, logger) }
                let former = rows.filter(\.isDeleted).compactMap { Self.product($0, logger) }
                apps.append((record.id, .added(entry.selling(sold, former: former))))
            }
        }
        if known >= 0 {
            products = try ProductsTable.definitions(changedAfter: known, on: connection).map {
                ChangedProduct(id: $0.id, app: $0.app, product: Self.product($0, logger), isDeleted: $0.isDeleted)
            }
        }
        includesSettings = known < 0 || !records.isEmpty
        productChanges = try ProductChangesTable.all(changedAfter: includesSettings ? -1 : known, on: connection).map {
            ChangedProductChange(
                environment: $0.environment, app: $0.app, productID: $0.productID, change: Self.change($0, logger))
        }
        guard includesSettings else { return }
        for found in try EnvironmentSettingsTable.all(on: connection) {
            switch found.settings {
            case .success(let read): settings.append((found.environment, found.app, read))
            case .failure(let error):
                logger.error(
                    "an environment's settings are left out: they can't be read",
                    metadata: [
                        "environment": "\(found.environment.rawValue)", "app": "\(found.app)", "error": "\(error)",
                    ])
            }
        }
    }

    private static func product(_ row: ProductsTable.Definition, _ logger: Logger) -> Product? {
        do {
            return try CatalogDocument.decode(Product.self, from: row.definition)
        } catch {
            logger.error(
                "a product is left out: its definition can't be read",
                metadata: ["product": "\(row.id)", "app": "\(row.app)", "error": "\(error)"])
            return nil
        }
    }

    private static func change(_ row: ProductChangesTable.Row, _ logger: Logger) -> ProductChange? {
        switch row.change {
        case .success(let change): return change
        case .failure(let error):
            logger.error(
                "an environment's changes of a product are left out: they can't be read",
                metadata: [
                    "environment": "\(row.environment.rawValue)", "product": "\(row.productID)", "error": "\(error)",
                ])
            return nil
        }
    }

    private static func entry(
        _ record: AppsTable.Record,
        _ notified: [(place: NotificationSettingsTable.Place, record: NotificationSettingsTable.Record)],
        _ revision: Int64, _ logger: Logger
    ) -> CatalogCache.Entry? {
        do {
            return CatalogCache.Entry(
                app: try CatalogDocument.decode(App.self, from: record.definition), revision: revision,
                sharedSecret: record.sharedSecret,
                notifications: Dictionary(
                    uniqueKeysWithValues: try notified.map {
                        ($0.place.environment, try NotificationSettings($0.record))
                    }))
        } catch {
            logger.error(
                "an app is left out: its definition can't be read",
                metadata: ["app": "\(record.bundleID.rawValue)", "error": "\(error)"])
            return nil
        }
    }
}
