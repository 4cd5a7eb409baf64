extension Migration {
    /// Leases to send an app's notifications, and an index of nonces by age.
    package static let claims = Migration(
        number: 13, name: "claims",
        statements: [
            """
            CREATE TABLE notification_claims (
                environment BIGINT NOT NULL,
                app BIGINT NOT NULL,
                turn BIGINT NOT NULL,
                held_until BIGINT NOT NULL,
                PRIMARY KEY (environment, app)) /*WITHOUT ROWID*/
            """,
            "CREATE INDEX offer_nonces_by_time ON offer_nonces (environment, app, signed)",
        ])
}
