import Perennial

/// The sessions of the console's visitors.
package enum ConsoleSessionsTable {
    package struct Record: Sendable {
        /// The digest of the session's token.
        package var digest: String
        /// A user of the team; `nil` for the operator who came by a one-time link.
        package var user: String?
        package var created: Instant
        package var lastUsed: Instant
        /// The address that signed in.
        package var address: String

        package init(digest: String, user: String?, created: Instant, lastUsed: Instant, address: String) {
            self.digest = digest
            self.user = user
            self.created = created
            self.lastUsed = lastUsed
            self.address = address
        }
    }

    package static func insert(_ session: Record, on connection: any Connection) throws {
        try connection.send(
            """
            INSERT INTO console_sessions (digest, team_user, created, last_used, address) VALUES ($1, $2, $3, $4, $5)
            """,
            [
                .text(session.digest), SQLValue(session.user), .integer(session.created.milliseconds),
                .integer(session.lastUsed.milliseconds), .text(session.address),
            ])
    }

    package static func session(_ digest: String, on connection: any Connection) throws -> Record? {
        try connection.first(
            "SELECT digest, team_user, created, last_used, address FROM console_sessions WHERE digest = $1",
            [.text(digest)]
        ) {
            Record(
                digest: try $0.text(0), user: try $0.optionalText(1), created: try $0.instant(2),
                lastUsed: try $0.instant(3), address: try $0.text(4))
        }
    }

    package static func recordUse(of digest: String, at now: Instant, on connection: any Connection) throws {
        try connection.send(
            "UPDATE console_sessions SET last_used = $1 WHERE digest = $2",
            [.integer(now.milliseconds), .text(digest)])
    }

    package static func delete(_ digest: String, on connection: any Connection) throws {
        try connection.send("DELETE FROM console_sessions WHERE digest = $1", [.text(digest)])
    }

    /// Ends all sessions of a user, or of the operator.
    package static func delete(ofUser user: String?, on connection: any Connection) throws {
        if let user {
            try connection.send("DELETE FROM console_sessions WHERE team_user = $1", [.text(user)])
        } else {
            try connection.send("DELETE FROM console_sessions WHERE team_user IS NULL")
        }
    }

    /// Deletes the sessions that weren't used since one instant, and those made before another.
    package static func deleteExpired(
        unusedSince idle: Instant, createdBefore old: Instant, on connection: any Connection
    ) throws {
        try connection.send(
            "DELETE FROM console_sessions WHERE last_used <= $1 OR created <= $2",
            [.integer(idle.milliseconds), .integer(old.milliseconds)])
    }
}
