import Perennial

/// Leases to send an app's notifications in an environment: one node has it until it releases it or it expires.
///
/// Leases are numbered, so that a late node notices that its lease is over.
package enum NotificationLeasesTable {
    private static let free = Instant(milliseconds: .min)

    /// Acquires the lease.
    /// - Returns: The number of the lease; `nil` if another one is valid.
    package static func acquire(
        until: Instant, at now: Instant, app: Int64, _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws -> Int64? {
        try connection.first(
            """
            INSERT INTO notification_claims (environment, app, turn, held_until) VALUES ($1, $2, 1, $3)
            ON CONFLICT (environment, app) DO UPDATE
            SET turn = notification_claims.turn + 1, held_until = excluded.held_until
            WHERE notification_claims.held_until <= $4
            RETURNING turn
            """,
            [
                .integer(environment.rawValue), .integer(app), .integer(until.milliseconds),
                .integer(now.milliseconds),
            ]
        ) { try $0.integer(0) }
    }

    /// Extends a lease, and blocks the next one until the transaction has ended.
    ///
    /// - Returns: False if the lease is over and another has been acquired.
    package static func extend(
        _ lease: Int64, until: Instant, app: Int64, _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws -> Bool {
        try connection.execute(
            "UPDATE notification_claims SET held_until = $1 WHERE environment = $2 AND app = $3 AND turn = $4",
            [.integer(until.milliseconds), .integer(environment.rawValue), .integer(app), .integer(lease)]) > 0
    }

    /// Ends a lease, if it is valid.
    package static func release(
        _ lease: Int64, app: Int64, _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws {
        _ = try extend(lease, until: free, app: app, environment, on: connection)
    }

    /// Ends all leases.
    package static func revokeAll(on connection: any Connection) throws {
        try connection.execute(
            "UPDATE notification_claims SET turn = turn + 1, held_until = $1", [.integer(free.milliseconds)])
    }
}
