extension Migration {
    /// The journal entries behind the statistics of subscriptions, trials, cohorts and new customers.
    ///
    /// Known journals are read again: a rebuild of each app's roll-ups begins, and replaces the current ones when it is done.
    /// Not beside earlier versions, whose roll-ups wouldn't list the entries.
    package static let statisticEntries = Migration(
        number: 37, name: "statisticEntries",
        statements: [
            """
            CREATE TABLE statistic_entries (
                environment BIGINT NOT NULL,
                app BIGINT NOT NULL,
                generation BIGINT NOT NULL,
                measure BIGINT NOT NULL,
                day BIGINT NOT NULL,
                position BIGINT NOT NULL,
                bucket BIGINT NOT NULL,
                currency TEXT NOT NULL,
                amount BIGINT NOT NULL,
                PRIMARY KEY (environment, app, generation, measure, day, position, bucket, currency)) /*WITHOUT ROWID*/
            """,
            // A rebuild that runs has read entries without listing them.
            "UPDATE roll_up_heads SET state = 'retired' WHERE state = 'building'",
            """
            UPDATE roll_up_generations SET latest = latest + 1 WHERE EXISTS (SELECT 1 FROM roll_up_heads AS h
            WHERE h.environment = roll_up_generations.environment AND h.app = roll_up_generations.app
            AND h.state = 'current')
            """,
            """
            INSERT INTO roll_up_heads (environment, app, generation, position, state, changed)
            SELECT h.environment, h.app, g.latest, 0, 'building', h.changed FROM roll_up_heads AS h
            JOIN roll_up_generations AS g ON g.environment = h.environment AND g.app = h.app
            WHERE h.state = 'current'
            """,
        ])
}
