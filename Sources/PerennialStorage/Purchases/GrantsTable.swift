import Perennial

/// The authors and reasons of grants, by transaction.
package enum GrantsTable {
    package static func insert(
        _ note: GrantNote, of transaction: TransactionID, app: Int64, _ environment: StoreEnvironment.ID,
        on connection: any Connection
    ) throws {
        // An earlier version's node may empty an environment and leave its rows.
        try connection.send(
            """
            INSERT INTO grants (environment, app, transaction_id, actor, reason) VALUES ($1, $2, $3, $4, $5)
            ON CONFLICT (environment, app, transaction_id) DO UPDATE SET actor = excluded.actor,
            reason = excluded.reason
            """,
            [
                .integer(environment.rawValue), .integer(app), .integer(transaction.rawValue),
                .text(note.actor.description), SQLValue(note.reason),
            ])
    }

    /// Returns the note of a grant; `nil` for other sales, and for grants of versions that kept none.
    package static func note(
        of transaction: TransactionID, app: Int64, _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws -> GrantNote? {
        try connection.first(
            "SELECT actor, reason FROM grants WHERE environment = $1 AND app = $2 AND transaction_id = $3",
            [.integer(environment.rawValue), .integer(app), .integer(transaction.rawValue)]
        ) { row -> GrantNote in
            let text = try row.text(0)
            guard let actor = CatalogActor(text) else {
                throw StorageError(.corrupt, "grants", "“\(text)” is no author")
            }
            return GrantNote(actor: actor, reason: try row.optionalText(1))
        }
    }
}
