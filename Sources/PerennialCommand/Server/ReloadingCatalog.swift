import AppStoreFormats
import Foundation
import Perennial
import PerennialConnect
import PerennialDelivery
import Synchronization

/// Delivery's catalog, which is read again when one of its files changes: a seller publishes an issue without a restart.
///
/// Each request checks the dates and sizes of the files. A catalog that can't be used, such as one that is being written,
/// doesn't replace the one before.
final class ReloadingCatalog: Sendable {
    /// The attributes that differ between two versions of a file.
    private struct Stamp: Equatable {
        var size: UInt64
        var modified: Date
        var inode: UInt64
    }

    private struct State {
        var catalog: DeliveryCatalog
        /// The stamp of each file; `nil` for a missing one.
        var stamps: [String: Stamp?]
    }

    private let read: @Sendable () throws -> (catalog: DeliveryCatalog, warnings: [CatalogWarning])
    private let storekit: [String]
    private let catalog: [String]
    private let warn: @Sendable (String) -> Void
    private let state: Mutex<State>

    /// - Parameters:
    ///   - loaded: The catalog of the files now.
    ///   - secrets: Shared secrets that override the catalog's.
    ///   - warn: Prints a warning about a catalog that was read again.
    init(
        _ loaded: Catalog, from options: CatalogOptions, secrets: [App.BundleID: String],
        warn: @escaping @Sendable (String) -> Void
    ) {
        let (storekit, catalog, bundleID) = (options.storekit, options.catalog, options.bundleID)
        self.storekit = storekit
        self.catalog = catalog
        self.warn = warn
        read = {
            let loaded = try CatalogLoader.load(storekit: storekit, catalog: catalog, bundleID: bundleID)
            return (DeliveryCatalog(loaded, secrets: secrets), loaded.warnings)
        }
        state = Mutex(
            State(
                catalog: DeliveryCatalog(loaded, secrets: secrets),
                stamps: Self.stamps(storekit: storekit, catalog: catalog)))
    }

    /// Returns the catalog of the files now, or the last usable one.
    func current() -> DeliveryCatalog {
        state.withLock { state in
            let stamps = Self.stamps(of: state.stamps.keys)
            guard stamps != state.stamps else { return state.catalog }
            // Stored before reading, so that an unusable catalog gives one warning.
            state.stamps = stamps
            do {
                let (catalog, warnings) = try read()
                for warning in warnings { warn("\(warning)") }
                state.catalog = catalog
                state.stamps = Self.stamps(storekit: storekit, catalog: self.catalog).merging(stamps) { $1 }
            } catch {
                warn("the catalog changed and can't be used; the one before stays: \(error)")
            }
            return state.catalog
        }
    }

    /// The stamps of the files in the options and in the catalogs.
    private static func stamps(storekit: [String], catalog: [String]) -> [String: Stamp?] {
        let named = catalog.flatMap { path -> [String] in
            guard let bytes = FileManager.default.contents(atPath: path), let file = try? CatalogFile(parsing: bytes)
            else { return [] }
            let folder = URL(filePath: path).deletingLastPathComponent()
            return file.apps.compactMap(\.storeKitFile).map { URL(filePath: $0, relativeTo: folder).path }
        }
        return stamps(of: storekit + catalog + named)
    }

    private static func stamps(of paths: some Sequence<String>) -> [String: Stamp?] {
        Dictionary(paths.map { ($0, stamp(of: $0)) }) { first, _ in first }
    }

    private static func stamp(of path: String) -> Stamp? {
        let path = URL(filePath: path).resolvingSymlinksInPath().path
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: path),
            let size = attributes[.size] as? NSNumber, let modified = attributes[.modificationDate] as? Date,
            let inode = attributes[.systemFileNumber] as? NSNumber
        else { return nil }
        return Stamp(size: size.uint64Value, modified: modified, inode: inode.uint64Value)
    }
}

extension DeliveryCatalog {
    /// - Parameter secrets: Shared secrets that override the catalog's.
    init(_ catalog: Catalog, secrets: [App.BundleID: String]) {
        self.init(
            catalog.apps.map { app in
                Entry(
                    app: app, contents: catalog.contents[app.bundleID] ?? [],
                    sharedSecret: secrets[app.bundleID] ?? catalog.sharedSecrets[app.bundleID])
            })
    }
}
