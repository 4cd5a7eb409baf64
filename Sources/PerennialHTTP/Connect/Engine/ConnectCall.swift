import Hummingbird
import Perennial
import PerennialConnect
import PerennialStore

/// A request that its caller may make, with the parameters that its operation takes.
struct ConnectCall: Sendable {
    let operation: ConnectOperation
    let store: Store
    let editor: CatalogEditor
    let request: Request
    /// The resource's ID in the path; empty without one.
    let id: String
    let query: ConnectQuery
    let links: ConnectLinks
    let backpressure: WriteBackpressure
    let key: ConnectCaller
    /// The resource in the body, checked; `nil` for operations without one.
    var entity: ConnectEntity?
    /// The IDs in the body of a change of a relationship.
    var linkages: [String] = []
}

extension ConnectCall {
    /// Makes what bindings read from, in a transaction.
    func reading(_ catalog: CatalogReader) throws -> ConnectReading {
        let reading = ConnectReading(
            catalog: catalog, now: try now(catalog), store: store, query: query,
            visibleApps: key.visibleApps)
        reading.baseURL = links.url("")
        return reading
    }

    /// Makes what bindings change, in a transaction.
    func editing(_ draft: CatalogDraft) throws -> ConnectEditing {
        ConnectEditing(
            catalog: draft, now: try now(draft), store: store, actor: key.actor,
            visibleApps: key.visibleApps)
    }

    /// Returns the time of the environment's clock. A manual clock stands still for the edit.
    private func now(_ catalog: CatalogReader) throws -> Instant {
        if let now = store.realTimeNow { return now }
        return try catalog.consistent { [store] in try store.now(on: $0) }
    }
}
