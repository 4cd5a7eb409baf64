import Perennial

/// The apps, each with its definition as one document. Its products have rows of their own (``ProductsTable``).
package enum AppsTable {
    package struct Record: Sendable {
        package var id: Int64
        package var bundleID: App.BundleID
        /// The catalog's revision of the last change of the app or of data that belongs to it.
        package var revision: Int64
        package var sharedSecret: String
        /// The app's definition as JSON, without products.
        package var definition: String

        package init(id: Int64, bundleID: App.BundleID, revision: Int64, sharedSecret: String, definition: String) {
            self.id = id
            self.bundleID = bundleID
            self.revision = revision
            self.sharedSecret = sharedSecret
            self.definition = definition
        }
    }

    /// Writes an app with the record's revision, which the caller has raised.
    package static func upsert(_ record: Record, on connection: any Connection) throws {
        try connection.send(
            """
            INSERT INTO apps (id, bundle_id, revision, shared_secret, definition) VALUES ($1, $2, $3, $4, $5)
            ON CONFLICT (id) DO UPDATE SET revision = excluded.revision, shared_secret = excluded.shared_secret,
            definition = excluded.definition
            """,
            [
                .integer(record.id), .text(record.bundleID.rawValue), .integer(record.revision),
                .text(record.sharedSecret), .text(record.definition),
            ])
        connection.invalidateSnapshot()
    }

    /// Raises the revision of one app or of all, because data outside the definition has changed.
    package static func touch(_ id: Int64?, on connection: any Connection) throws {
        let revision = try CatalogHeadTable.raise(on: connection)
        if let id {
            try connection.send(
                "UPDATE apps SET revision = $1 WHERE id = $2", [.integer(revision), .integer(id)])
        } else {
            try connection.send("UPDATE apps SET revision = $1", [.integer(revision)])
        }
    }

    package static func all(on connection: any Connection) throws -> [Record] {
        try connection.query(
            "SELECT id, bundle_id, revision, shared_secret, definition FROM apps ORDER BY id", [], record)
    }

    /// Returns the apps that have changed after a revision.
    package static func all(changedAfter revision: Int64, on connection: any Connection) throws -> [Record] {
        try connection.query(
            """
            SELECT id, bundle_id, revision, shared_secret, definition FROM apps WHERE revision > $1 ORDER BY id
            """, [.integer(revision)], record)
    }

    package static func record(_ id: Int64, on connection: any Connection) throws -> Record? {
        try connection.first(
            "SELECT id, bundle_id, revision, shared_secret, definition FROM apps WHERE id = $1", [.integer(id)], record)
    }

    private static func record(_ row: any Row) throws -> Record {
        Record(
            id: try row.integer(0), bundleID: App.BundleID(rawValue: try row.text(1)), revision: try row.integer(2),
            sharedSecret: try row.text(3), definition: try row.text(4))
    }
}

/// An app in an environment: the beginning of most keys.
package struct AppKey: Hashable, Sendable {
    package var environment: Int64
    package var app: Int64

    package init(environment: Int64, app: Int64) {
        self.environment = environment
        self.app = app
    }

    var values: [SQLValue] { [.integer(environment), .integer(app)] }
}
