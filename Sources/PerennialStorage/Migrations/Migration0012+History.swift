extension Migration {
    /// The revision of the customer's purchases at each transaction's last change: the order of histories.
    ///
    /// It becomes part of the customer's index. A second index would be one more page to write for every purchase.
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
