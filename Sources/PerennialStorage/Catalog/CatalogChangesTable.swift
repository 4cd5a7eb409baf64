import Perennial

/// The catalog's journal: who changed which resource, and which of its fields.
package enum CatalogChangesTable {
    /// An entry whose fields are text already.
    package struct Entry: Sendable {
        fileprivate let change: CatalogChange
        fileprivate let fields: String

        package init(_ change: CatalogChange) throws {
            self.change = change
            // Stored as a field, so that earlier versions read the entry as well.
            let file = change.importedFile.map { CatalogChange.Field(name: importedFileName, after: $0) }
            fields = try CatalogDocument.encode([file].compactMap(\.self) + change.fields)
        }
    }

    /// A name that no field of the catalog has.
    private static let importedFileName = "importedFile"

    package static func insert(_ entry: Entry, on connection: any Connection) throws {
        let change = entry.change
        try connection.send(
            """
            INSERT INTO catalog_changes (position, at, actor, app, subject, id, name, kind, fields)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
            """,
            [
                .integer(change.position), .integer(change.at.milliseconds), .text(change.actor.description),
                .integer(change.app), .text(change.subject.rawValue), .text(change.id), .text(change.name),
                .text(change.kind.rawValue), .text(entry.fields),
            ])
    }

    /// Returns entries of the journal, oldest first.
    /// - Parameter app: An app's Apple ID; `nil` for all apps.
    package static func changes(
        after position: Int64, limit: Int, app: Int64?, on connection: any Connection
    ) throws -> [CatalogChange] {
        if let app {
            return try connection.query(
                """
                SELECT position, at, actor, app, subject, id, name, kind, fields FROM catalog_changes
                WHERE app = $1 AND position > $2 ORDER BY position LIMIT $3
                """, [.integer(app), .integer(position), .integer(Int64(limit))], change)
        }
        return try connection.query(
            """
            SELECT position, at, actor, app, subject, id, name, kind, fields FROM catalog_changes
            WHERE position > $1 ORDER BY position LIMIT $2
            """, [.integer(position), .integer(Int64(limit))], change)
    }

    /// Returns the latest entries of one resource, newest first.
    /// - Parameters:
    ///   - position: Only entries before this one; `nil` for the newest.
    ///   - app: The Apple ID of the resource's app.
    package static func latest(
        of subject: CatalogChange.Subject, _ id: String, before position: Int64?, limit: Int, app: Int64,
        on connection: any Connection
    ) throws -> [CatalogChange] {
        try connection.query(
            """
            SELECT position, at, actor, app, subject, id, name, kind, fields FROM catalog_changes
            WHERE app = $1 AND position < $2 AND subject = $3 AND id = $4 ORDER BY position DESC LIMIT $5
            """,
            [
                .integer(app), .integer(position ?? .max), .text(subject.rawValue), .text(id),
                .integer(Int64(clamping: limit)),
            ], change)
    }

    /// Returns the latest entries of an app, newest first.
    /// - Parameter position: Only entries before this one; `nil` for the newest.
    package static func latest(
        app: Int64, before position: Int64?, limit: Int, on connection: any Connection
    ) throws -> [CatalogChange] {
        try connection.query(
            """
            SELECT position, at, actor, app, subject, id, name, kind, fields FROM catalog_changes
            WHERE app = $1 AND position < $2 ORDER BY position DESC LIMIT $3
            """, [.integer(app), .integer(position ?? .max), .integer(Int64(clamping: limit))], change)
    }

    private static func change(_ row: any Row) throws -> CatalogChange {
        let author = try row.text(2)
        guard let actor = CatalogActor(author) else {
            throw StorageError(.corrupt, "catalog_changes", "“\(author)” is no author of a change.")
        }
        var fields: [CatalogChange.Field] = try CatalogDocument.decode(from: try row.text(8))
        let file = fields.first.flatMap { $0.name == importedFileName ? $0.after : nil }
        if file != nil { fields.removeFirst() }
        return CatalogChange(
            position: try row.integer(0), at: try row.instant(1), actor: actor, app: try row.integer(3),
            subject: try row.value(4), id: try row.text(5), name: try row.text(6), kind: try row.value(7),
            fields: fields, importedFile: file)
    }
}
