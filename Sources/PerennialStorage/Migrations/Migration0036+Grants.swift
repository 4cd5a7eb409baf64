extension Migration {
    /// Authors of products without charge, and their reasons, by the transaction. Grants of before have no row.
    package static let grants = Migration(
        number: 36, name: "grants", allowsEarlierNodes: true,
        statements: [
            """
            CREATE TABLE grants (
                environment BIGINT NOT NULL,
                app BIGINT NOT NULL,
                transaction_id BIGINT NOT NULL,
                actor TEXT NOT NULL,
                reason TEXT,
                PRIMARY KEY (environment, app, transaction_id)) /*WITHOUT ROWID*/
            """
        ])
}
