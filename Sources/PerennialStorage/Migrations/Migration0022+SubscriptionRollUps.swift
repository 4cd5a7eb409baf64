extension Migration {
    /// The roll-ups of subscriptions and of statistics.
    ///
    /// The standings of subscriptions are counted by changes of each day and by totals at the start of each week, so that
    /// the counts at the end of any day are one total and the changes of at most seven days. Statistics are added up for
    /// each measure and dimension, so that no question reads more rows than its answer has.
    package static let subscriptionRollUps = Migration(
        number: 22, name: "subscriptionRollUps",
        statements: [
            """
            CREATE TABLE subscription_stories (
                environment BIGINT NOT NULL,
                app BIGINT NOT NULL,
                generation BIGINT NOT NULL,
                original_id BIGINT NOT NULL,
                document TEXT NOT NULL,
                PRIMARY KEY (environment, app, generation, original_id)) /*WITHOUT ROWID*/
            """,
            """
            CREATE TABLE subscription_standings (
                environment BIGINT NOT NULL,
                app BIGINT NOT NULL,
                generation BIGINT NOT NULL,
                id BIGINT NOT NULL,
                document TEXT NOT NULL,
                PRIMARY KEY (environment, app, generation, id)) /*WITHOUT ROWID*/
            """,
            "CREATE INDEX standings_by_document ON subscription_standings (environment, app, generation, document)",
            """
            CREATE TABLE subscription_standing_changes (
                environment BIGINT NOT NULL,
                app BIGINT NOT NULL,
                generation BIGINT NOT NULL,
                day BIGINT NOT NULL,
                standing BIGINT NOT NULL,
                change BIGINT NOT NULL,
                PRIMARY KEY (environment, app, generation, day, standing)) /*WITHOUT ROWID*/
            """,
            """
            CREATE TABLE subscription_standing_weeks (
                environment BIGINT NOT NULL,
                app BIGINT NOT NULL,
                generation BIGINT NOT NULL,
                day BIGINT NOT NULL,
                PRIMARY KEY (environment, app, generation, day)) /*WITHOUT ROWID*/
            """,
            """
            CREATE TABLE subscription_standing_totals (
                environment BIGINT NOT NULL,
                app BIGINT NOT NULL,
                generation BIGINT NOT NULL,
                day BIGINT NOT NULL,
                standing BIGINT NOT NULL,
                total BIGINT NOT NULL,
                PRIMARY KEY (environment, app, generation, day, standing)) /*WITHOUT ROWID*/
            """,
            """
            CREATE TABLE subscription_events (
                environment BIGINT NOT NULL,
                app BIGINT NOT NULL,
                generation BIGINT NOT NULL,
                day BIGINT NOT NULL,
                document TEXT NOT NULL,
                quantity BIGINT NOT NULL,
                PRIMARY KEY (environment, app, generation, day, document)) /*WITHOUT ROWID*/
            """,
            // The digest stands for the document, to keep the rows short.
            """
            CREATE TABLE subscription_event_positions (
                environment BIGINT NOT NULL,
                app BIGINT NOT NULL,
                generation BIGINT NOT NULL,
                day BIGINT NOT NULL,
                digest BIGINT NOT NULL,
                position BIGINT NOT NULL,
                PRIMARY KEY (environment, app, generation, day, digest, position)) /*WITHOUT ROWID*/
            """,
            """
            CREATE TABLE statistic_totals (
                environment BIGINT NOT NULL,
                app BIGINT NOT NULL,
                generation BIGINT NOT NULL,
                measure BIGINT NOT NULL,
                dimension BIGINT NOT NULL,
                grain BIGINT NOT NULL,
                period BIGINT NOT NULL,
                value TEXT NOT NULL,
                bucket BIGINT NOT NULL,
                currency TEXT NOT NULL,
                total BIGINT NOT NULL,
                PRIMARY KEY (environment, app, generation, measure, dimension, grain, period, value, bucket, currency))
                /*WITHOUT ROWID*/
            """,
            """
            CREATE TABLE statistic_customers (
                environment BIGINT NOT NULL,
                app BIGINT NOT NULL,
                generation BIGINT NOT NULL,
                account BIGINT NOT NULL,
                document TEXT NOT NULL,
                PRIMARY KEY (environment, app, generation, account)) /*WITHOUT ROWID*/
            """,
        ])
}
