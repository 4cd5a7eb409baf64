import Perennial

/// Nonces of sellers' signatures: each is good for one purchase in an app and environment.
package enum OfferNoncesTable {
    /// Writes down that a nonce is used.
    ///
    /// - Returns: Whether it was not used before, also by nobody at this very moment.
    package static func use(
        _ nonce: String, at now: Instant, app: Int64, _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws -> Bool {
        let count = try connection.execute(
            """
            INSERT INTO offer_nonces (environment, app, nonce, used) VALUES ($1, $2, $3, $4)
            ON CONFLICT (environment, app, nonce) DO NOTHING
            """, [.integer(environment.rawValue), .integer(app), .text(nonce), .integer(now.milliseconds)])
        return count > 0
    }

    /// Forgets what was used before an instant.
    package static func prune(
        usedBefore instant: Instant, app: Int64, _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws {
        try connection.execute(
            "DELETE FROM offer_nonces WHERE environment = $1 AND app = $2 AND used < $3",
            [.integer(environment.rawValue), .integer(app), .integer(instant.milliseconds)])
    }
}
