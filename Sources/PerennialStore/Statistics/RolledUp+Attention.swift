import AppStoreFormats
import Perennial
import PerennialStorage

/// Conditions of an app that need a person.
package struct Attention: Hashable, Sendable {
    /// The newest notifications whose last attempt failed.
    package var failingNotifications: Int
    /// The number of newest notifications that were looked at.
    package var newestNotifications: Int
    /// Counted up to ``StoreStatus/maximumCount``.
    package var quarantinedSubscriptions: Int
    /// Products that were submitted to review.
    package var productsInReview: Int
    /// True if notifications have a URL.
    package var hasNotificationURL: Bool
    /// Subscriptions with service or a retried renewal, and those of them whose charge was declined.
    package var subscriptions: Int64
    package var declinedSubscriptions: Int64
}

extension RolledUp {
    /// The number of newest notifications that are looked at.
    package static let watchedNotifications = 100

    /// Looks for what needs a person, in constant time.
    ///
    /// - Throws: ``StoreError`` `.appNotFound`.
    package func attention(for bundleID: App.BundleID) async throws -> Attention {
        let status = try await statistics.table(
            StatisticRequest(bundleID: bundleID, statistic: .subscriptionStatus, from: PacificDay(try await now())))
        let counts = (status.rows.last?.values ?? []).map { value -> Int64 in
            if case .count(let count) = value { count } else { 0 }
        }
        return try await database.read { [self] connection in
            let app = try app(bundleID, on: connection).app
            let results = try NotificationsTable.newestResults(
                limit: Self.watchedNotifications, app: app.appleID, environment.id, on: connection)
            return Attention(
                failingNotifications: results.count { $0 != nil && $0 != SendAttemptResult.success.rawValue },
                newestNotifications: results.count,
                quarantinedSubscriptions: try SubscriptionsTable.quarantineCount(
                    limit: StoreStatus.maximumCount, app: app.appleID, environment.id, on: connection),
                productsInReview: app.products.count { [.waitingForReview, .inReview].contains($0.state) },
                hasNotificationURL: try NotificationSettings(of: app.appleID, environment.id, on: connection) != nil,
                subscriptions: counts.reduce(0) { $0.clampedAdding($1) }, declinedSubscriptions: counts.last ?? 0)
        }
    }
}
