import Perennial
import PerennialConnect
import PerennialDelivery
import PerennialStorage
import Synchronization

/// The content server's view of the catalog of a store in the same process: products that were added since the start, and
/// uploaded content.
///
/// An app's view is made again when the catalog has another revision, or another era (`Database.era`): after a failover that lost
/// commits the same number may stand for another catalog.
final class StoreDeliveryCatalog: Sendable {
    private let editor: CatalogEditor
    private let views = Mutex<[App.BundleID: View]>([:])

    /// An app's entry, and the state of the catalog that it was made of.
    private struct View {
        var era: Int64
        var revision: Int64
        var entry: DeliveryCatalog.Entry
    }

    init(database: Database) {
        editor = CatalogEditor(database: database, wallClock: WallClock.now)
    }

    /// Returns an app's entry with the products and the uploaded content that the store has now.
    ///
    /// Uploaded content replaces content of the catalog's file with the same ID.
    @Sendable func refreshed(_ entry: DeliveryCatalog.Entry) async throws -> DeliveryCatalog.Entry {
        let bundleID = entry.app.bundleID
        let known = views.withLock { $0[bundleID] }
        let found = try await editor.read { reader -> View? in
            let (era, revision) = (reader.era, try reader.revision())
            if let known, known.era == era, known.revision == revision { return nil }
            guard let app = try reader.apps().first(where: { $0.bundleID == bundleID }) else {
                return View(era: era, revision: revision, entry: entry)
            }
            let products = try reader.productIDs(app: app.appleID, renewing: nil).compactMap { try reader.product($0) }
            let uploads = products.compactMap { $0.uploadedContent(of: bundleID) }
            let replaced = Set(uploads.map(\.id))
            var view = entry
            let listed = Set(entry.app.products.map(\.id))
            view.app.products += products.map(\.product).filter { !listed.contains($0.id) }
            view.contents = entry.contents.filter { !replaced.contains($0.id) } + uploads
            return View(era: era, revision: revision, entry: view)
        }
        guard let found else { return known?.entry ?? entry }
        views.withLock { $0[bundleID] = found }
        return found.entry
    }
}
