import Perennial

/// Subscriptions in quarantine: they aren't processed, because their due work fails. They have no `due`, so that the search for
/// due subscriptions costs no more.
extension SubscriptionsTable {
    package struct Quarantined: Sendable {
        package var app: Int64
        package var id: TransactionID
        package var since: Instant
        package var reason: String
    }

    /// Characters of an error that are stored.
    private static let maximumReasonLength = 1_000

    /// Puts a subscription in quarantine, unless it has changed since.
    ///
    /// - Parameter due: The due time at which its work failed.
    package static func quarantine(
        _ id: TransactionID, dueAt due: Instant, app: Int64, _ environment: StoreEnvironment.ID, at now: Instant,
        reason: String, on connection: any Connection
    ) throws {
        // PostgreSQL can't store a NUL character.
        let reason = String(reason.filter { $0 != "\0" }.prefix(maximumReasonLength))
        try connection.send(
            """
            UPDATE subscriptions SET due = NULL, quarantined = $1, quarantine_reason = $2
            WHERE environment = $3 AND app = $4 AND original_id = $5 AND due = $6
            """,
            [
                .integer(now.milliseconds), .text(reason), .integer(environment.rawValue), .integer(app),
                .integer(id.rawValue), .integer(due.milliseconds),
            ])
    }

    /// Returns an environment's subscriptions in quarantine, by app and ID.
    package static func quarantined(
        _ environment: StoreEnvironment.ID, limit: Int, on connection: any Connection
    ) throws -> [Quarantined] {
        try connection.query(
            """
            SELECT app, original_id, quarantined, quarantine_reason FROM subscriptions
            WHERE environment = $1 AND quarantined IS NOT NULL ORDER BY app, original_id LIMIT $2
            """, [.integer(environment.rawValue), .integer(Int64(limit))]
        ) { row in
            Quarantined(
                app: try row.integer(0), id: TransactionID(rawValue: try row.integer(1)), since: try row.instant(2),
                reason: try row.optionalText(3) ?? "")
        }
    }

    /// Returns the app of a subscription in quarantine; `nil` if it isn't in quarantine.
    package static func quarantined(
        _ id: TransactionID, _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws -> Int64? {
        try connection.first(
            """
            SELECT app FROM subscriptions
            WHERE environment = $1 AND original_id = $2 AND quarantined IS NOT NULL
            """, [.integer(environment.rawValue), .integer(id.rawValue)]
        ) { try $0.integer(0) }
    }

    /// Returns the numbers of subscriptions in quarantine, in all environments.
    package static func quarantineCounts(
        on connection: any Connection
    ) throws -> [(environment: StoreEnvironment.ID, app: Int64, count: Int64)] {
        try connection.query(
            """
            SELECT environment, app, COUNT(*) FROM subscriptions
            WHERE quarantined IS NOT NULL GROUP BY environment, app ORDER BY environment, app
            """
        ) { (StoreEnvironment.ID(rawValue: try $0.integer(0)), try $0.integer(1), try $0.integer(2)) }
    }
}
