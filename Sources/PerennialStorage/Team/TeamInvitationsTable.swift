import Perennial

/// Invitations to the seller's team.
package enum TeamInvitationsTable {
    package static func insert(_ invitation: TeamInvitation, on connection: any Connection) throws {
        try connection.send(
            """
            INSERT INTO team_invitations (id, email, first_name, last_name, roles, all_apps_visible,
            provisioning_allowed, visible_apps, expires)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
            """,
            [
                .text(invitation.id), .text(invitation.email), .text(invitation.firstName),
                .text(invitation.lastName),
            ] + TeamColumns.values(invitation.access) + [.integer(invitation.expires.milliseconds)])
    }

    package static func delete(_ id: String, on connection: any Connection) throws {
        try connection.send("DELETE FROM team_invitations WHERE id = $1", [.text(id)])
    }

    /// Deletes the invitations that can't be accepted any more.
    package static func deleteExpired(at now: Instant, on connection: any Connection) throws {
        try connection.send("DELETE FROM team_invitations WHERE expires <= $1", [.integer(now.milliseconds)])
    }

    /// Returns the invitations that can be accepted, by their addresses.
    package static func valid(at now: Instant, on connection: any Connection) throws -> [TeamInvitation] {
        try connection.query(selectValid, [.integer(now.milliseconds)], invitation)
    }

    /// Returns the invitations that can be accepted and whose addresses come after one, by their addresses.
    ///
    /// - Parameter email: Empty for the first.
    package static func valid(
        after email: String, limit: Int, at now: Instant, on connection: any Connection
    ) throws -> [TeamInvitation] {
        try connection.query(
            selectPage, [.text(email), .integer(now.milliseconds), .integer(Int64(limit))], invitation)
    }

    private static let columns = "id, email, first_name, last_name, expires, \(TeamColumns.names)"
    private static let selectValid = SQL(
        "SELECT \(columns) FROM team_invitations WHERE expires > $1 ORDER BY email")
    private static let selectPage = SQL(
        "SELECT \(columns) FROM team_invitations WHERE email > $1 AND expires > $2 ORDER BY email LIMIT $3")

    private static func invitation(_ row: any Row) throws -> TeamInvitation {
        TeamInvitation(
            id: try row.text(0), email: try row.text(1), firstName: try row.text(2), lastName: try row.text(3),
            access: try TeamColumns.access(row, from: 5), expires: try row.instant(4))
    }
}
