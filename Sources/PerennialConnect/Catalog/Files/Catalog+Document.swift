import AppStoreFormats
import Perennial
import PerennialStorage

extension Catalog {
    /// Reads a catalog in YAML that names no other files, such as an export.
    /// - Parameter name: The document's name in errors.
    /// - Throws: ``CatalogError`` with the place.
    package init(document: some Sequence<UInt8>, name: String) throws {
        let file: CatalogFile
        do {
            file = try CatalogFile(parsing: document)
        } catch let error as CatalogFileError {
            throw CatalogError(
                .malformedCatalogFile, at: CatalogPlace(file: name, spot: error.position?.spot ?? .file), error.reason)
        }
        self.init()
        for entry in file.apps {
            let place = CatalogPlace(file: name, spot: entry.position.spot)
            guard let bundleID = entry.bundleID else {
                throw CatalogError(.bundleID, at: place, "expected the key bundleId, found none")
            }
            guard entry.storeKitFile == nil else {
                throw CatalogError(
                    .unreadable, at: place, "a catalog that is sent to a store can't name a .storekit file")
            }
            var builder = AppBuilder(bundleID: App.BundleID(rawValue: bundleID), place: place)
            try builder.merge(with: entry, file: name)
            try builder.finish()
            guard !apps.contains(where: { $0.bundleID == builder.app.bundleID }) else {
                throw CatalogError(.duplicateApp, at: place, "the app \(bundleID) comes twice")
            }
            add(builder)
        }
    }

    /// Returns one document with the apps of several.
    /// - Throws: ``CatalogError`` for text that isn't YAML.
    package static func document(of documents: [String]) throws -> String {
        do {
            return document(try documents.map { try CatalogNode(yaml: $0.utf8) })
        } catch let error as CatalogFileError {
            throw CatalogError(.malformedCatalogFile, at: CatalogPlace(file: "export", spot: .file), error.reason)
        }
    }

    /// The catalog in YAML, without content files.
    package func document() throws -> String {
        Self.document(try apps.map { try CatalogTree($0, in: self).file(appleID: $0.appleID) })
    }

    fileprivate static func document(_ apps: [CatalogNode]) -> String {
        switch apps.count {
        case 1: apps[0].yaml
        default: CatalogNode.keys([.init("apps", .list(apps))]).yaml
        }
    }
}

/// An app as it is in the store, for a file.
package struct CatalogExport: Sendable {
    package var bundleID: App.BundleID
    /// YAML.
    package var document: String
}

extension CatalogReader {
    /// Returns the apps of the store as YAML, ordered by Apple ID.
    /// - Parameters:
    ///   - bundleID: `nil` for all apps.
    ///   - includesSecrets: True if the documents have the apps' shared secrets.
    package func export(_ bundleID: App.BundleID?, includesSecrets: Bool = false) throws -> [CatalogExport] {
        let secrets =
            includesSecrets
            ? Dictionary(try AppsTable.all(on: connection).map { ($0.id, $0.sharedSecret) }) { first, _ in first } : [:]
        return try apps().filter { bundleID == nil || $0.bundleID == bundleID }.map { app in
            let tree = try CatalogTree(app, from: self, sharedSecret: secrets[app.appleID])
            return CatalogExport(bundleID: app.bundleID, document: tree.file(appleID: app.appleID).yaml)
        }
    }

    /// Returns what an environment sells differently from the catalog: prices, scheduled prices, availability, billing.
    package func overrides(
        of app: App, in environment: StoreEnvironment
    ) throws -> [CatalogDifference] {
        let settings = try EnvironmentSettingsTable.settings(app: app.appleID, environment.id, on: connection)
        let currency = app.defaultStorefront.currency ?? .usd
        var differences = CatalogDifference.between(
            try app.withBilling(app.billing?[environment.kind], environment.kind),
            try app.withBilling(
                (settings.billing ?? BillingSettings()).merging(app.billing?[environment.kind]), environment.kind),
            CatalogSubject(.app, app.bundleID.rawValue))
        for (id, change) in try ProductChangesTable.all(of: environment.id, app: app.appleID, on: connection) {
            guard let product = try product(id, app: app.appleID) else { continue }
            let (catalog, sold) = change.comparison(of: product.product)
            differences += CatalogDifference.between(
                try CatalogNode(CatalogProduct(catalog), in: currency),
                try CatalogNode(CatalogProduct(sold), in: currency),
                CatalogSubject(.product, id.rawValue))
        }
        return differences
    }
}

extension App {
    /// The app as a tree with settings for billing in one kind of environment.
    fileprivate func withBilling(_ settings: BillingSettings?, _ kind: StoreEnvironment.Kind) throws -> CatalogNode {
        var app = self
        let settings = settings == BillingSettings() ? nil : settings
        app.billing =
            switch kind {
            case .production: AppBilling(production: settings)
            case .sandbox, .xcode: AppBilling(sandbox: settings)
            }
        return try CatalogNode(app)
    }
}
