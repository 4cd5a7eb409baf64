import AppStoreFormats
import Foundation
import Perennial

/// Loads a store's catalog from its files.
package enum CatalogLoader {
    /// Reads `.storekit` files and YAML catalogs.
    ///
    /// A catalog is merged into the `.storekit` file that it names. One `.storekit` file and a catalog of one app
    /// that names none belong together. Every other `.storekit` file is an app of its own.
    /// - Parameters:
    ///   - bundleID: The bundle ID of the app whose files have none; by default `com.example.` and the file's name.
    ///   - tolerated: Rules whose violation is a warning and no error.
    ///   - appliesWinBackEligibility: True if `isEligible` of a win-back offer in a `.storekit` file decides who is eligible, as in Xcode;
    ///     false if the store's rules do.
    /// - Throws: ``CatalogError`` with file and place.
    package static func load(
        storekit: [String], catalog: [String], bundleID: String? = nil,
        tolerating tolerated: Set<ProductProblem.Code> = [], appliesWinBackEligibility: Bool = false
    ) throws -> Catalog {
        var plan = try CatalogPlan(storeKitPaths: storekit, catalogPaths: catalog)
        try plan.assignBundleIDs(option: bundleID)
        var result = Catalog(warnings: plan.warnings)
        var paths: [App.BundleID: String] = [:]
        for source in plan.sources {
            let builder = try source.builder(
                tolerating: tolerated, appliesWinBackEligibility: appliesWinBackEligibility)
            let id = builder.app.bundleID
            if let first = paths.updateValue(source.path, forKey: id) {
                throw CatalogError(
                    .duplicateApp, at: builder.place,
                    "the app \(id) is also in \(first); a catalog refines the .storekit file it names: storekit: FILE"
                )
            }
            result.add(builder)
        }
        return result
    }
}

extension Catalog {
    mutating func add(_ builder: AppBuilder) {
        let id = builder.app.bundleID
        apps.append(builder.app)
        if !builder.contents.isEmpty { contents[id] = builder.contents }
        if !builder.groups.isEmpty { groups[id] = builder.groups }
        sharedSecrets[id] = builder.sharedSecret
        saleTerms[id] = builder.saleTerms
        notifications[id] = builder.notifications
        if !builder.listings.isEmpty { listings[id] = builder.listings }
        withoutAppleID[id] = builder.withoutAppleID
        if builder.isStoreKitFile { storeKitApps.insert(id) }
        warnings += builder.warnings
    }
}

/// The assignment of files to apps.
private struct CatalogPlan {
    struct Source {
        var storeKit: (path: String, file: StoreKitFile)?
        var catalog: (path: String, entry: CatalogFile.App)?
        var bundleID: App.BundleID?

        /// The file that identifies the app in errors.
        var path: String { catalog?.path ?? storeKit?.path ?? "" }

        func builder(
            tolerating tolerated: Set<ProductProblem.Code>, appliesWinBackEligibility: Bool
        ) throws -> AppBuilder {
            let bundleID = bundleID ?? App.BundleID(rawValue: "com.example.app")
            var builder: AppBuilder
            if let storeKit {
                builder = CatalogImport.builder(
                    from: storeKit.file, path: storeKit.path, bundleID: bundleID, name: storeKit.path.fileStem,
                    storefront: catalog?.entry.defaultStorefront.map { Storefront(rawValue: $0) },
                    appliesWinBackEligibility: appliesWinBackEligibility)
            } else {
                builder = AppBuilder(bundleID: bundleID, place: CatalogPlace(file: path, spot: .file))
            }
            builder.isStoreKitFile = catalog == nil
            if let catalog { try builder.merge(with: catalog.entry, file: catalog.path) }
            builder.toleratedProblems = tolerated
            try builder.finish()
            return builder
        }
    }

    var sources: [Source] = []
    var warnings: [CatalogWarning] = []

    init(storeKitPaths: [String], catalogPaths: [String]) throws {
        for path in catalogPaths {
            for entry in try CatalogFile(readingFileAt: path).apps {
                let storeKit = try entry.storeKitFile.map { try Self.storeKitFile($0, namedBy: path, entry) }
                sources.append(Source(storeKit: storeKit, catalog: (path, entry)))
            }
        }
        let named = Set(sources.compactMap { $0.storeKit?.path.canonical })
        var unnamed: [String] = []
        for path in storeKitPaths
        where !named.contains(path.canonical) && !unnamed.map(\.canonical).contains(path.canonical) {
            unnamed.append(path)
        }
        let files = try unnamed.map { ($0, try StoreKitFile(readingFileAt: $0)) }
        if files.count == 1, sources.count == 1, sources[0].storeKit == nil {
            sources[0].storeKit = files[0]
        } else {
            sources += files.map { Source(storeKit: $0) }
        }
    }

    /// Reads a `.storekit` file that a catalog names.
    ///
    /// - Throws: ``CatalogError``: with the catalog's place if the file can't be read, with the file's place for its
    ///   own errors.
    private static func storeKitFile(
        _ name: String, namedBy catalog: String, _ entry: CatalogFile.App
    ) throws -> (path: String, file: StoreKitFile) {
        let path = catalog.sibling(name)
        do {
            return (path, try StoreKitFile(readingFileAt: path))
        } catch let error as CatalogError where error.code == .unreadable {
            let position = entry.storeKitPosition ?? entry.position
            throw CatalogError(
                .unreadable,
                at: CatalogPlace(file: catalog, spot: .position(line: position.line, column: position.column)),
                "storekit: \(path): \(error.reason)")
        }
    }

    mutating func assignBundleIDs(option: String?) throws {
        for index in sources.indices {
            sources[index].bundleID = sources[index].catalog?.entry.bundleID.map { App.BundleID(rawValue: $0) }
        }
        let unidentified = sources.indices.filter { sources[$0].bundleID == nil }
        if let option { try apply(option, to: unidentified) }
        for index in unidentified where sources[index].bundleID == nil {
            let path = sources[index].storeKit?.path ?? sources[index].path
            sources[index].bundleID = App.BundleID(rawValue: "com.example.\(path.identifierStem)")
        }
    }

    private mutating func apply(_ option: String, to unidentified: [Int]) throws {
        let place = CatalogPlace(file: "--app \(option.prefix(120))", spot: .file)
        guard ProductValidation.isWellFormed(identifier: option) else {
            throw CatalogError(.bundleID, at: place, "expected a bundle ID such as com.example.magazine")
        }
        guard unidentified.count <= 1 else {
            throw CatalogError(
                .bundleID, at: place, "expected one app whose files say no bundle ID, found \(unidentified.count)")
        }
        guard let index = unidentified.first else {
            warnings.append(CatalogWarning(.bundleIDUnused, at: place, "the catalog says the bundle ID: not applied"))
            return
        }
        sources[index].bundleID = App.BundleID(rawValue: option)
    }
}
