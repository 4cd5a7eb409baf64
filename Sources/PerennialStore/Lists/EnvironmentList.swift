import Perennial
import PerennialStorage

/// A row of the list of environments.
package struct EnvironmentSummary: Sendable {
    package var environment: StoreEnvironment
    package var now: Instant
    /// Renewals and other work on subscriptions that is due, up to ``StoreStatus/maximumCount``.
    package var dueRenewals: Int
}

extension StoreRegistry {
    /// Returns environments in the order of their creation.
    ///
    /// A page with a limit reads no more than ``PageReader/maximumRows`` rows: if few are of the kind, it is shorter than its
    /// limit and has a cursor.
    ///
    /// - Parameters:
    ///   - kind: The kind of the environments; `nil` for all.
    ///   - limit: `nil` for all.
    /// - Throws: ``StoreError`` `.malformed` for a cursor that isn't one.
    package func environments(
        kind: StoreEnvironment.Kind? = nil, after cursor: String?, limit: Int?
    ) async throws -> ListPage<StoreEnvironment> {
        let last = try cursor.map { try ListCursor.numbers($0, count: 1)[0] } ?? 0
        guard let limit else {
            return ListPage(
                try await environments().filter { $0.id.rawValue > last && (kind == nil || $0.kind == kind) })
        }
        return try await database.read { connection in
            let reader = PageReader(
                limit: ListLimit.clamped(limit),
                read: { try EnvironmentsTable.page(after: $0, limit: $1, on: connection) }, place: \.id.rawValue)
            let (found, next) = try reader.page(after: last, kind.map { kind in { $0.kind == kind } })
            return ListPage(found, next: next.map { ListCursor.text($0) })
        }
    }

    /// Returns a page of the environments with their time and their due work, in the order of their creation.
    ///
    /// - Throws: ``StoreError`` `.malformed` for a cursor that isn't one.
    package func summaries(after cursor: String?, limit: Int) async throws -> ListPage<EnvironmentSummary> {
        let page = try await environments(after: cursor, limit: limit)
        var summaries: [EnvironmentSummary] = []
        for environment in page.items {
            guard let store = try await store(named: environment.name) else { continue }
            summaries.append(try await store.subscriptions.summary())
        }
        return ListPage(summaries, next: page.next)
    }
}

extension Subscriptions {
    fileprivate func summary() async throws -> EnvironmentSummary {
        try await database.read { [self] connection in
            let now = try clock.now(on: connection)
            return EnvironmentSummary(
                environment: environment, now: now,
                dueRenewals: try SubscriptionsTable.dueCount(
                    until: now, limit: StoreStatus.maximumCount, environment.id, on: connection))
        }
    }
}
