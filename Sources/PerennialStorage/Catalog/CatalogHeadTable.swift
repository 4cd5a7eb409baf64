/// The catalog's revision and counters: one row, whose lock orders the writers of the catalog.
package enum CatalogHeadTable {
    package struct Head: Hashable, Sendable {
        /// Raised with every change of the catalog.
        package var revision: Int64
        /// The position of the newest entry in the catalog's journal.
        package var position: Int64
        /// The next number for products, groups and offers.
        package var nextNumber: Int64
    }

    /// Returns the catalog's revision.
    package static func revision(on connection: any Connection) throws -> Int64 {
        try readingRevision.first(on: connection) { try $0.integer(0) } ?? 0
    }

    /// The statement of ``revision(on:)``.
    package static let readingRevision = AnnouncedRead("SELECT revision FROM catalog_head WHERE id = 1")

    /// Locks the catalog against other writers until the commit.
    package static func lock(on connection: any Connection) throws -> Head {
        try head("SELECT revision, position, next_number FROM catalog_head WHERE id = 1 /*FOR UPDATE*/", on: connection)
    }

    /// Returns the revision and counters, without a lock.
    package static func head(on connection: any Connection) throws -> Head {
        try head("SELECT revision, position, next_number FROM catalog_head WHERE id = 1", on: connection)
    }

    private static func head(_ statement: SQL, on connection: any Connection) throws -> Head {
        let head = try connection.first(statement) {
            Head(revision: try $0.integer(0), position: try $0.integer(1), nextNumber: try $0.integer(2))
        }
        guard let head else { throw StorageError(.corrupt, "catalog_head", "It has no row.") }
        return head
    }

    /// Writes the counters. The revision only grows: work in the same transaction may have raised it since the head was read,
    /// and a number that was given twice would stand for two catalogs in the caches.
    package static func update(_ head: Head, on connection: any Connection) throws {
        try connection.execute(
            """
            UPDATE catalog_head SET revision = CASE WHEN revision < $1 THEN $1 ELSE revision END, position = $2,
            next_number = $3 WHERE id = 1
            """,
            [.integer(head.revision), .integer(head.position), .integer(head.nextNumber)])
        connection.invalidateSnapshot()
    }

    /// Raises the revision and returns it.
    package static func raise(on connection: any Connection) throws -> Int64 {
        try connection.execute("UPDATE catalog_head SET revision = revision + 1 WHERE id = 1")
        connection.invalidateSnapshot()
        return try revision(on: connection)
    }
}
