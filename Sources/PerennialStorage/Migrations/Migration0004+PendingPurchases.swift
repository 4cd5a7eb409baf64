extension Migration {
    /// Ask to Buy: purchases that wait for approval.
    package static let pendingPurchases = Migration(
        number: 4, name: "pendingPurchases",
        statements: [
            """
            CREATE TABLE pending_purchases (
                environment BIGINT NOT NULL,
                app BIGINT NOT NULL,
                id BIGINT NOT NULL,
                account BIGINT NOT NULL,
                product TEXT NOT NULL,
                request TEXT NOT NULL,
                state TEXT NOT NULL,
                PRIMARY KEY (environment, app, id))
            """,
            "CREATE INDEX pending_purchases_of_customer ON pending_purchases (environment, app, account, product)",
        ])
}
