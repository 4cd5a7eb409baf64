import Perennial

/// Retention messages and their images.
package enum RetentionMessagesTable {
    package struct Record: Hashable, Sendable {
        /// A UUID in lower case.
        package var id: String
        package var state: String
        /// The uploaded message, as JSON.
        package var document: String

        package init(id: String, state: String, document: String) {
            self.id = id
            self.state = state
            self.document = document
        }
    }

    /// Inserts a message.
    /// - Returns: False if one with that ID exists.
    package static func insert(
        _ record: Record, images: Set<String>, at now: Instant, _ key: AppKey, on connection: any Connection
    ) throws -> Bool {
        let inserted = try connection.execute(
            """
            INSERT INTO retention_messages (environment, app, id, state, uploaded, document)
            VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (environment, app, id) DO NOTHING
            """,
            key.values + [
                .text(record.id), .text(record.state), .integer(now.milliseconds), .text(record.document),
            ])
        guard inserted > 0 else { return false }
        for image in images.sorted() {
            try connection.send(
                "INSERT INTO retention_message_images (environment, app, image, message) VALUES ($1, $2, $3, $4)",
                key.values + [.text(image), .text(record.id)])
        }
        return true
    }

    package static func count(_ key: AppKey, on connection: any Connection) throws -> Int64 {
        try connection.first(
            "SELECT COUNT(*) FROM retention_messages WHERE environment = $1 AND app = $2", key.values
        ) { try $0.integer(0) } ?? 0
    }

    package static func all(_ key: AppKey, limit: Int, on connection: any Connection) throws -> [Record] {
        try connection.query(
            """
            SELECT id, state, document FROM retention_messages
            WHERE environment = $1 AND app = $2 ORDER BY uploaded, id LIMIT $3
            """, key.values + [.integer(Int64(limit))], record)
    }

    package static func message(_ id: String, _ key: AppKey, on connection: any Connection) throws -> Record? {
        try connection.first(
            "SELECT id, state, document FROM retention_messages WHERE environment = $1 AND app = $2 AND id = $3",
            key.values + [.text(id)], record)
    }

    /// Returns true if a message shows the image.
    package static func isInUse(image: String, _ key: AppKey, on connection: any Connection) throws -> Bool {
        try connection.first(
            "SELECT 1 FROM retention_message_images WHERE environment = $1 AND app = $2 AND image = $3 LIMIT 1",
            key.values + [.text(image)]
        ) { try $0.integer(0) } != nil
    }

    /// Deletes a message and the defaults that refer to it.
    /// - Returns: False if there was none.
    package static func delete(_ id: String, _ key: AppKey, on connection: any Connection) throws -> Bool {
        for statement in deletions { try connection.execute(statement, key.values + [.text(id)]) }
        return try connection.execute(
            "DELETE FROM retention_messages WHERE environment = $1 AND app = $2 AND id = $3", key.values + [.text(id)])
            > 0
    }

    private static let deletions: [SQL] = [
        "DELETE FROM retention_message_images WHERE environment = $1 AND app = $2 AND message = $3",
        "DELETE FROM retention_defaults WHERE environment = $1 AND app = $2 AND message = $3",
    ]

    /// Sets the state of a message.
    /// - Returns: False if there is none.
    package static func setState(
        _ state: String, of id: String, _ key: AppKey, on connection: any Connection
    ) throws -> Bool {
        try connection.execute(
            "UPDATE retention_messages SET state = $1 WHERE environment = $2 AND app = $3 AND id = $4",
            [.text(state)] + key.values + [.text(id)]) > 0
    }

    private static func record(_ row: any Row) throws -> Record {
        Record(id: try row.text(0), state: try row.text(1), document: try row.text(2))
    }
}
