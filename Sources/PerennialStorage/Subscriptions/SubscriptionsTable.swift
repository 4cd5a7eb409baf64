import Perennial

/// Auto-renewable subscriptions: each as one document, with the columns by which it is found.
package enum SubscriptionsTable {
    /// A due subscription, without its state.
    package struct Due: Sendable {
        package var customer: CustomerKey
        package var subscriptionID: TransactionID
        package var due: Instant

        package init(customer: CustomerKey, subscriptionID: TransactionID, due: Instant) {
            self.customer = customer
            self.subscriptionID = subscriptionID
            self.due = due
        }
    }

    private static let padding = RecordPadding(alignment: 16)

    /// Encodes a subscription as its row holds it.
    package static func document(of subscription: Subscription) -> String { padding.pad(subscription.growingDocument) }

    /// Writes a subscription, and ends its quarantine: what could be changed can be processed.
    package static func put(_ subscription: Subscription, _ key: CustomerKey, on connection: any Connection) throws {
        try connection.send(
            """
            INSERT INTO subscriptions (environment, app, original_id, account, subscription_group, due, document)
            VALUES ($1, $2, $3, $4, $5, $6, $7)
            ON CONFLICT (environment, app, original_id) DO UPDATE SET due = excluded.due, document = excluded.document,
            quarantined = NULL, quarantine_reason = NULL
            """,
            [
                .integer(key.environment.rawValue), .integer(key.app), .integer(subscription.id.rawValue),
                .integer(key.account.rawValue), .text(subscription.groupID),
                SQLValue(subscription.nextDue?.milliseconds), .text(document(of: subscription)),
            ])
    }

    package static func subscription(
        _ id: TransactionID, app: Int64, _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws -> Subscription? {
        try connection.first(
            "SELECT document FROM subscriptions WHERE environment = $1 AND app = $2 AND original_id = $3",
            [.integer(environment.rawValue), .integer(app), .integer(id.rawValue)], subscription)
    }

    /// Returns all subscriptions of a customer, oldest first.
    package static func all(of key: CustomerKey, on connection: any Connection) throws -> [Subscription] {
        try connection.query(
            """
            SELECT document FROM subscriptions WHERE environment = $1 AND app = $2 AND account = $3 ORDER BY original_id
            """, key.values, subscription)
    }

    /// A page of subscriptions in the order of their IDs.
    package struct Page: Sendable {
        package var subscriptions: [Subscription] = []
        /// Subscriptions whose document can't be read.
        package var unreadable: [TransactionID] = []
        /// The ID of the last one, readable or not; `nil` for an empty page.
        package var last: TransactionID?

        package var count: Int { subscriptions.count + unreadable.count }
    }

    /// Returns an app's subscriptions after an original transaction, in the order of their IDs.
    package static func page(
        after id: TransactionID, limit: Int, app: Int64, _ environment: StoreEnvironment.ID,
        on connection: any Connection
    ) throws -> Page {
        var page = Page()
        try connection.forEachRow(
            """
            SELECT document, original_id FROM subscriptions WHERE environment = $1 AND app = $2 AND original_id > $3
            ORDER BY original_id LIMIT $4
            """,
            [.integer(environment.rawValue), .integer(app), .integer(id.rawValue), .integer(Int64(limit))]
        ) { row in
            let id = TransactionID(rawValue: try row.integer(1))
            page.last = id
            do {
                page.subscriptions.append(try subscription(row))
            } catch is StorageError {
                page.unreadable.append(id)
            }
        }
        return page
    }

    /// Returns subscriptions due up to an instant and after a place in the order of due times, in that order.
    package static func due(
        after place: (due: Instant, id: TransactionID)? = nil, until instant: Instant, limit: Int,
        _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws -> [Due] {
        try connection.query(
            """
            SELECT app, account, original_id, due FROM subscriptions
            WHERE environment = $1 AND due <= $2 AND (due, original_id) > ($3, $4) ORDER BY due, original_id LIMIT $5
            """,
            [
                .integer(environment.rawValue), .integer(instant.milliseconds),
                .integer(place?.due.milliseconds ?? .min), .integer(place?.id.rawValue ?? .min),
                .integer(Int64(limit)),
            ]
        ) { row in
            Due(
                customer: CustomerKey(
                    environment: environment, app: try row.integer(0), account: Account.ID(rawValue: try row.integer(1))
                ),
                subscriptionID: TransactionID(rawValue: try row.integer(2)), due: try row.instant(3))
        }
    }

    /// A due subscription, with the data for a decision.
    package struct DueSubscription: Sendable {
        package var customer: CustomerKey
        package var due: Instant
        package var subscription: Subscription
        /// The revision of the customer's purchases.
        package var revision: Int64
        /// `nil` if the account is gone.
        package var payer: BillingAccount?
    }

    /// A due subscription whose row can't be read.
    package struct UnreadableDue: Sendable {
        package var customer: CustomerKey
        package var id: TransactionID
        package var due: Instant
        package var error: StorageError
    }

    /// A page of due subscriptions, in the order of due times.
    package struct DuePage: Sendable {
        package var subscriptions: [DueSubscription] = []
        package var unreadable: [UnreadableDue] = []
        /// The place of the last; `nil` if none is due.
        package var last: (due: Instant, id: TransactionID)?

        package var count: Int { subscriptions.count + unreadable.count }
    }

    /// Returns subscriptions due up to an instant and after a place in the order of due times.
    package static func dueSubscriptions(
        after place: (due: Instant, id: TransactionID)?, until instant: Instant, limit: Int,
        _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws -> DuePage {
        var page = DuePage()
        page.subscriptions.reserveCapacity(limit)
        try connection.forEachRow(
            // SQLite joins a CROSS JOIN in the written order: from the due subscriptions to their customers.
            """
            SELECT s.app, s.account, s.due, s.document, customers.revision, accounts.payment_method,
            accounts.renewal_rate, s.original_id FROM subscriptions AS s CROSS JOIN customers
            LEFT JOIN accounts ON accounts.environment = $1 AND accounts.id = s.account
            WHERE s.environment = $1 AND s.due <= $2 AND (s.due, s.original_id) > ($3, $4)
            AND customers.environment = $1 AND customers.app = s.app AND customers.account = s.account
            ORDER BY s.due, s.original_id LIMIT $5
            """,
            [
                .integer(environment.rawValue), .integer(instant.milliseconds),
                .integer(place?.due.milliseconds ?? .min), .integer(place?.id.rawValue ?? .min),
                .integer(Int64(limit)),
            ]
        ) { row in
            let id = TransactionID(rawValue: try row.integer(7))
            let due = try row.instant(2)
            page.last = (due, id)
            do {
                page.subscriptions.append(try dueSubscription(row, due: due, environment))
            } catch let error as StorageError {
                let customer = CustomerKey(
                    environment: environment, app: try row.integer(0), account: Account.ID(rawValue: try row.integer(1))
                )
                page.unreadable.append(UnreadableDue(customer: customer, id: id, due: due, error: error))
            }
        }
        return page
    }

    private static func dueSubscription(
        _ row: any Row, due: Instant, _ environment: StoreEnvironment.ID
    ) throws -> DueSubscription {
        let payer = try row.optionalText(5).map { _ in
            BillingAccount(
                paymentMethod: try row.value(5), renewalRate: try row.optionalText(6).map { _ in try row.value(6) })
        }
        return DueSubscription(
            customer: CustomerKey(
                environment: environment, app: try row.integer(0), account: Account.ID(rawValue: try row.integer(1))),
            due: due, subscription: try subscription(row, 3), revision: try row.integer(4), payer: payer)
    }

    /// The new state of an existing subscription.
    package struct Update: Sendable {
        package var subscription: Subscription
        /// The subscription's ``document(of:)``, encoded beforehand.
        package var document: String
        package var key: CustomerKey

        package init(_ subscription: Subscription, document: String, _ key: CustomerKey) {
            self.subscription = subscription
            self.document = document
            self.key = key
        }
    }

    private static let updates = BatchUpdate(
        "subscriptions", set: [("due", "BIGINT"), ("document", "TEXT")],
        key: [("environment", "BIGINT"), ("app", "BIGINT"), ("original_id", "BIGINT")])

    /// Writes the states of subscriptions, each of which is there once.
    package static func update(_ updated: [Update], on connection: any Connection) throws {
        try updates.run(updated, on: connection) { update, values in
            values += [
                SQLValue(update.subscription.nextDue?.milliseconds), .text(update.document),
                .integer(update.key.environment.rawValue), .integer(update.key.app),
                .integer(update.subscription.id.rawValue),
            ]
        }
    }

    /// Returns the next due time.
    ///
    /// - Parameter instant: Due times up to this are ignored.
    package static func nextDue(
        after instant: Instant?, _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws -> Instant? {
        try connection.first(
            "SELECT MIN(due) FROM subscriptions WHERE environment = $1 AND due > $2",
            [.integer(environment.rawValue), .integer(instant?.milliseconds ?? .min)]
        ) { try $0.optionalInstant(0) } ?? nil
    }

    static func subscription(_ row: any Row) throws -> Subscription { try subscription(row, 0) }

    static func subscription(_ row: any Row, _ column: Int) throws -> Subscription {
        do {
            return try Subscription(document: try row.text(column))
        } catch let error as RecordDecodingError {
            throw StorageError(.corrupt, "subscriptions", "a document can't be read: \(error)")
        }
    }
}
