import Perennial

/// The users of the seller's team.
package enum TeamUsersTable {
    package static func insert(_ user: TeamUser, on connection: any Connection) throws {
        try connection.send(
            """
            INSERT INTO team_users (id, username, first_name, last_name, roles, all_apps_visible,
            provisioning_allowed, visible_apps, created)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
            """,
            [.text(user.id), .text(user.username), .text(user.firstName), .text(user.lastName)]
                + TeamColumns.values(user.access) + [.integer(user.created.milliseconds)])
    }

    /// Writes a user's access.
    package static func update(_ user: TeamUser, on connection: any Connection) throws {
        try connection.send(
            """
            UPDATE team_users SET roles = $1, all_apps_visible = $2, provisioning_allowed = $3, visible_apps = $4
            WHERE id = $5
            """, TeamColumns.values(user.access) + [.text(user.id)])
    }

    package static func delete(_ id: String, on connection: any Connection) throws {
        try connection.send("DELETE FROM team_users WHERE id = $1", [.text(id)])
    }

    package static func user(_ id: String, on connection: any Connection) throws -> TeamUser? {
        try connection.first(selectOne, [.text(id)], user)
    }

    package static func named(_ username: String, on connection: any Connection) throws -> TeamUser? {
        try connection.first(selectNamed, [.text(username)], user)
    }

    /// Returns all users, by their names.
    package static func all(on connection: any Connection) throws -> [TeamUser] {
        try connection.query(selectAll, [], user)
    }

    /// Returns the users whose names come after one, by their names.
    ///
    /// - Parameter username: Empty for the first.
    package static func page(
        after username: String, limit: Int, on connection: any Connection
    ) throws -> [TeamUser] {
        try connection.query(selectPage, [.text(username), .integer(Int64(limit))], user)
    }

    private static let columns = "id, username, first_name, last_name, created, \(TeamColumns.names)"
    private static let selectOne = SQL("SELECT \(columns) FROM team_users WHERE id = $1")
    private static let selectNamed = SQL("SELECT \(columns) FROM team_users WHERE username = $1")
    private static let selectAll = SQL("SELECT \(columns) FROM team_users ORDER BY username")
    private static let selectPage = SQL(
        "SELECT \(columns) FROM team_users WHERE username > $1 ORDER BY username LIMIT $2")

    private static func user(_ row: any Row) throws -> TeamUser {
        TeamUser(
            id: try row.text(0), username: try row.text(1), firstName: try row.text(2), lastName: try row.text(3),
            access: try TeamColumns.access(row, from: 5), created: try row.instant(4))
    }
}
