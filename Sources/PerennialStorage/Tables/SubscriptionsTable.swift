import Perennial

/// Auto-renewable subscriptions: each as the document its rules keep, with the columns that it is found by.
package enum SubscriptionsTable {
    /// A subscription for which work is due.
    package struct Due: Sendable {
        package var customer: CustomerKey
        package var subscriptionID: TransactionID
        package var due: Instant
    }

    package static func put(_ subscription: Subscription, _ key: CustomerKey, on connection: any Connection) throws {
        try connection.execute(
            """
            INSERT INTO subscriptions (environment, app, original_id, account, subscription_group, due, document)
            VALUES ($1, $2, $3, $4, $5, $6, $7)
            ON CONFLICT (environment, app, original_id) DO UPDATE SET due = excluded.due, document = excluded.document
            """,
            [
                .integer(key.environment.rawValue), .integer(key.app), .integer(subscription.id.rawValue),
                .integer(key.account.rawValue), .text(subscription.groupID),
                SQLValue(subscription.nextDue?.milliseconds), .text(subscription.document),
            ])
    }

    package static func subscription(
        _ id: TransactionID, app: Int64, _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws -> Subscription? {
        try connection.first(
            "SELECT document FROM subscriptions WHERE environment = $1 AND app = $2 AND original_id = $3",
            [.integer(environment.rawValue), .integer(app), .integer(id.rawValue)], subscription)
    }

    /// All of a customer's, oldest first.
    package static func all(of key: CustomerKey, on connection: any Connection) throws -> [Subscription] {
        try connection.query(
            """
            SELECT document FROM subscriptions WHERE environment = $1 AND app = $2 AND account = $3 ORDER BY original_id
            """, key.values, subscription)
    }

    /// An app's subscriptions after an original transaction, in the order of their numbers.
    package static func page(
        after id: TransactionID, limit: Int, app: Int64, _ environment: StoreEnvironment.ID,
        on connection: any Connection
    ) throws -> [Subscription] {
        try connection.query(
            """
            SELECT document FROM subscriptions WHERE environment = $1 AND app = $2 AND original_id > $3
            ORDER BY original_id LIMIT $4
            """,
            [.integer(environment.rawValue), .integer(app), .integer(id.rawValue), .integer(Int64(limit))],
            subscription)
    }

    /// What is due up to an instant, in the order of due time.
    package static func due(
        until instant: Instant, limit: Int, _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws -> [Due] {
        try connection.query(
            """
            SELECT app, account, original_id, due FROM subscriptions
            WHERE environment = $1 AND due <= $2 ORDER BY due, original_id LIMIT $3
            """, [.integer(environment.rawValue), .integer(instant.milliseconds), .integer(Int64(limit))]
        ) { row in
            Due(
                customer: CustomerKey(
                    environment: environment, app: try row.integer(0), account: Account.ID(rawValue: try row.integer(1))
                ),
                subscriptionID: TransactionID(rawValue: try row.integer(2)), due: try row.instant(3))
        }
    }

    /// When something is due next.
    package static func nextDue(_ environment: StoreEnvironment.ID, on connection: any Connection) throws -> Instant? {
        try connection.first(
            "SELECT MIN(due) FROM subscriptions WHERE environment = $1 AND due IS NOT NULL",
            [.integer(environment.rawValue)]
        ) { try $0.optionalInstant(0) } ?? nil
    }

    private static func subscription(_ row: any Row) throws -> Subscription {
        do {
            return try Subscription(document: try row.text(0))
        } catch let error as DocumentError {
            throw StorageError(.corrupt, "subscriptions", "a document can't be read: \(error)")
        }
    }
}
