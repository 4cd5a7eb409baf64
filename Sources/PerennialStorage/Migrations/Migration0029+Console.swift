extension Migration {
    /// The console's one-time links, sessions, passwords of the team and audit log.
    ///
    /// Codes and tokens are stored as SHA-256 digests in hexadecimal.
    package static let console = Migration(
        number: 29, name: "console",
        statements: [
            """
            CREATE TABLE console_links (
                digest TEXT NOT NULL PRIMARY KEY,
                team_user TEXT,
                expires BIGINT NOT NULL)
            """,
            """
            CREATE TABLE console_sessions (
                digest TEXT NOT NULL PRIMARY KEY,
                team_user TEXT,
                created BIGINT NOT NULL,
                last_used BIGINT NOT NULL,
                address TEXT NOT NULL)
            """,
            "CREATE INDEX console_sessions_of_user ON console_sessions (team_user)",
            """
            CREATE TABLE team_passwords (
                team_user TEXT NOT NULL PRIMARY KEY,
                hash TEXT NOT NULL,
                changed BIGINT NOT NULL)
            """,
            """
            CREATE TABLE console_audit (
                at BIGINT NOT NULL,
                id TEXT NOT NULL,
                actor TEXT NOT NULL,
                deed TEXT NOT NULL,
                path TEXT NOT NULL,
                address TEXT NOT NULL,
                outcome TEXT NOT NULL,
                PRIMARY KEY (at, id))
            """,
        ])
}
