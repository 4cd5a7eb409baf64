extension Migration {
    /// Content delivery's reminders of terms that end.
    ///
    /// Positions count up within a scope: a reader that has seen one has seen all before it.
    package static let reminders = Migration(
        number: 10, name: "reminders",
        statements: [
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
        ])
}
