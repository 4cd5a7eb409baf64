extension Migration {
    /// The tables of content delivery, the seller's own content server.
    ///
    /// They identify stores by the environment's name on receipts (`Production`, `Sandbox`), not by our environments' numbers:
    /// the store that issued a receipt may be Apple's. Customers are the seller's and not a store's, so customers and sessions
    /// lead with the bundle ID only. Times are milliseconds since 1970.
    package static let delivery = Migration(
        number: 2, name: "delivery",
        statements: [
            """
            CREATE TABLE delivery_customers (
                bundle_id TEXT NOT NULL,
                name TEXT NOT NULL,
                password TEXT NOT NULL,
                registered BIGINT NOT NULL,
                PRIMARY KEY (bundle_id, name))
            """,
            """
            CREATE TABLE delivery_sessions (
                bundle_id TEXT NOT NULL,
                digest BYTEA NOT NULL,
                customer TEXT NOT NULL,
                expires BIGINT NOT NULL,
                PRIMARY KEY (bundle_id, digest))
            """,
            "CREATE INDEX delivery_sessions_by_expiry ON delivery_sessions (bundle_id, expires)",
            """
            CREATE TABLE delivery_grants (
                environment TEXT NOT NULL,
                bundle_id TEXT NOT NULL,
                digest BYTEA NOT NULL,
                customer TEXT,
                contents TEXT NOT NULL,
                expires BIGINT NOT NULL,
                PRIMARY KEY (environment, bundle_id, digest))
            """,
            "CREATE INDEX delivery_grants_by_expiry ON delivery_grants (environment, bundle_id, expires)",
            """
            CREATE TABLE delivery_purchases (
                environment TEXT NOT NULL,
                bundle_id TEXT NOT NULL,
                transaction_id BIGINT NOT NULL,
                customer TEXT NOT NULL,
                product TEXT NOT NULL,
                original_id BIGINT NOT NULL,
                purchased BIGINT NOT NULL,
                cancelled BIGINT,
                quantity BIGINT NOT NULL,
                recorded BIGINT NOT NULL,
                PRIMARY KEY (environment, bundle_id, transaction_id))
            """,
            "CREATE INDEX delivery_purchases_of_customer ON delivery_purchases (environment, bundle_id, customer)",
            """
            CREATE TABLE delivery_deliveries (
                environment TEXT NOT NULL,
                bundle_id TEXT NOT NULL,
                id TEXT NOT NULL,
                content TEXT NOT NULL,
                version TEXT NOT NULL,
                product TEXT NOT NULL,
                transaction_id BIGINT NOT NULL,
                customer TEXT,
                first_byte BIGINT NOT NULL,
                byte_count BIGINT NOT NULL,
                bytes_sent BIGINT NOT NULL,
                is_complete BIGINT NOT NULL,
                began BIGINT NOT NULL,
                ended BIGINT,
                PRIMARY KEY (environment, bundle_id, id))
            """,
            "CREATE INDEX delivery_deliveries_by_time ON delivery_deliveries (environment, bundle_id, began)",
        ])
}
