import Perennial

/// API keys of sellers' servers, including revoked ones: an ID is never used twice.
package enum APIKeysTable {
    package static func insert(_ key: APIKey, on connection: any Connection) throws {
        try connection.send(
            """
            INSERT INTO api_keys (key_id, app, kind, issuer_id, public_key, created, revoked, roles, team_user)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
            """,
            [
                .text(key.id), .integer(key.app), .text(key.kind.rawValue), .text(key.issuerID), .blob(key.publicKey),
                .integer(key.created.milliseconds), SQLValue(key.revoked?.milliseconds),
                .text(key.roles.names.joined(separator: ",")), SQLValue(key.teamUser),
            ])
    }

    /// Records that a key was used.
    package static func recordUse(of id: String, at now: Instant, on connection: any Connection) throws {
        try connection.send(
            "UPDATE api_keys SET last_used = $1 WHERE key_id = $2", [.integer(now.milliseconds), .text(id)])
    }

    /// Revokes a key of an app or of the team, unless it is revoked already.
    package static func revoke(_ id: String, app: Int64, at now: Instant, on connection: any Connection) throws {
        try connection.send(
            "UPDATE api_keys SET revoked = $1 WHERE key_id = $2 AND app IN ($3, $4) AND revoked IS NULL",
            [.integer(now.milliseconds), .text(id), .integer(app), .integer(APIKey.team)])
    }

    /// Revokes the individual keys of a user who leaves the team.
    package static func revoke(ofUser user: String, at now: Instant, on connection: any Connection) throws {
        try connection.send(
            "UPDATE api_keys SET revoked = $1 WHERE team_user = $2 AND revoked IS NULL",
            [.integer(now.milliseconds), .text(user)])
    }

    package static func key(_ id: String, on connection: any Connection) throws -> APIKey? {
        try connection.first(selectOne, [.text(id)], key)
    }

    /// Returns the app of a key; `nil` for a revoked one.
    package static func app(ofValidKey id: String, on connection: any Connection) throws -> Int64? {
        try readingApp(ofValidKey: id).first(on: connection) { try $0.integer(0) }
    }

    /// The statement of ``app(ofValidKey:on:)``.
    package static func readingApp(ofValidKey id: String) -> AnnouncedRead {
        AnnouncedRead("SELECT app FROM api_keys WHERE key_id = $1 AND revoked IS NULL", [.text(id)])
    }

    /// Returns all keys of an app, oldest first, with those of the team.
    package static func all(of app: Int64, on connection: any Connection) throws -> [APIKey] {
        try connection.query(selectAll, [.integer(app), .integer(APIKey.team)], key)
    }

    /// Returns the keys of an app that were created after another key, oldest first.
    ///
    /// - Parameter last: `nil` for the first.
    package static func page(
        of app: Int64, after last: APIKey?, limit: Int, on connection: any Connection
    ) throws -> [APIKey] {
        try connection.query(
            selectPage,
            [
                .integer(app), .integer(last?.created.milliseconds ?? .min), .text(last?.id ?? ""),
                .integer(Int64(limit)),
            ], key)
    }

    /// Returns the issuer ID of this store's keys; `nil` before the first key.
    package static func issuerID(on connection: any Connection) throws -> String? {
        try connection.first("SELECT issuer_id FROM api_keys ORDER BY created, key_id LIMIT 1") { try $0.text(0) }
    }

    private static let columns = """
        key_id, app, kind, issuer_id, public_key, created, revoked, roles, last_used, team_user
        """
    private static let selectOne = SQL("SELECT \(columns) FROM api_keys WHERE key_id = $1")
    private static let selectAll = SQL(
        "SELECT \(columns) FROM api_keys WHERE app IN ($1, $2) ORDER BY created, key_id")

    private static let selectPage = SQL(
        """
        SELECT \(columns) FROM api_keys WHERE app = $1 AND (created, key_id) > ($2, $3)
        ORDER BY created, key_id LIMIT $4
        """)

    private static func key(_ row: any Row) throws -> APIKey {
        APIKey(
            id: try row.text(0), app: try row.integer(1), kind: try row.value(2), issuerID: try row.text(3),
            publicKey: try row.blob(4), created: try row.instant(5), revoked: try row.optionalInstant(6),
            roles: TeamColumns.roles(try row.optionalText(7) ?? ""),
            lastUsed: try row.optionalInstant(8), teamUser: try row.optionalText(9))
    }
}
