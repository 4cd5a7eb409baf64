import Perennial

/// The console's audit log.
package enum ConsoleAuditTable {
    package static func insert(_ entry: AuditEntry, on connection: any Connection) throws {
        try connection.send(
            """
            INSERT INTO console_audit (at, id, actor, deed, path, address, outcome) VALUES ($1, $2, $3, $4, $5, $6, $7)
            """,
            [
                .integer(entry.at.milliseconds), .text(entry.id), .text(entry.actor), .text(entry.action),
                .text(entry.path), .text(entry.address), .text(entry.outcome.rawValue),
            ])
    }

    /// Returns entries, newest first.
    ///
    /// - Parameter place: The last entry of the page before; `nil` for the first page.
    package static func entries(
        before place: (at: Instant, id: String)?, limit: Int, on connection: any Connection
    ) throws -> [AuditEntry] {
        guard let place else {
            return try connection.query(
                """
                SELECT at, id, actor, deed, path, address, outcome FROM console_audit
                ORDER BY at DESC, id DESC LIMIT $1
                """, [.integer(Int64(limit))], entry)
        }
        return try connection.query(
            """
            SELECT at, id, actor, deed, path, address, outcome FROM console_audit
            WHERE (at, id) < ($1, $2) ORDER BY at DESC, id DESC LIMIT $3
            """, [.integer(place.at.milliseconds), .text(place.id), .integer(Int64(limit))], entry)
    }

    /// Deletes the entries before an instant, and the oldest beyond a number.
    package static func trim(
        before old: Instant, keeping maximum: Int, on connection: any Connection
    ) throws {
        try connection.send("DELETE FROM console_audit WHERE at < $1", [.integer(old.milliseconds)])
        let oldest = try connection.first(
            "SELECT at FROM console_audit ORDER BY at DESC, id DESC LIMIT 1 OFFSET $1", [.integer(Int64(maximum))]
        ) { try $0.integer(0) }
        guard let oldest else { return }
        try connection.send("DELETE FROM console_audit WHERE at <= $1", [.integer(oldest)])
    }

    private static func entry(_ row: any Row) throws -> AuditEntry {
        AuditEntry(
            at: try row.instant(0), id: try row.text(1), actor: try row.text(2), action: try row.text(3),
            path: try row.text(4), address: try row.text(5), outcome: try row.value(6))
    }
}
