extension Migration {
    /// Auto-renewable subscriptions: the state that the rules keep, as one document, and when the engine has to look at it.
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
