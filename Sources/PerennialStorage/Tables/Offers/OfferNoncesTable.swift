import Perennial

/// Nonces of sellers' signatures: each is good for one purchase in an app and environment. Kept for good.
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
}
