import Perennial

/// Images of retention messages.
package enum RetentionImagesTable {
    package struct Record: Hashable, Sendable {
        /// A UUID in lower case.
        package var id: String
        package var size: String
        package var state: String

        package init(id: String, size: String, state: String) {
            self.id = id
            self.size = size
            self.state = state
        }
    }

    /// Inserts an image.
    /// - Returns: False if one with that ID exists.
    package static func insert(
        _ record: Record, content: [UInt8], at now: Instant, _ key: AppKey, on connection: any Connection
    ) throws -> Bool {
        try connection.execute(
            """
            INSERT INTO retention_images (environment, app, id, size, state, uploaded, content)
            VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (environment, app, id) DO NOTHING
            """,
            key.values + [
                .text(record.id), .text(record.size), .text(record.state), .integer(now.milliseconds), .blob(content),
            ]) > 0
    }

    package static func count(_ key: AppKey, on connection: any Connection) throws -> Int64 {
        try connection.first(
            "SELECT COUNT(*) FROM retention_images WHERE environment = $1 AND app = $2", key.values
        ) { try $0.integer(0) } ?? 0
    }

    package static func all(_ key: AppKey, limit: Int, on connection: any Connection) throws -> [Record] {
        try connection.query(
            """
            SELECT id, size, state FROM retention_images
            WHERE environment = $1 AND app = $2 ORDER BY uploaded, id LIMIT $3
            """, key.values + [.integer(Int64(limit))], record)
    }

    package static func image(_ id: String, _ key: AppKey, on connection: any Connection) throws -> Record? {
        try connection.first(
            "SELECT id, size, state FROM retention_images WHERE environment = $1 AND app = $2 AND id = $3",
            key.values + [.text(id)], record)
    }

    package static func content(_ id: String, _ key: AppKey, on connection: any Connection) throws -> [UInt8]? {
        try connection.first(
            "SELECT content FROM retention_images WHERE environment = $1 AND app = $2 AND id = $3",
            key.values + [.text(id)]
        ) { try $0.blob(0) }
    }

    /// Deletes an image.
    /// - Returns: False if there was none.
    package static func delete(_ id: String, _ key: AppKey, on connection: any Connection) throws -> Bool {
        try connection.execute(
            "DELETE FROM retention_images WHERE environment = $1 AND app = $2 AND id = $3", key.values + [.text(id)])
            > 0
    }

    /// Sets the state of an image.
    /// - Returns: False if there is none.
    package static func setState(
        _ state: String, of id: String, _ key: AppKey, on connection: any Connection
    ) throws -> Bool {
        try connection.execute(
            "UPDATE retention_images SET state = $1 WHERE environment = $2 AND app = $3 AND id = $4",
            [.text(state)] + key.values + [.text(id)]) > 0
    }

    private static func record(_ row: any Row) throws -> Record {
        Record(id: try row.text(0), size: try row.text(1), state: try row.text(2))
    }
}
