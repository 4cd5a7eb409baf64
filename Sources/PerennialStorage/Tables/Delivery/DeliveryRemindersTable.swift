import Perennial

extension DeliverySchema {
    /// Which terms customers are to be reminded of. Positions count up within a scope: who has read one has read all
    /// below it.
    package static let reminderStatements: [String] = [
        """
        CREATE TABLE delivery_reminders (
            environment TEXT NOT NULL,
            bundle_id TEXT NOT NULL,
            position BIGINT NOT NULL,
            transaction_id BIGINT NOT NULL,
            customer TEXT NOT NULL,
            product TEXT NOT NULL,
            starts BIGINT NOT NULL,
            ends BIGINT NOT NULL,
            made BIGINT NOT NULL,
            PRIMARY KEY (environment, bundle_id, position),
            UNIQUE (environment, bundle_id, transaction_id))
        """
    ]
}

/// Reminders of terms that end, each made once.
package enum DeliveryRemindersTable {
    package struct Record: Sendable, Hashable {
        package var position: Int64
        package var customer: String
        package var term: NonRenewingTerm
        package var made: Instant
    }

    /// Which of an app's terms were reminded of, by their transactions.
    package static func contains(
        _ id: TransactionID, _ scope: DeliveryScope, on connection: any Connection
    ) throws -> Bool {
        try connection.first(
            """
            SELECT position FROM delivery_reminders
            WHERE environment = $1 AND bundle_id = $2 AND transaction_id = $3
            """, scope.values + [.integer(id.rawValue)]
        ) { try $0.integer(0) } != nil
    }

    /// Appends a reminder. Where another worker appends at this very moment, one of the two fails as a whole.
    package static func append(
        _ term: NonRenewingTerm, of customer: String, _ scope: DeliveryScope, at now: Instant,
        on connection: any Connection
    ) throws {
        let last = try connection.first(
            """
            SELECT position FROM delivery_reminders WHERE environment = $1 AND bundle_id = $2
            ORDER BY position DESC LIMIT 1
            """, scope.values
        ) { try $0.integer(0) }
        try connection.execute(
            """
            INSERT INTO delivery_reminders
            (environment, bundle_id, position, transaction_id, customer, product, starts, ends, made)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
            """,
            scope.values + [
                .integer((last ?? 0) + 1), .integer(term.transactionID.rawValue), .text(customer),
                .text(term.productID.rawValue), .integer(term.start.milliseconds), .integer(term.end.milliseconds),
                .integer(now.milliseconds),
            ])
    }

    /// Reminders after a position, in order.
    package static func all(
        after position: Int64, limit: Int, _ scope: DeliveryScope, on connection: any Connection
    ) throws -> [Record] {
        try connection.query(
            """
            SELECT position, customer, product, transaction_id, starts, ends, made FROM delivery_reminders
            WHERE environment = $1 AND bundle_id = $2 AND position > $3 ORDER BY position LIMIT $4
            """, scope.values + [.integer(position), .integer(Int64(limit))]
        ) { row in
            Record(
                position: try row.integer(0), customer: try row.text(1),
                term: NonRenewingTerm(
                    productID: Product.ID(rawValue: try row.text(2)),
                    transactionID: TransactionID(rawValue: try row.integer(3)), start: try row.instant(4),
                    end: try row.instant(5)), made: try row.instant(6))
        }
    }
}
