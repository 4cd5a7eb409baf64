import Perennial

/// Refunds and revocations that content delivery has learnt of. They are kept for ever, because older receipts stay authentic.
///
/// Notices may arrive twice and in any order: the newest refund and the newest reversal count, and of the two the later one.
package enum DeliveryCancellationsTable {
    /// Transactions in one query, whose text is always the same.
    private static let idsPerQuery = 64

    private static let selectKnown = SQL(
        """
        SELECT transaction_id, cancelled, heard, restored FROM delivery_cancellations
        WHERE environment = $1 AND bundle_id = $2
        AND transaction_id IN (\((0..<idsPerQuery).map { "$\($0 + 3)" }.joined(separator: ", ")))
        """)

    /// Records that a transaction was refunded or revoked.
    /// - Parameters:
    ///   - cancelled: The end of access.
    ///   - reportedAt: The time of the notice, which orders notices: its signature, or the store's answer; else the end of access.
    package static func cancel(
        _ id: TransactionID, at cancelled: Instant, reportedAt reported: Instant, _ scope: DeliveryScope,
        on connection: any Connection
    ) throws {
        try connection.send(
            """
            INSERT INTO delivery_cancellations (environment, bundle_id, transaction_id, cancelled, heard)
            VALUES ($1, $2, $3, $4, $5)
            ON CONFLICT (environment, bundle_id, transaction_id)
            DO UPDATE SET cancelled = excluded.cancelled, heard = excluded.heard
            WHERE delivery_cancellations.heard IS NULL OR delivery_cancellations.heard < excluded.heard
            """,
            scope.values + [
                .integer(id.rawValue), .integer(cancelled.milliseconds), .integer(reported.milliseconds),
            ])
    }

    /// Records that a refund was reversed, by a notification or by a receipt made after the refund.
    package static func restore(
        _ id: TransactionID, at restored: Instant, _ scope: DeliveryScope, on connection: any Connection
    ) throws {
        try connection.send(
            """
            INSERT INTO delivery_cancellations (environment, bundle_id, transaction_id, restored)
            VALUES ($1, $2, $3, $4)
            ON CONFLICT (environment, bundle_id, transaction_id) DO UPDATE SET restored = excluded.restored
            WHERE delivery_cancellations.restored IS NULL OR delivery_cancellations.restored < excluded.restored
            """, scope.values + [.integer(id.rawValue), .integer(restored.milliseconds)])
    }

    /// Returns the known refunds of some transactions.
    package static func known(
        of ids: [TransactionID], _ scope: DeliveryScope, on connection: any Connection
    ) throws -> [TransactionID: KnownRefund] {
        var known: [TransactionID: KnownRefund] = [:]
        var rest = ids[...]
        while let last = rest.last {
            let some = rest.prefix(idsPerQuery)
            rest = rest.dropFirst(some.count)
            let padding = Array(repeating: last, count: idsPerQuery - some.count)
            let values = (some + padding).map { SQLValue.integer($0.rawValue) }
            try connection.forEachRow(selectKnown, scope.values + values) { row in
                known[TransactionID(rawValue: try row.integer(0))] = try refund(row, from: 1)
            }
        }
        return known
    }

    /// Reads the columns `cancelled`, `heard` and `restored`, in this order.
    static func refund(_ row: any Row, from column: Int) throws -> KnownRefund {
        KnownRefund(
            refundDate: try row.optionalInstant(column), reportedDate: try row.optionalInstant(column + 1),
            reversalDate: try row.optionalInstant(column + 2))
    }
}
