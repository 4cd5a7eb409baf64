extension Migration {
    /// Quarantine of subscriptions: its beginning and reason.
    package static let quarantine = Migration(
        number: 16, name: "quarantine",
        statements: [
            "ALTER TABLE subscriptions ADD COLUMN quarantined BIGINT",
            "ALTER TABLE subscriptions ADD COLUMN quarantine_reason TEXT",
            """
            CREATE INDEX subscriptions_quarantined ON subscriptions (environment, app, original_id)
            WHERE quarantined IS NOT NULL
            """,
        ])
}
