extension Migration {
    /// The revision of the customer's purchases at which the app finished a transaction, and at which transactions were
    /// deleted last: devices are told of both.
    ///
    /// The first becomes part of the customer's index, which finishing writes anyway.
    package static let changes = Migration(
        number: 32, name: "changes",
        statements: [
            "ALTER TABLE transactions ADD COLUMN finished_revision BIGINT NOT NULL DEFAULT 0",
            "ALTER TABLE customers ADD COLUMN deleted_revision BIGINT NOT NULL DEFAULT 0",
            "DROP INDEX transactions_of_customer",
            """
            CREATE INDEX transactions_of_customer
            ON transactions (environment, app, account, modified, id, is_finished, finished_revision)
            """,
        ])
}
