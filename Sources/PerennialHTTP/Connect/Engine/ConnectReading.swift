import Perennial
import PerennialConnect
import PerennialStore

/// The source that bindings read from, inside one transaction.
final class ConnectReading {
    let catalog: CatalogReader
    /// The time of the environment's clock.
    let now: Instant
    let store: Store
    let query: ConnectQuery
    /// The apps that the caller may see; `nil` for all.
    let visibleApps: Set<Int64>?
    /// The filters that the request puts on the list that is being made, by name; empty for included resources.
    var filters: [String: Set<String>] = [:]
    /// Scheme, host and the environment's part of the path, as the client used them: uploads go there.
    var baseURL = ""
    private var memory: [String: Any] = [:]

    var environment: StoreEnvironment { store.environment }

    init(
        catalog: CatalogReader, now: Instant, store: Store, query: ConnectQuery,
        visibleApps: Set<Int64>?
    ) {
        (self.catalog, self.now, self.store, self.query) = (catalog, now, store, query)
        self.visibleApps = visibleApps
    }

    /// Returns a reading of the same transaction that neither the query nor the host of the request has an effect on.
    func withoutQuery() -> ConnectReading {
        ConnectReading(catalog: catalog, now: now, store: store, query: .none, visibleApps: visibleApps)
    }

    /// The values of a filter on the list that is being made; `nil` without one.
    func filter(_ name: String) -> Set<String>? { filters[name] }

    /// Returns a value that is computed once in the transaction.
    ///
    /// - Parameter key: Unique among all bindings: `prices 1000000001`.
    func once<Value>(_ key: String, _ make: () throws -> Value) rethrows -> Value {
        // An absent entry could be cast to an optional value.
        if let known = memory[key], let value = known as? Value { return value }
        let value = try make()
        memory[key] = value
        return value
    }
}

/// The draft that bindings change, inside one transaction.
final class ConnectEditing {
    let catalog: CatalogDraft
    /// The time of the environment's clock.
    let now: Instant
    let store: Store
    let actor: CatalogActor
    let visibleApps: Set<Int64>?

    var environment: StoreEnvironment { store.environment }

    init(catalog: CatalogDraft, now: Instant, store: Store, actor: CatalogActor, visibleApps: Set<Int64>?) {
        (self.catalog, self.now, self.store, self.actor) = (catalog, now, store, actor)
        self.visibleApps = visibleApps
    }
}
