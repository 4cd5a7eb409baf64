extension Migration {
    /// Auto-renewable subscriptions: the state as one document, and the time at which it is due.
    package static let subscriptions = Migration(
        number: 3, name: "subscriptions",
        statements: [
            """
            CREATE TABLE subscriptions (
                environment BIGINT NOT NULL,
                app BIGINT NOT NULL,
                original_id BIGINT NOT NULL,
                account BIGINT NOT NULL,
                subscription_group TEXT NOT NULL,
                due BIGINT,
                document TEXT NOT NULL,
                PRIMARY KEY (environment, app, original_id)) /*WITHOUT ROWID*/
            """,
            "CREATE INDEX subscriptions_of_customer ON subscriptions (environment, app, account)",
            "CREATE INDEX subscriptions_due ON subscriptions (environment, due, original_id) WHERE due IS NOT NULL",
        ])
}
