import Perennial

/// Review submissions, as documents.
package enum ReviewSubmissionsTable {
    package static func upsert(
        _ submission: ReviewSubmission, number: Int64, on connection: any Connection
    ) throws {
        try connection.send(
            """
            INSERT INTO review_submissions (id, app, number, is_open, definition) VALUES ($1, $2, $3, $4, $5)
            ON CONFLICT (id) DO UPDATE SET is_open = excluded.is_open, definition = excluded.definition
            """,
            [
                .text(submission.id), .integer(submission.app), .integer(number), .integer(submission.isOpen ? 1 : 0),
                .text(try CatalogDocument.encode(submission)),
            ])
    }

    package static func submission(_ id: String, on connection: any Connection) throws -> ReviewSubmission? {
        try connection.first(
            "SELECT definition FROM review_submissions WHERE id = $1", [.text(id)]
        ) { try $0.text(0) }.map { try CatalogDocument.decode(from: $0) }
    }

    /// Returns the submissions of an app, oldest first.
    package static func submissions(app: Int64, on connection: any Connection) throws -> [ReviewSubmission] {
        try connection.query(
            "SELECT definition FROM review_submissions WHERE app = $1 ORDER BY number", [.integer(app)]
        ) { try $0.text(0) }.map { try CatalogDocument.decode(from: $0) }
    }

    /// Returns the submissions whose review hasn't ended, of all apps, oldest first.
    package static func open(limit: Int, on connection: any Connection) throws -> [ReviewSubmission] {
        try connection.query(
            "SELECT definition FROM review_submissions WHERE is_open = 1 ORDER BY number LIMIT $1",
            [.integer(Int64(limit))]
        ) { try $0.text(0) }.map { try CatalogDocument.decode(from: $0) }
    }

    /// The place of an open submission in the list of all apps.
    package struct Place: Sendable {
        package var number: Int64
        package var app: Int64
    }

    /// Returns the places of the submissions after a number whose review hasn't ended, of all apps, oldest first.
    package static func openPlaces(
        after number: Int64, limit: Int, on connection: any Connection
    ) throws -> [Place] {
        try connection.query(
            "SELECT number, app FROM review_submissions WHERE is_open = 1 AND number > $1 ORDER BY number LIMIT $2",
            [.integer(number), .integer(Int64(limit))]
        ) { Place(number: try $0.integer(0), app: try $0.integer(1)) }
    }

    /// Returns an app's submission by its number.
    package static func submission(
        number: Int64, app: Int64, on connection: any Connection
    ) throws -> ReviewSubmission? {
        try connection.first(
            "SELECT definition FROM review_submissions WHERE app = $1 AND number = $2",
            [.integer(app), .integer(number)]
        ) { try $0.text(0) }.map { try CatalogDocument.decode(from: $0) }
    }
}

/// The mode of reviews: one row, or none for the default.
package enum ReviewSettingsTable {
    package static func mode(on connection: any Connection) throws -> ReviewMode {
        try connection.first("SELECT mode FROM review_settings WHERE id = 1") { try $0.value(0) } ?? .automatic
    }

    package static func set(_ mode: ReviewMode, on connection: any Connection) throws {
        try connection.send(
            """
            INSERT INTO review_settings (id, mode) VALUES (1, $1)
            ON CONFLICT (id) DO UPDATE SET mode = excluded.mode
            """, [.text(mode.rawValue)])
    }
}
