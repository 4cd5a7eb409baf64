import Perennial

/// The names of Advanced Commerce's requests: each is used once.
package enum AdvancedCommerceRequestsTable {
    /// - Returns: Whether the name was new.
    package static func insert(
        _ reference: String, at now: Instant, _ key: AppKey, on connection: any Connection
    ) throws -> Bool {
        try connection.execute(
            """
            INSERT INTO advanced_commerce_requests (environment, app, reference, received) VALUES ($1, $2, $3, $4)
            ON CONFLICT (environment, app, reference) DO NOTHING
            """, key.values + [.text(reference), .integer(now.milliseconds)]) > 0
    }
}
