import Perennial

/// Apps' settings for server notifications, by environment.
package enum NotificationSettingsTable {
    package struct Record: Sendable, Equatable {
        package var url: String
        /// The version of notifications: 1 or 2.
        package var version: Int64
        /// The raw value of the retry schedule.
        package var retries: String
        /// The time limit of an attempt.
        package var timeoutMilliseconds: Int64
        /// Injected faults as JSON.
        package var faults: String?

        package init(url: String, version: Int64, retries: String, timeoutMilliseconds: Int64, faults: String?) {
            self.url = url
            self.version = version
            self.retries = retries
            self.timeoutMilliseconds = timeoutMilliseconds
            self.faults = faults
        }
    }

    /// An app in an environment that receives notifications.
    package struct Place: Sendable, Hashable {
        package var environment: StoreEnvironment.ID
        package var app: Int64
    }

    package static func put(
        _ record: Record, app: Int64, _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws {
        try connection.send(
            """
            INSERT INTO notification_settings (environment, app, url, version, retries, timeout, trouble)
            VALUES ($1, $2, $3, $4, $5, $6, $7)
            ON CONFLICT (environment, app) DO UPDATE SET url = excluded.url, version = excluded.version,
            retries = excluded.retries, timeout = excluded.timeout, trouble = excluded.trouble
            """,
            [
                .integer(environment.rawValue), .integer(app), .text(record.url), .integer(record.version),
                .text(record.retries), .integer(record.timeoutMilliseconds), SQLValue(record.faults),
            ])
    }

    package static func remove(
        app: Int64, _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws -> Bool {
        try connection.execute(
            "DELETE FROM notification_settings WHERE environment = $1 AND app = $2",
            [.integer(environment.rawValue), .integer(app)]) > 0
    }

    package static func record(
        app: Int64, _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws -> Record? {
        try connection.first(
            """
            SELECT url, version, retries, timeout, trouble FROM notification_settings
            WHERE environment = $1 AND app = $2
            """, [.integer(environment.rawValue), .integer(app)]
        ) { try record($0) }
    }

    /// Returns the settings of all apps in all environments.
    package static func all(on connection: any Connection) throws -> [(place: Place, record: Record)] {
        try connection.query(
            "SELECT url, version, retries, timeout, trouble, environment, app FROM notification_settings"
        ) { row in
            let environment = StoreEnvironment.ID(rawValue: try row.integer(5))
            return (Place(environment: environment, app: try row.integer(6)), try record(row))
        }
    }

    private static func record(_ row: any Row) throws -> Record {
        Record(
            url: try row.text(0), version: try row.integer(1), retries: try row.text(2),
            timeoutMilliseconds: try row.integer(3), faults: try row.optionalText(4))
    }

    package static func places(on connection: any Connection) throws -> [Place] {
        try connection.query("SELECT environment, app FROM notification_settings ORDER BY environment, app") { row in
            Place(environment: StoreEnvironment.ID(rawValue: try row.integer(0)), app: try row.integer(1))
        }
    }

    /// Returns the places that have due notifications.
    ///
    /// - Parameter wall: The time of environments that run on real time.
    package static func waiting(at wall: Instant, on connection: any Connection) throws -> [Place] {
        try connection.query(
            """
            SELECT s.environment, s.app FROM notification_settings s
            JOIN environments e ON e.id = s.environment
            WHERE EXISTS (SELECT 1 FROM notifications n
                WHERE n.environment = s.environment AND n.app = s.app
                AND n.next_attempt <= COALESCE(e.clock_now, $1))
            ORDER BY s.environment, s.app
            """, [.integer(wall.milliseconds)]
        ) { row in
            Place(environment: StoreEnvironment.ID(rawValue: try row.integer(0)), app: try row.integer(1))
        }
    }
}
