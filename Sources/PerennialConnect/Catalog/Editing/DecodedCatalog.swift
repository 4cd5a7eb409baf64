import Perennial
import PerennialStorage
import Synchronization

/// A cache of decoded products and lists of their IDs, shared by the transactions that read the catalog.
///
/// It holds one revision of the catalog. Transactions of other revisions don't use it.
final class DecodedCatalog: Sendable {
    struct List: Hashable {
        var app: Int64
        /// `nil` for a group's products.
        var renewing: Bool?
        var group: String?
    }

    private struct State {
        var revision: Int64 = -1
        var products: [Int64: LoadedProduct] = [:]
        var lists: [List: [Int64]] = [:]
    }

    /// A limit that keeps a very large catalog from filling the memory.
    private static let maximumCount = 50_000

    private let state = Mutex(State())

    /// Brings the cache to a newer revision: forgets the products that have changed since its own.
    /// - Returns: The catalog's revision in the transaction; `nil` if it is older than the cache's.
    func prepare(on connection: any Connection) throws -> Int64? {
        let revision = try CatalogHeadTable.revision(on: connection)
        let own = state.withLock { $0.revision }
        guard own != revision else { return revision }
        guard own < revision, !connection.hasChangedCatalog else { return nil }
        let changed = own < 0 ? [] : try ProductsTable.ids(changedAfter: own, on: connection)
        return state.withLock { state in
            guard state.revision <= revision else { return nil }
            if state.revision != revision {
                for id in changed { state.products[id] = nil }
                state.lists = [:]
                state.revision = revision
            }
            return revision
        }
    }

    /// Brings the cache from the revision before an edit that was written to the one after it.
    func apply(_ plan: PlannedEdit) {
        let (before, after) = (plan.before.revision, plan.after.revision)
        state.withLock { state in
            // Of a product that is added, deleted or moved, the plan has no value: the next reader compares the revision.
            guard state.revision == before, plan.products.count == plan.rows.products.count else { return }
            for product in plan.products { state.products[product.product.appleID] = product }
            state.revision = after
        }
    }

    func product(_ id: Int64, at revision: Int64) -> LoadedProduct? {
        state.withLock { $0.revision == revision ? $0.products[id] : nil }
    }

    func insert(_ products: [LoadedProduct], at revision: Int64) {
        state.withLock { state in
            guard state.revision == revision else { return }
            if state.products.count + products.count > Self.maximumCount { state.products = [:] }
            for product in products { state.products[product.product.appleID] = product }
        }
    }

    func list(_ list: List, at revision: Int64) -> [Int64]? {
        state.withLock { $0.revision == revision ? $0.lists[list] : nil }
    }

    func insert(_ ids: [Int64], as list: List, at revision: Int64) {
        state.withLock { state in
            guard state.revision == revision else { return }
            if state.lists.count > Self.maximumCount { state.lists = [:] }
            state.lists[list] = ids
        }
    }
}
