import Perennial

/// Auto-renewable subscriptions: each as the document its rules keep, with the columns that it is found by.
package enum SubscriptionsTable {
    /// A subscription for which work is due.
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

    /// Writes a subscription. One that was quarantined is so no longer: what could be changed can be worked off.
    package static func put(_ subscription: Subscription, _ key: CustomerKey, on connection: any Connection) throws {
        try connection.execute(
            """
            INSERT INTO subscriptions (environment, app, original_id, account, subscription_group, due, document)
            VALUES ($1, $2, $3, $4, $5, $6, $7)
            ON CONFLICT (environment, app, original_id) DO UPDATE SET due = excluded.due, document = excluded.document,
            quarantined = NULL, quarantine_reason = NULL
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

    /// Subscriptions in the order of their numbers.
    package struct Page: Sendable {
        package var subscriptions: [Subscription] = []
        /// Those whose document can't be read.
        package var unreadable: [TransactionID] = []
        /// The last one's, readable or not; `nil` for an empty page.
        package var last: TransactionID?

        package var count: Int { subscriptions.count + unreadable.count }
    }

    /// An app's subscriptions after an original transaction, in the order of their numbers.
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

    /// What is due up to an instant, and behind a place in the order of due time, in that order.
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

    /// A subscription for which work is due, with all that is needed to decide about it.
    package struct DueSubscription: Sendable {
        package var customer: CustomerKey
        package var due: Instant
        package var subscription: Subscription
        /// The revision of the customer's purchases.
        package var revision: Int64
        /// Nil for an account that is gone.
        package var payer: Payer?
    }

    /// A subscription for which work is due, and whose row can't be read.
    package struct UnreadableDue: Sendable {
        package var customer: CustomerKey
        package var id: TransactionID
        package var due: Instant
        package var error: StorageError
    }

    /// What is due next, in the order of due time.
    package struct DuePage: Sendable {
        package var subscriptions: [DueSubscription] = []
        package var unreadable: [UnreadableDue] = []
        /// The place of the last; `nil` where nothing is due.
        package var last: (due: Instant, id: TransactionID)?

        package var count: Int { subscriptions.count + unreadable.count }
    }

    /// What is due up to an instant and behind a place in the order of due time.
    package static func dueSubscriptions(
        after place: (due: Instant, id: TransactionID)?, until instant: Instant, limit: Int,
        _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws -> DuePage {
        var page = DuePage()
        page.subscriptions.reserveCapacity(limit)
        try connection.forEachRow(
            // CROSS JOIN is what SQLite takes in the order written: first what is due, then whose it is.
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
            Payer(
                paymentMethod: try row.value(5), renewalRate: try row.optionalText(6).map { _ in try row.value(6) })
        }
        return DueSubscription(
            customer: CustomerKey(
                environment: environment, app: try row.integer(0), account: Account.ID(rawValue: try row.integer(1))),
            due: due, subscription: try subscription(row, 3), revision: try row.integer(4), payer: payer)
    }

    /// Writes the state of a subscription that is there.
    ///
    /// - Parameter document: Its ``Subscription/document``, written beforehand.
    package static func update(
        _ subscription: Subscription, document: String, _ key: CustomerKey, on connection: any Connection
    ) throws {
        try connection.execute(
            "UPDATE subscriptions SET due = $1, document = $2 WHERE environment = $3 AND app = $4 AND original_id = $5",
            [
                SQLValue(subscription.nextDue?.milliseconds), .text(document), .integer(key.environment.rawValue),
                .integer(key.app), .integer(subscription.id.rawValue),
            ])
    }

    /// When something is due next.
    ///
    /// - Parameter instant: Of what is due later than this.
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
        } catch let error as DocumentError {
            throw StorageError(.corrupt, "subscriptions", "a document can't be read: \(error)")
        }
    }
}
