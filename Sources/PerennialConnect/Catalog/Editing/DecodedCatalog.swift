import Perennial
import PerennialStorage
import Synchronization

/// A state of the catalog. After a failover that lost commits, a revision's number may stand for another catalog than before.
struct CatalogVersion: Hashable, Comparable, Sendable {
    /// The era of the revision (`Database.era`).
    var era: Int64
    var revision: Int64

    static func < (one: Self, other: Self) -> Bool { (one.era, one.revision) < (other.era, other.revision) }
}

/// A cache of decoded products and lists of their IDs, shared by the transactions that read the catalog.
///
/// It holds one version of the catalog. Transactions of other versions don't use it.
final class DecodedCatalog: Sendable {
    struct List: Hashable {
        var app: Int64
        /// `nil` for a group's products.
        var renewing: Bool?
        var group: String?
    }

    private struct State {
        var version = CatalogVersion(era: 0, revision: -1)
        var products: [Int64: LoadedProduct] = [:]
        var lists: [List: [Int64]] = [:]
    }

    /// A limit that keeps a very large catalog from filling the memory.
    private static let maximumCount = 50_000

    private let state = Mutex(State())

    /// Brings the cache to a newer version: forgets the products that have changed since its own, and all products of an earlier era.
    /// - Returns: The catalog's version in the transaction; `nil` if it is older than the cache's.
    func prepare(on connection: any Connection) throws -> CatalogVersion? {
        // The era first: if another one begins meanwhile, what is read counts as of the one before.
        let era = connection.era
        let version = CatalogVersion(era: era, revision: try CatalogHeadTable.revision(on: connection))
        let own = state.withLock { $0.version }
        guard own != version else { return version }
        guard own < version, !connection.hasChangedCatalog else { return nil }
        let isContinued = own.era == era && own.revision >= 0
        let changed = isContinued ? try ProductsTable.ids(changedAfter: own.revision, on: connection) : []
        return state.withLock { state in
            guard state.version <= version else { return nil }
            if state.version != version {
                if isContinued {
                    for id in changed { state.products[id] = nil }
                } else {
                    state.products = [:]
                }
                state.lists = [:]
                state.version = version
            }
            return version
        }
    }

    /// Brings the cache from the version before an edit that was written to the one after it.
    func apply(_ plan: PlannedEdit) {
        let before = CatalogVersion(era: plan.era, revision: plan.before.revision)
        state.withLock { state in
            // Of a product that is added, deleted or moved, the plan has no value: the next reader compares the version.
            guard state.version == before, plan.products.count == plan.rows.products.count else { return }
            for product in plan.products { state.products[product.product.appleID] = product }
            state.version.revision = plan.after.revision
        }
    }

    func product(_ id: Int64, at version: CatalogVersion) -> LoadedProduct? {
        state.withLock { $0.version == version ? $0.products[id] : nil }
    }

    func insert(_ products: [LoadedProduct], at version: CatalogVersion) {
        state.withLock { state in
            guard state.version == version else { return }
            if state.products.count + products.count > Self.maximumCount { state.products = [:] }
            for product in products { state.products[product.product.appleID] = product }
        }
    }

    func list(_ list: List, at version: CatalogVersion) -> [Int64]? {
        state.withLock { $0.version == version ? $0.lists[list] : nil }
    }

    func insert(_ ids: [Int64], as list: List, at version: CatalogVersion) {
        state.withLock { state in
            guard state.version == version else { return }
            if state.lists.count > Self.maximumCount { state.lists = [:] }
            state.lists[list] = ids
        }
    }
}
