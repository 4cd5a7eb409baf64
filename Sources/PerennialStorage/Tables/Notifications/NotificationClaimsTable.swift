import Perennial

/// Whose turn it is to deliver an app's notifications in an environment: one node's at a time, until it says that it is done
/// or its time is over. Turns are numbered, so that whoever comes late sees that its turn is over.
package enum NotificationClaimsTable {
    private static let free = Instant(milliseconds: .min)

    /// - Returns: The number of the turn; `nil` where it is another's turn.
    package static func take(
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

    /// Makes a turn longer; nobody takes the next one before the transaction has ended.
    ///
    /// - Returns: False where the turn is over and another has begun.
    package static func extend(
        _ turn: Int64, until: Instant, app: Int64, _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws -> Bool {
        try connection.execute(
            "UPDATE notification_claims SET held_until = $1 WHERE environment = $2 AND app = $3 AND turn = $4",
            [.integer(until.milliseconds), .integer(environment.rawValue), .integer(app), .integer(turn)]) > 0
    }

    /// Ends a turn, if it hasn't ended.
    package static func release(
        _ turn: Int64, app: Int64, _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws {
        _ = try extend(turn, until: free, app: app, environment, on: connection)
    }

    /// Ends all turns.
    package static func releaseAll(on connection: any Connection) throws {
        try connection.execute(
            "UPDATE notification_claims SET turn = turn + 1, held_until = $1", [.integer(free.milliseconds)])
    }
}
