extension Migration {
    /// Settings of time, billing and products in an environment, seeds of environments, refund requests, and mass extensions of
    /// renewal dates.
    package static let time = Migration(
        number: 7, name: "time",
        statements: [
            """
            CREATE TABLE environment_settings (
                environment BIGINT NOT NULL,
                app BIGINT NOT NULL,
                document TEXT NOT NULL,
                PRIMARY KEY (environment, app)) /*WITHOUT ROWID*/
            """,
            """
            CREATE TABLE mass_extensions (
                environment BIGINT NOT NULL,
                app BIGINT NOT NULL,
                request_id TEXT NOT NULL,
                product TEXT NOT NULL,
                days BIGINT NOT NULL,
                reason BIGINT NOT NULL,
                storefronts TEXT NOT NULL,
                requested BIGINT NOT NULL,
                reached BIGINT NOT NULL,
                succeeded BIGINT NOT NULL,
                failed BIGINT NOT NULL,
                completed BIGINT,
                journal_position BIGINT,
                PRIMARY KEY (environment, app, request_id))
            """,
            """
            CREATE INDEX mass_extensions_open ON mass_extensions (environment, requested) WHERE completed IS NULL
            """,
            """
            CREATE TABLE refund_requests (
                environment BIGINT NOT NULL,
                app BIGINT NOT NULL,
                transaction_id BIGINT NOT NULL,
                reason TEXT NOT NULL,
                requested BIGINT NOT NULL,
                answered BIGINT,
                outcome TEXT,
                PRIMARY KEY (environment, app, transaction_id)) /*WITHOUT ROWID*/
            """,
            "ALTER TABLE environments ADD COLUMN seed BIGINT",
            // IDs of deleted environments, which aren't used again.
            "CREATE TABLE removed_environments (id BIGINT NOT NULL PRIMARY KEY)",
            // The target of an advance; unused since migration 15.
            "ALTER TABLE environments ADD COLUMN clock_target BIGINT",
            "ALTER TABLE accounts ADD COLUMN interrupts_purchases BIGINT NOT NULL DEFAULT 0",
            "ALTER TABLE accounts ADD COLUMN renewal_rate TEXT",
        ])
}
