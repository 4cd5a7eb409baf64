extension Migration {
    /// Nodes with their heartbeats, and leases that belong to nodes instead of expiring by the nodes' clocks.
    ///
    /// Not beside earlier versions: their leases go, so that a process of such a version sends nothing and advances no clock.
    package static let nodes = Migration(
        number: 33, name: "nodes",
        statements: [
            """
            CREATE TABLE nodes (
                id BIGINT PRIMARY KEY,
                host TEXT NOT NULL,
                process BIGINT NOT NULL,
                version TEXT NOT NULL,
                migrations BIGINT NOT NULL,
                started BIGINT NOT NULL,
                is_worker BIGINT NOT NULL,
                clock_difference BIGINT NOT NULL,
                beat BIGINT NOT NULL)
            """,
            "CREATE TABLE node_numbers (id BIGINT PRIMARY KEY, last BIGINT NOT NULL)",
            "INSERT INTO node_numbers (id, last) VALUES (1, 0)",
            """
            CREATE TABLE leases (
                work TEXT NOT NULL,
                environment BIGINT NOT NULL,
                app BIGINT NOT NULL,
                node BIGINT NOT NULL,
                token BIGINT NOT NULL,
                PRIMARY KEY (work, environment, app)) /*WITHOUT ROWID*/
            """,
            "ALTER TABLE environments DROP COLUMN clock_turn",
            "ALTER TABLE environments DROP COLUMN clock_held_until",
            "DROP TABLE notification_claims",
        ])
}
