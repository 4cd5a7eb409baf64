import Perennial

/// Refund requests of customers, with their outcome. In the meantime the seller is asked for consumption information.
package enum RefundRequestsTable {
    package enum Outcome: String, Sendable, CaseIterable {
        case refunded, declined
    }

    package struct Record: Hashable, Sendable {
        package var transactionID: TransactionID
        package var reason: RefundRequestReason
        package var requested: Instant
        package var answered: Instant?
        package var outcome: Outcome?

        package init(
            transactionID: TransactionID, reason: RefundRequestReason, requested: Instant, answered: Instant? = nil,
            outcome: Outcome? = nil
        ) {
            self.transactionID = transactionID
            self.reason = reason
            self.requested = requested
            self.answered = answered
            self.outcome = outcome
        }
    }

    package static func put(
        _ record: Record, app: Int64, _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws {
        try connection.send(
            """
            INSERT INTO refund_requests (environment, app, transaction_id, reason, requested, answered, outcome)
            VALUES ($1, $2, $3, $4, $5, $6, $7)
            ON CONFLICT (environment, app, transaction_id) DO UPDATE SET reason = excluded.reason,
            requested = excluded.requested, answered = excluded.answered, outcome = excluded.outcome
            """,
            [
                .integer(environment.rawValue), .integer(app), .integer(record.transactionID.rawValue),
                .text(record.reason.rawValue), .integer(record.requested.milliseconds),
                SQLValue(record.answered?.milliseconds), SQLValue(record.outcome?.rawValue),
            ])
    }

    package static func record(
        of id: TransactionID, app: Int64, _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws -> Record? {
        try connection.first(
            """
            SELECT reason, requested, answered, outcome FROM refund_requests
            WHERE environment = $1 AND app = $2 AND transaction_id = $3
            """, [.integer(environment.rawValue), .integer(app), .integer(id.rawValue)]
        ) { row in
            Record(
                transactionID: id, reason: try row.value(0), requested: try row.instant(1),
                answered: try row.optionalInstant(2),
                outcome: try row.optionalText(3) == nil ? nil : row.value(3))
        }
    }
}
