import AppStoreFormats
import Foundation
import Perennial
import PerennialConnect
import PerennialDelivery
import Synchronization

/// What Delivery delivers, read again when one of the catalog's files changes: a seller publishes an issue without a
/// restart.
///
/// The files' dates and sizes are looked at for each request, which costs less than anything a request does besides. A
/// catalog that can't be used, such as one that is just being written, doesn't take the place of the one before.
final class ReloadingCatalog: Sendable {
    /// What tells one state of a file from another.
    private struct Stamp: Equatable {
        var size: UInt64
        var modified: Date
        var inode: UInt64
    }

    private struct State {
        var catalog: DeliveryCatalog
        /// `nil` for a file that is gone.
        var stamps: [String: Stamp?]
    }

    private let read: @Sendable () throws -> (catalog: DeliveryCatalog, warnings: [CatalogWarning])
    private let storekit: [String]
    private let catalog: [String]
    private let warn: @Sendable (String) -> Void
    private let state: Mutex<State>

    /// - Parameters:
    ///   - loaded: What the files hold now.
    ///   - secrets: Shared secrets that come before the catalog's.
    ///   - warn: Told of what a person should know of a catalog that was read again.
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

    /// The catalog as its files are now, or as they were when they last could be used.
    func current() -> DeliveryCatalog {
        state.withLock { state in
            let stamps = Self.stamps(of: state.stamps.keys)
            guard stamps != state.stamps else { return state.catalog }
            // Remembered before reading, so that a catalog that can't be used is complained of once.
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

    /// The stamps of the files that are named by the options or by a catalog.
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
    /// - Parameter secrets: They come before the catalog's own.
    init(_ catalog: Catalog, secrets: [App.BundleID: String]) {
        self.init(
            catalog.apps.map { app in
                Entry(
                    app: app, contents: catalog.contents[app.bundleID] ?? [],
                    sharedSecret: secrets[app.bundleID] ?? catalog.sharedSecrets[app.bundleID])
            })
    }
}
