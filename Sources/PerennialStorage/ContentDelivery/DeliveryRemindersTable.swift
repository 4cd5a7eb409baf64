import Perennial

/// Reminders of terms that end: one for each term.
package enum DeliveryRemindersTable {
    package struct Record: Sendable, Hashable {
        package var position: Int64
        package var customer: String
        package var term: NonRenewingTerm
        package var made: Instant
    }

    /// Returns true if there is a reminder for the term of a transaction.
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

    /// Appends a reminder. Of two concurrent workers one fails with its transaction.
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
        try connection.send(
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

    /// Returns the reminders after a position, in order.
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
