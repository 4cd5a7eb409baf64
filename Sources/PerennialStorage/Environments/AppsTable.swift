import Perennial

/// The apps, each with its definition as one document, which is read and changed as a whole.
package enum AppsTable {
    package struct Record: Sendable {
        package var id: Int64
        package var bundleID: App.BundleID
        /// Incremented with every change of the definition.
        package var revision: Int64
        package var sharedSecret: String
        /// The app's definition as JSON.
        package var definition: String

        package init(id: Int64, bundleID: App.BundleID, revision: Int64, sharedSecret: String, definition: String) {
            self.id = id
            self.bundleID = bundleID
            self.revision = revision
            self.sharedSecret = sharedSecret
            self.definition = definition
        }
    }

    package static func upsert(_ record: Record, on connection: any Connection) throws {
        try connection.execute(
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

    /// Increments the revision of one app or of all, because data outside the definition has changed.
    package static func touch(_ id: Int64?, on connection: any Connection) throws {
        if let id {
            try connection.execute("UPDATE apps SET revision = revision + 1 WHERE id = $1", [.integer(id)])
        } else {
            try connection.execute("UPDATE apps SET revision = revision + 1", [])
        }
        connection.invalidateSnapshot()
    }

    package static func all(on connection: any Connection) throws -> [Record] {
        try connection.query(
            "SELECT id, bundle_id, revision, shared_secret, definition FROM apps ORDER BY id", [], record)
    }

    /// Returns the sum of all revisions, which increases whenever any app changes.
    package static func revision(on connection: any Connection) throws -> Int64 {
        try connection.first("SELECT CAST(COALESCE(SUM(revision), 0) AS BIGINT) FROM apps") { try $0.integer(0) } ?? 0
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
