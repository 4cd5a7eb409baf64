extension Migration {
    /// When each transaction last changed, counted in the revisions of its customer's purchases: the order of histories.
    ///
    /// The customer's index is in that order now. A second one would be one more place to write for every purchase.
    package static let history = Migration(
        number: 12, name: "history",
        statements: [
            "ALTER TABLE transactions ADD COLUMN modified BIGINT NOT NULL DEFAULT 0",
            "DROP INDEX transactions_of_customer",
            """
            CREATE INDEX transactions_of_customer ON transactions (environment, app, account, modified, id, is_finished)
            """,
        ])
}
