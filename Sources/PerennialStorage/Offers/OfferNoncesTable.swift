import Perennial

/// Nonces of sellers' signatures. Each is valid for one purchase in an app and environment.
package enum OfferNoncesTable {
    /// Records that a nonce is used.
    ///
    /// - Parameter signed: The time of the signature, as the seller states it.
    /// - Returns: False if it was used before or is being used concurrently.
    package static func use(
        _ nonce: String, signed: Instant, app: Int64, _ environment: StoreEnvironment.ID,
        on connection: any Connection
    ) throws -> Bool {
        let count = try connection.execute(
            """
            INSERT INTO offer_nonces (environment, app, nonce, signed) VALUES ($1, $2, $3, $4)
            ON CONFLICT (environment, app, nonce) DO NOTHING
            """, [.integer(environment.rawValue), .integer(app), .text(nonce), .integer(signed.milliseconds)])
        return count > 0
    }

    /// Deletes nonces signed before an instant.
    package static func prune(
        signedBefore instant: Instant, app: Int64, _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws {
        try connection.send(
            "DELETE FROM offer_nonces WHERE environment = $1 AND app = $2 AND signed < $3",
            [.integer(environment.rawValue), .integer(app), .integer(instant.milliseconds)])
    }
}
