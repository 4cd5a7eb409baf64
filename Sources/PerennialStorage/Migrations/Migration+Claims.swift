extension Migration {
    /// Whose turn it is to deliver an app's notifications; and nonces by age, so that old ones are found.
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
