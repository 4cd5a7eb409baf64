import Perennial

/// One-time links to the console: those that sign in as operator, and those with which a user chooses a password.
package enum ConsoleLinksTable {
    package struct Record: Sendable {
        /// The user who chooses a password; `nil` for a link that signs in as operator.
        package var user: String?
        package var expires: Instant
    }

    /// - Parameter digest: The code's digest.
    package static func insert(
        _ digest: String, user: String?, expires: Instant, on connection: any Connection
    ) throws {
        try connection.send(
            "INSERT INTO console_links (digest, team_user, expires) VALUES ($1, $2, $3)",
            [.text(digest), SQLValue(user), .integer(expires.milliseconds)])
    }

    package static func link(_ digest: String, on connection: any Connection) throws -> Record? {
        try connection.first("SELECT team_user, expires FROM console_links WHERE digest = $1", [.text(digest)]) {
            Record(user: try $0.optionalText(0), expires: try $0.instant(1))
        }
    }

    /// Deletes a link, so that it is used once.
    ///
    /// - Returns: False if there is none any more.
    package static func remove(_ digest: String, on connection: any Connection) throws -> Bool {
        try connection.execute("DELETE FROM console_links WHERE digest = $1", [.text(digest)]) == 1
    }

    package static func deleteExpired(at now: Instant, on connection: any Connection) throws {
        try connection.send("DELETE FROM console_links WHERE expires <= $1", [.integer(now.milliseconds)])
    }

    package static func delete(ofUser user: String, on connection: any Connection) throws {
        try connection.send("DELETE FROM console_links WHERE team_user = $1", [.text(user)])
    }
}
