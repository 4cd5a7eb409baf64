extension Migration {
    /// API keys of sellers' servers, with their public keys.
    package static let keys = Migration(
        number: 6, name: "keys",
        statements: [
            """
            CREATE TABLE api_keys (
                key_id TEXT NOT NULL PRIMARY KEY,
                app BIGINT NOT NULL,
                kind TEXT NOT NULL,
                issuer_id TEXT NOT NULL,
                public_key BYTEA NOT NULL,
                created BIGINT NOT NULL,
                revoked BIGINT)
            """,
            "CREATE INDEX api_keys_of_app ON api_keys (app, created, key_id)",
        ])
}
