import Perennial

/// The definitions that the last imported file had: the common ancestor of a file and the catalog, from which both may
/// have departed.
package enum CatalogImportsTable {
    /// Returns an app's imported definitions as JSON, by ID.
    package static func definitions(
        _ subject: CatalogChange.Subject, app: Int64, on connection: any Connection
    ) throws -> [String: String] {
        let found = try connection.query(
            "SELECT id, definition FROM catalog_imports WHERE app = $1 AND subject = $2",
            [.integer(app), .text(subject.rawValue)]
        ) { (try $0.text(0), try $0.text(1)) }
        return Dictionary(found) { first, _ in first }
    }

    package static func put(
        _ definition: String, _ subject: CatalogChange.Subject, _ id: String, app: Int64,
        on connection: any Connection
    ) throws {
        try connection.send(
            """
            INSERT INTO catalog_imports (app, subject, id, definition) VALUES ($1, $2, $3, $4)
            ON CONFLICT (app, subject, id) DO UPDATE SET definition = excluded.definition
            """, [.integer(app), .text(subject.rawValue), .text(id), .text(definition)])
    }

    package static func remove(
        _ subject: CatalogChange.Subject, _ id: String, app: Int64, on connection: any Connection
    ) throws {
        try connection.send(
            "DELETE FROM catalog_imports WHERE app = $1 AND subject = $2 AND id = $3",
            [.integer(app), .text(subject.rawValue), .text(id)])
    }
}
