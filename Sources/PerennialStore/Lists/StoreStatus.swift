import Perennial
import PerennialStorage

/// The state of an environment at a glance, by reads whose time doesn't grow with the store.
package struct StoreStatus: Sendable {
    /// An app's figures.
    package struct AppStatus: Sendable {
        package var bundleID: App.BundleID
        /// The number of events in the app's journal.
        package var events: Int64
        /// Events that reports don't have yet.
        package var lagEntries: Int64
        package var lagMilliseconds: Int64
        /// The newest failed notifications that will be sent again.
        package var failingNotifications: Int
    }

    package var environment: StoreEnvironment
    package var now: Instant
    /// Renewals and other work on subscriptions that is due.
    package var dueRenewals: Int
    package var quarantined: Int
    /// The apps that have a journal.
    package var apps: [AppStatus]

    /// The most that is counted of each: a figure that has reached it may be higher.
    package static let maximumCount = 1000
}

extension Store {
    /// Returns the state of the environment.
    package func status() async throws -> StoreStatus {
        let rollUps = try await rollUps.statuses()
        return try await subscriptions.status(rollUps)
    }
}

extension Subscriptions {
    func status(_ rollUps: [RollUps.Status]) async throws -> StoreStatus {
        try await database.read { [self] connection in
            let now = try clock.now(on: connection)
            let limit = StoreStatus.maximumCount
            let apps = try rollUps.map { status in
                StoreStatus.AppStatus(
                    bundleID: status.bundleID, events: status.journal,
                    lagEntries: max(0, status.journal - status.position),
                    lagMilliseconds: status.lagMilliseconds,
                    failingNotifications: try NotificationsTable.failingCount(
                        limit: limit, app: try app(status.bundleID, on: connection).app.appleID, environment.id,
                        on: connection))
            }
            return StoreStatus(
                environment: environment, now: now,
                dueRenewals: try SubscriptionsTable.dueCount(
                    until: now, limit: limit, environment.id, on: connection),
                quarantined: try SubscriptionsTable.quarantined(environment.id, limit: limit, on: connection).count,
                apps: apps)
        }
    }
}

extension StoreRegistry {
    /// The most environments whose state is read at once.
    package static let maximumStatuses = 50

    /// Returns the state of the environments, in the order of their creation.
    package func statuses() async throws -> [StoreStatus] {
        var statuses: [StoreStatus] = []
        for environment in try await environments().prefix(Self.maximumStatuses) {
            guard let store = try await store(named: environment.name) else { continue }
            statuses.append(try await store.status())
        }
        return statuses
    }
}
