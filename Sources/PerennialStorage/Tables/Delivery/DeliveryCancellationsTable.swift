import Perennial

extension DeliverySchema {
    /// Which transactions were taken back, whoever brought the news, and which were given back since. What was known of
    /// customers' purchases moves here.
    package static let cancellationStatements: [String] = [
        """
        CREATE TABLE delivery_cancellations (
            environment TEXT NOT NULL,
            bundle_id TEXT NOT NULL,
            transaction_id BIGINT NOT NULL,
            cancelled BIGINT,
            heard BIGINT,
            restored BIGINT,
            PRIMARY KEY (environment, bundle_id, transaction_id))
        """,
        """
        INSERT INTO delivery_cancellations (environment, bundle_id, transaction_id, cancelled, heard)
        SELECT environment, bundle_id, transaction_id, cancelled, cancelled FROM delivery_purchases
        WHERE cancelled IS NOT NULL
        """,
        "ALTER TABLE delivery_purchases DROP COLUMN cancelled",
    ]
}

/// What is known of refunds and revocations: kept for good, since receipts from before them stay authentic.
///
/// News may come twice and in any order: of cancellations the newest counts, of reversals the newest counts, and of the
/// two the later one.
package enum DeliveryCancellationsTable {
    /// Transactions that one question asks for: its text stays the same.
    private static let idsPerQuestion = 64

    private static let question = SQL(
        """
        SELECT transaction_id, cancelled, heard, restored FROM delivery_cancellations
        WHERE environment = $1 AND bundle_id = $2
        AND transaction_id IN (\((0..<idsPerQuestion).map { "$\($0 + 3)" }.joined(separator: ", ")))
        """)

    /// Notes that a transaction was refunded or revoked.
    /// - Parameters:
    ///   - cancelled: When access ended.
    ///   - heard: What tells this news from earlier and later news: when it was signed, or when the store said it; that date
    ///     where nothing says.
    package static func cancel(
        _ id: TransactionID, at cancelled: Instant, heard: Instant, _ scope: DeliveryScope,
        on connection: any Connection
    ) throws {
        try connection.execute(
            """
            INSERT INTO delivery_cancellations (environment, bundle_id, transaction_id, cancelled, heard)
            VALUES ($1, $2, $3, $4, $5)
            ON CONFLICT (environment, bundle_id, transaction_id)
            DO UPDATE SET cancelled = excluded.cancelled, heard = excluded.heard
            WHERE delivery_cancellations.heard IS NULL OR delivery_cancellations.heard < excluded.heard
            """,
            scope.values + [
                .integer(id.rawValue), .integer(cancelled.milliseconds), .integer(heard.milliseconds),
            ])
    }

    /// Notes that a refund was reversed: a notification said so, or a receipt that was made after the refund was known.
    package static func restore(
        _ id: TransactionID, at restored: Instant, _ scope: DeliveryScope, on connection: any Connection
    ) throws {
        try connection.execute(
            """
            INSERT INTO delivery_cancellations (environment, bundle_id, transaction_id, restored)
            VALUES ($1, $2, $3, $4)
            ON CONFLICT (environment, bundle_id, transaction_id) DO UPDATE SET restored = excluded.restored
            WHERE delivery_cancellations.restored IS NULL OR delivery_cancellations.restored < excluded.restored
            """, scope.values + [.integer(id.rawValue), .integer(restored.milliseconds)])
    }

    /// What is known of some transactions; those of which nothing was ever heard are left out.
    package static func known(
        of ids: [TransactionID], _ scope: DeliveryScope, on connection: any Connection
    ) throws -> [TransactionID: KnownRefund] {
        var known: [TransactionID: KnownRefund] = [:]
        var rest = ids[...]
        while let last = rest.last {
            let some = rest.prefix(idsPerQuestion)
            rest = rest.dropFirst(some.count)
            let padding = Array(repeating: last, count: idsPerQuestion - some.count)
            let values = (some + padding).map { SQLValue.integer($0.rawValue) }
            try connection.forEachRow(question, scope.values + values) { row in
                known[TransactionID(rawValue: try row.integer(0))] = try refund(row, from: 1)
            }
        }
        return known
    }

    /// The columns `cancelled`, `heard` and `restored`, in this order.
    static func refund(_ row: any Row, from column: Int) throws -> KnownRefund {
        KnownRefund(
            refunded: try row.optionalInstant(column), reported: try row.optionalInstant(column + 1),
            reversed: try row.optionalInstant(column + 2))
    }
}
