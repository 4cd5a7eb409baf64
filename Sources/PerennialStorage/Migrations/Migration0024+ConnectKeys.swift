extension Migration {
    /// The roles of keys of the App Store Connect API, the seller's vendor number, and requests for analytics reports.
    ///
    /// Keys of that API were an app's before. They become the seller's, with the role that they had: all.
    package static let connectKeys = Migration(
        number: 24, name: "connectKeys",
        statements: [
            "ALTER TABLE api_keys ADD COLUMN roles TEXT",
            "ALTER TABLE api_keys ADD COLUMN last_used BIGINT",
            "UPDATE api_keys SET app = 0, roles = 'ADMIN' WHERE kind = 'connectAPI'",
            """
            CREATE TABLE vendor (
                id BIGINT NOT NULL PRIMARY KEY,
                number TEXT NOT NULL)
            """,
            """
            CREATE TABLE analytics_requests (
                environment BIGINT NOT NULL,
                id TEXT NOT NULL,
                app BIGINT NOT NULL,
                access_type TEXT NOT NULL,
                created BIGINT NOT NULL,
                PRIMARY KEY (environment, id))
            """,
            "CREATE UNIQUE INDEX analytics_requests_of_app ON analytics_requests (environment, app, access_type)",
        ])
}
