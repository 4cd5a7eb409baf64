import Perennial

/// The seller's requests for analytics reports, at most one of each kind for an app.
package enum AnalyticsRequestsTable {
    /// Adds a request.
    /// - Returns: False if the app has one of its kind.
    package static func insert(
        _ request: AnalyticsRequest, _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws -> Bool {
        try connection.execute(
            """
            INSERT INTO analytics_requests (environment, id, app, access_type, created) VALUES ($1, $2, $3, $4, $5)
            ON CONFLICT (environment, app, access_type) DO NOTHING
            """,
            [
                .integer(environment.rawValue), .text(request.id), .integer(request.app),
                .text(request.access.rawValue), .integer(request.created.milliseconds),
            ]) > 0
    }

    package static func request(
        _ id: String, _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws -> AnalyticsRequest? {
        try connection.first(
            "SELECT id, app, access_type, created FROM analytics_requests WHERE environment = $1 AND id = $2",
            [.integer(environment.rawValue), .text(id)], request)
    }

    /// Returns an app's requests, oldest first.
    package static func all(
        of app: Int64, _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws -> [AnalyticsRequest] {
        try connection.query(
            """
            SELECT id, app, access_type, created FROM analytics_requests WHERE environment = $1 AND app = $2
            ORDER BY created, access_type
            """, [.integer(environment.rawValue), .integer(app)], request)
    }

    /// - Returns: False if there is no such request.
    package static func delete(
        _ id: String, _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws -> Bool {
        try connection.execute(
            "DELETE FROM analytics_requests WHERE environment = $1 AND id = $2",
            [.integer(environment.rawValue), .text(id)]) > 0
    }

    private static func request(_ row: any Row) throws -> AnalyticsRequest {
        AnalyticsRequest(
            id: try row.text(0), app: try row.integer(1), access: try row.value(2), created: try row.instant(3))
    }
}
