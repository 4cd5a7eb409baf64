extension Migration {
    /// Refunds and revocations known to content delivery, for products of every type, and their reversals.
    ///
    /// Moves those of customers' purchases here.
    package static let cancellations = Migration(
        number: 14, name: "cancellations",
        statements: [
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
        ])
}
