import Perennial

/// Grants: the contents that a token gives access to for an hour.
package enum DeliveryGrantsTable {
    package struct Record: Sendable, Equatable {
        package var scope: DeliveryScope
        package var customer: String?
        /// The contents as JSON.
        package var contents: String
        package var expires: Instant

        package init(scope: DeliveryScope, customer: String?, contents: String, expires: Instant) {
            self.scope = scope
            self.customer = customer
            self.contents = contents
            self.expires = expires
        }
    }

    package static func insert(_ record: Record, digest: [UInt8], on connection: any Connection) throws {
        try connection.send(
            """
            INSERT INTO delivery_grants (environment, bundle_id, digest, customer, contents, expires)
            VALUES ($1, $2, $3, $4, $5, $6)
            """,
            record.scope.values + [
                .blob(digest), SQLValue(record.customer), .text(record.contents), .integer(record.expires.milliseconds),
            ])
    }

    /// Returns the grant of a token; `nil` if it has expired.
    package static func grant(
        digest: [UInt8], _ scope: DeliveryScope, at now: Instant, on connection: any Connection
    ) throws -> Record? {
        try connection.first(
            """
            SELECT customer, contents, expires FROM delivery_grants
            WHERE environment = $1 AND bundle_id = $2 AND digest = $3 AND expires > $4
            """, scope.values + [.blob(digest), .integer(now.milliseconds)]
        ) { row in
            Record(
                scope: scope, customer: try row.optionalText(0), contents: try row.text(1),
                expires: Instant(milliseconds: try row.integer(2)))
        }
    }

    package static func deleteExpired(_ scope: DeliveryScope, at now: Instant, on connection: any Connection) throws {
        try connection.send(
            "DELETE FROM delivery_grants WHERE environment = $1 AND bundle_id = $2 AND expires <= $3",
            scope.values + [.integer(now.milliseconds)])
    }
}

/// The store and the app of a receipt: the beginning of every key of content delivery.
package struct DeliveryScope: Hashable, Sendable {
    package var environment: StoreEnvironment.Kind
    package var bundleID: App.BundleID

    package init(environment: StoreEnvironment.Kind, bundleID: App.BundleID) {
        self.environment = environment
        self.bundleID = bundleID
    }

    var values: [SQLValue] { [.text(environment.rawValue), .text(bundleID.rawValue)] }
}
