extension Migration {
    /// Leases to advance manual clocks, instead of `environments.clock_target`; and the end of pending purchases' wait, so that
    /// lists find waiting ones without reading ended ones.
    package static let turns = Migration(
        number: 15, name: "turns",
        statements: [
            "ALTER TABLE environments ADD COLUMN clock_turn BIGINT NOT NULL DEFAULT 0",
            "ALTER TABLE environments ADD COLUMN clock_held_until BIGINT",
            "UPDATE environments SET clock_target = NULL WHERE clock_target IS NOT NULL",
            "ALTER TABLE pending_purchases ADD COLUMN waits_until BIGINT",
            // Only the document has the exact end of the wait: waiting ones count as waiting without end until they are read.
            """
            UPDATE pending_purchases SET waits_until = 9223372036854775807 WHERE state LIKE '%"waiting"%'
            """,
            """
            CREATE INDEX pending_purchases_waiting ON pending_purchases (environment, app, id)
            WHERE waits_until IS NOT NULL
            """,
        ])
}
