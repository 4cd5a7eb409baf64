import Perennial

/// The seller's customers, each with a password hash.
package enum DeliveryCustomersTable {
    /// Returns the password hash; `nil` for an unknown name.
    package static func password(
        of name: String, _ bundleID: App.BundleID, on connection: any Connection
    ) throws -> String? {
        try connection.first(
            "SELECT password FROM delivery_customers WHERE bundle_id = $1 AND name = $2",
            [.text(bundleID.rawValue), .text(name)]
        ) { try $0.text(0) }
    }

    /// Inserts a customer.
    /// - Returns: False if the name is taken; then nothing is changed.
    package static func register(
        _ name: String, password: String, _ bundleID: App.BundleID, at now: Instant, on connection: any Connection
    ) throws -> Bool {
        try connection.execute(
            """
            INSERT INTO delivery_customers (bundle_id, name, password, registered) VALUES ($1, $2, $3, $4)
            ON CONFLICT (bundle_id, name) DO NOTHING
            """,
            [.text(bundleID.rawValue), .text(name), .text(password), .integer(now.milliseconds)]) == 1
    }
}

/// Customers' sessions, by the digest of their token.
package enum DeliverySessionsTable {
    package static func insert(
        digest: [UInt8], customer: String, _ bundleID: App.BundleID, expires: Instant, on connection: any Connection
    ) throws {
        try connection.execute(
            "INSERT INTO delivery_sessions (bundle_id, digest, customer, expires) VALUES ($1, $2, $3, $4)",
            [.text(bundleID.rawValue), .blob(digest), .text(customer), .integer(expires.milliseconds)])
    }

    /// Returns the customer of a session that hasn't expired.
    package static func customer(
        digest: [UInt8], _ bundleID: App.BundleID, at now: Instant, on connection: any Connection
    ) throws -> String? {
        try connection.first(
            "SELECT customer FROM delivery_sessions WHERE bundle_id = $1 AND digest = $2 AND expires > $3",
            [.text(bundleID.rawValue), .blob(digest), .integer(now.milliseconds)]
        ) { try $0.text(0) }
    }

    package static func deleteExpired(
        _ bundleID: App.BundleID, at now: Instant, on connection: any Connection
    ) throws {
        try connection.execute(
            "DELETE FROM delivery_sessions WHERE bundle_id = $1 AND expires <= $2",
            [.text(bundleID.rawValue), .integer(now.milliseconds)])
    }
}
