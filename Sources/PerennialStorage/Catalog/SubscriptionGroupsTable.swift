import Perennial

/// The subscription groups of all apps, each with its definition as a document.
package enum SubscriptionGroupsTable {
    package struct Record: Sendable {
        package var app: Int64
        /// The ID in the app's products.
        package var id: String
        /// Unique among the groups of all apps: the ID, unless another app had a group with it before.
        package var key: String
        /// The catalog's revision of the last change.
        package var revision: Int64
        /// The group as JSON.
        package var definition: String

        package init(app: Int64, id: String, key: String, revision: Int64, definition: String) {
            self.app = app
            self.id = id
            self.key = key
            self.revision = revision
            self.definition = definition
        }

        fileprivate init(_ row: any Row) throws {
            app = try row.integer(0)
            id = try row.text(1)
            key = try row.text(2)
            revision = try row.integer(3)
            definition = try row.text(4)
        }
    }

    /// Writes a group. The caller raises the catalog's revision.
    package static func upsert(_ record: Record, on connection: any Connection) throws {
        try connection.send(
            """
            INSERT INTO subscription_groups (app, id, group_key, revision, definition) VALUES ($1, $2, $3, $4, $5)
            ON CONFLICT (app, id) DO UPDATE SET revision = excluded.revision, definition = excluded.definition
            """,
            [
                .integer(record.app), .text(record.id), .text(record.key), .integer(record.revision),
                .text(record.definition),
            ])
    }

    package static func delete(key: String, on connection: any Connection) throws {
        try connection.send("DELETE FROM subscription_groups WHERE group_key = $1", [.text(key)])
    }

    package static func record(key: String, on connection: any Connection) throws -> Record? {
        try connection.first(
            "SELECT app, id, group_key, revision, definition FROM subscription_groups WHERE group_key = $1",
            [.text(key)], Record.init)
    }

    /// Returns the key of a group by its ID in an app.
    package static func key(of id: String, app: Int64, on connection: any Connection) throws -> String? {
        try connection.first(
            "SELECT group_key FROM subscription_groups WHERE app = $1 AND id = $2", [.integer(app), .text(id)]
        ) { try $0.text(0) }
    }

    /// Returns the keys of an app's groups in ascending order.
    package static func keys(app: Int64, on connection: any Connection) throws -> [String] {
        try connection.query("SELECT group_key FROM subscription_groups WHERE app = $1", [.integer(app)]) {
            try $0.text(0)
        }.sorted()
    }

    /// Returns the keys of an app's groups whose IDs come after one, by their IDs.
    ///
    /// - Parameter id: Empty for the first.
    package static func keys(
        app: Int64, after id: String, limit: Int, on connection: any Connection
    ) throws -> [String] {
        try connection.query(
            "SELECT group_key FROM subscription_groups WHERE app = $1 AND id > $2 ORDER BY id LIMIT $3",
            [.integer(app), .text(id), .integer(Int64(limit))]
        ) { try $0.text(0) }
    }
}
