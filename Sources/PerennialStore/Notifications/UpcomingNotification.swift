import Perennial
import PerennialStorage

/// A notification whose next attempt to send it falls due.
package struct UpcomingNotification: Hashable, Sendable {
    package var due: Instant
    package var uuid: String
    package var type: String
    /// The customer's name; `nil` where no customer is involved.
    package var account: String?
    /// The attempts that have failed so far.
    package var attempts: Int
}

extension Notifications {
    /// Returns the attempts to send an app's notifications that fall due next, soonest first.
    ///
    /// - Throws: ``StoreError`` `.appNotFound`.
    package func upcoming(of bundleID: App.BundleID, limit: Int) async throws -> [UpcomingNotification] {
        try await database.read { [self] connection in
            let app = try app(bundleID, on: connection).app.appleID
            let due = try NotificationsTable.due(
                until: .endOfTime, after: .beginning, limit: ListLimit.clamped(limit), app: app, environment.id,
                on: connection)
            return try due.compactMap { record in
                guard let next = record.nextAttempt else { return nil }
                return UpcomingNotification(
                    due: next, uuid: record.uuid, type: record.type,
                    account: try AccountsTable.account(record.account, environment.id, on: connection)?.name,
                    attempts: record.attempts.count)
            }
        }
    }
}
