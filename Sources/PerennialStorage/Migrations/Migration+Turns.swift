extension Migration {
    /// Whose turn it is to move a manual clock, in the place of `environments.clock_target`, which nobody reads any more; and
    /// until when a purchase waits for an answer, so that those that have ended hide none.
    package static let turns = Migration(
        number: 15, name: "turns",
        statements: [
            "ALTER TABLE environments ADD COLUMN clock_turn BIGINT NOT NULL DEFAULT 0",
            "ALTER TABLE environments ADD COLUMN clock_held_until BIGINT",
            "UPDATE environments SET clock_target = NULL WHERE clock_target IS NOT NULL",
            "ALTER TABLE pending_purchases ADD COLUMN waits_until BIGINT",
            // Only the document says until when: what waits in it is looked at, and what has ended is not.
            """
            UPDATE pending_purchases SET waits_until = 9223372036854775807 WHERE state LIKE '%"waiting"%'
            """,
            """
            CREATE INDEX pending_purchases_waiting ON pending_purchases (environment, app, id)
            WHERE waits_until IS NOT NULL
            """,
        ])
}
