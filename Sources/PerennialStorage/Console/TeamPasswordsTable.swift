import Perennial

/// The hashes of the team's passwords for the console.
package enum TeamPasswordsTable {
    package static func upsert(
        _ hash: PasswordHash, user: String, at now: Instant, on connection: any Connection
    ) throws {
        try connection.send(
            """
            INSERT INTO team_passwords (team_user, hash, changed) VALUES ($1, $2, $3)
            ON CONFLICT (team_user) DO UPDATE SET hash = excluded.hash, changed = excluded.changed
            """, [.text(user), .text(hash.text), .integer(now.milliseconds)])
    }

    package static func hash(of user: String, on connection: any Connection) throws -> PasswordHash? {
        try connection.first("SELECT hash FROM team_passwords WHERE team_user = $1", [.text(user)]) { try $0.text(0) }
            .flatMap(PasswordHash.init(text:))
    }

    package static func delete(ofUser user: String, on connection: any Connection) throws {
        try connection.send("DELETE FROM team_passwords WHERE team_user = $1", [.text(user)])
    }
}
