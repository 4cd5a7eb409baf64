extension Migration {
    /// Family Sharing: families, and members' transactions with the purchases that they share.
    package static let families = Migration(
        number: 5, name: "families",
        statements: [
            """
            CREATE TABLE family_members (
                environment BIGINT NOT NULL,
                account BIGINT NOT NULL,
                family BIGINT NOT NULL,
                place BIGINT NOT NULL,
                PRIMARY KEY (environment, account)) /*WITHOUT ROWID*/
            """,
            "CREATE INDEX family_members_of_family ON family_members (environment, family, place)",
            """
            CREATE TABLE shared_purchases (
                environment BIGINT NOT NULL,
                app BIGINT NOT NULL,
                source BIGINT NOT NULL,
                account BIGINT NOT NULL,
                owner BIGINT NOT NULL,
                copy BIGINT NOT NULL,
                PRIMARY KEY (environment, app, source, account)) /*WITHOUT ROWID*/
            """,
            "CREATE INDEX shared_purchases_of_account ON shared_purchases (environment, app, account)",
            "CREATE INDEX shared_purchases_of_owner ON shared_purchases (environment, app, owner)",
        ])
}
