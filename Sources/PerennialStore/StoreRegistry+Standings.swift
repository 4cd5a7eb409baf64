import Perennial
import PerennialStorage

/// How far an environment is, for whoever watches over the process.
package struct EnvironmentStanding: Sendable {
    package struct JournalHead: Sendable {
        package let bundleID: App.BundleID
        /// The last entry's.
        package let position: Int64
    }

    /// How many subscriptions of an app are left out of the work.
    package struct Quarantine: Hashable, Sendable {
        package let bundleID: App.BundleID
        package let count: Int64
    }

    package let environment: StoreEnvironment
    package let now: Instant
    package let journal: [JournalHead]
    /// Of the apps that have any.
    package let quarantine: [Quarantine]
    /// How long the oldest renewal that is due has been waiting; 0 where none is.
    package let overdueMilliseconds: Int64
}

extension StoreRegistry {
    /// Where every environment stands: clock, journals, and what is due.
    package func standings() async throws -> [EnvironmentStanding] {
        let wall = wallClock()
        return try await database.read { connection in
            let apps = Dictionary(try AppsTable.all(on: connection).map { ($0.id, $0.bundleID) }) { first, _ in first }
            let heads = Dictionary(grouping: try JournalTable.heads(on: connection), by: \.environment)
            let counts = Dictionary(
                grouping: try SubscriptionsTable.quarantineCounts(on: connection), by: \.environment)
            return try EnvironmentsTable.all(on: connection).map { environment in
                let now = try EnvironmentsTable.manualNow(environment.id, on: connection) ?? wall
                let due = try SubscriptionsTable.due(until: now, limit: 1, environment.id, on: connection).first?.due
                return EnvironmentStanding(
                    environment: environment, now: now,
                    journal: (heads[environment.id] ?? []).compactMap { head in
                        apps[head.app].map { .init(bundleID: $0, position: head.position) }
                    },
                    quarantine: (counts[environment.id] ?? []).compactMap { found in
                        apps[found.app].map { .init(bundleID: $0, count: found.count) }
                    },
                    overdueMilliseconds: max(now - (due ?? now), 0))
            }
        }
    }
}
