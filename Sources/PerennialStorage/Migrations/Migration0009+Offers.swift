extension Migration {
    /// Offers: used nonces of signatures, offer codes and their redemptions.
    package static let offers = Migration(
        number: 9, name: "offers",
        statements: [
            """
            CREATE TABLE offer_nonces (
                environment BIGINT NOT NULL,
                app BIGINT NOT NULL,
                nonce TEXT NOT NULL,
                signed BIGINT NOT NULL,
                PRIMARY KEY (environment, app, nonce)) /*WITHOUT ROWID*/
            """,
            """
            CREATE TABLE offer_codes (
                environment BIGINT NOT NULL,
                app BIGINT NOT NULL,
                code TEXT NOT NULL,
                product TEXT NOT NULL,
                offer_id TEXT NOT NULL,
                kind TEXT NOT NULL,
                created BIGINT NOT NULL,
                expires BIGINT,
                maximum_redemptions BIGINT,
                PRIMARY KEY (environment, app, code)) /*WITHOUT ROWID*/
            """,
            """
            CREATE TABLE offer_code_redemptions (
                environment BIGINT NOT NULL,
                app BIGINT NOT NULL,
                code TEXT NOT NULL,
                account BIGINT NOT NULL,
                at BIGINT NOT NULL,
                transaction_id BIGINT NOT NULL,
                PRIMARY KEY (environment, app, code, account)) /*WITHOUT ROWID*/
            """,
            "CREATE INDEX offer_code_redemptions_by_time ON offer_code_redemptions (environment, app, at)",
        ])
}
