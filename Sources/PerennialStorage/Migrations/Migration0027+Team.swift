extension Migration {
    /// The users of the seller's team, their invitations and individual keys, and sandbox testers' names.
    ///
    /// An account whose purchases a tester has left behind has the time of it in `cleared`. The tester's next account has the
    /// tester's number in `tester`; without one, the number is the account's.
    package static let team = Migration(
        number: 27, name: "team",
        statements: [
            """
            CREATE TABLE team_users (
                id TEXT NOT NULL PRIMARY KEY,
                username TEXT NOT NULL UNIQUE,
                first_name TEXT NOT NULL,
                last_name TEXT NOT NULL,
                roles TEXT NOT NULL,
                all_apps_visible BIGINT NOT NULL,
                provisioning_allowed BIGINT NOT NULL,
                visible_apps TEXT NOT NULL,
                created BIGINT NOT NULL)
            """,
            """
            CREATE TABLE team_invitations (
                id TEXT NOT NULL PRIMARY KEY,
                email TEXT NOT NULL UNIQUE,
                first_name TEXT NOT NULL,
                last_name TEXT NOT NULL,
                expires BIGINT NOT NULL,
                roles TEXT NOT NULL,
                all_apps_visible BIGINT NOT NULL,
                provisioning_allowed BIGINT NOT NULL,
                visible_apps TEXT NOT NULL)
            """,
            "ALTER TABLE api_keys ADD COLUMN team_user TEXT",
            "ALTER TABLE accounts ADD COLUMN first_name TEXT",
            "ALTER TABLE accounts ADD COLUMN last_name TEXT",
            "ALTER TABLE accounts ADD COLUMN tester BIGINT",
            "ALTER TABLE accounts ADD COLUMN cleared BIGINT",
            "CREATE INDEX accounts_of_testers ON accounts (environment, tester) WHERE tester IS NOT NULL",
        ])
}
