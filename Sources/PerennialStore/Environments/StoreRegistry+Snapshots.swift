import Perennial
import PerennialStorage

/// The state of an environment for monitoring.
package struct EnvironmentSnapshot: Sendable {
    package struct JournalHead: Sendable {
        package let bundleID: App.BundleID
        /// The position of the last entry.
        package let position: Int64
    }

    /// The number of quarantined subscriptions of an app.
    package struct Quarantine: Hashable, Sendable {
        package let bundleID: App.BundleID
        package let count: Int64
    }

    package let environment: StoreEnvironment
    package let now: Instant
    package let journal: [JournalHead]
    /// The apps that have any.
    package let quarantine: [Quarantine]
    /// The waiting time of the oldest due renewal; 0 if none is due.
    package let overdueMilliseconds: Int64
    package let rollUps: [RollUps.Status]
}

extension StoreRegistry {
    /// Returns the clock, journal positions and due work of every environment.
    package func snapshots() async throws -> [EnvironmentSnapshot] {
        let realTime = wallClock()
        return try await database.read { connection in
            let apps = Dictionary(try AppsTable.all(on: connection).map { ($0.id, $0.bundleID) }) { first, _ in first }
            let heads = Dictionary(grouping: try JournalTable.heads(on: connection), by: \.environment)
            let counts = Dictionary(
                grouping: try SubscriptionsTable.quarantineCounts(on: connection), by: \.environment)
            let rollUps = Dictionary(
                grouping: try RollUpHeadsTable.work(on: connection), by: \.environment)
            return try EnvironmentsTable.all(on: connection).map { environment in
                let now = try EnvironmentsTable.manualNow(environment.id, on: connection) ?? realTime
                let due = try SubscriptionsTable.due(until: now, limit: 1, environment.id, on: connection).first?.due
                return EnvironmentSnapshot(
                    environment: environment, now: now,
                    journal: (heads[environment.id] ?? []).compactMap { head in
                        apps[head.app].map { .init(bundleID: $0, position: head.position) }
                    },
                    quarantine: (counts[environment.id] ?? []).compactMap { found in
                        apps[found.app].map { .init(bundleID: $0, count: found.count) }
                    },
                    overdueMilliseconds: max(now - (due ?? now), 0),
                    rollUps: try (rollUps[environment.id] ?? []).compactMap { work in
                        try apps[work.app].map { try RollUps.Status(of: $0, work, at: now, on: connection) }
                    })
            }
        }
    }
}
