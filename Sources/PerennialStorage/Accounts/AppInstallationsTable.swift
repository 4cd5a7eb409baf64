import Perennial

/// Apps on customers' devices, by which the store tells a first download from a re-download and an update.
package enum AppInstallationsTable {
    /// An installation with its customer and the time of its last change.
    package struct Record: Sendable, Equatable {
        package var customer: CustomerKey
        package var installation: AppInstallation
        package var changed: Instant

        package init(customer: CustomerKey, installation: AppInstallation, changed: Instant) {
            self.customer = customer
            self.installation = installation
            self.changed = changed
        }
    }

    package static func put(_ record: Record, on connection: any Connection) throws {
        let installation = record.installation
        try connection.send(
            """
            INSERT INTO app_installations
            (environment, app, account, device, family, version, is_installed, changed)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
            ON CONFLICT (environment, app, account, device) DO UPDATE SET
            family = COALESCE(excluded.family, app_installations.family), version = excluded.version,
            is_installed = excluded.is_installed, changed = excluded.changed
            """,
            record.customer.values + [
                .text(installation.device), SQLValue(installation.family?.rawValue), .text(installation.version),
                SQLValue(installation.isInstalled), .integer(record.changed.milliseconds),
            ])
    }

    /// Records that the app was removed from a device.
    package static func remove(
        from device: String, of customer: CustomerKey, at now: Instant, on connection: any Connection
    ) throws {
        try connection.send(
            """
            UPDATE app_installations SET is_installed = 0, changed = $1
            WHERE environment = $2 AND app = $3 AND account = $4 AND device = $5
            """, [.integer(now.milliseconds)] + customer.values + [.text(device)])
    }

    /// Returns all installations of a customer, also removed ones, by device.
    package static func all(of customer: CustomerKey, on connection: any Connection) throws -> [Record] {
        try connection.query(selectOfCustomer, customer.values) { try record($0, customer.environment) }
    }

    /// Returns installations of an app, by account and device.
    package static func list(
        limit: Int, app: Int64, _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws -> [Record] {
        try connection.query(
            selectOfApp, [.integer(environment.rawValue), .integer(app), .integer(Int64(limit))]
        ) { try record($0, environment) }
    }

    private static let selectOfCustomer = SQL(
        """
        SELECT \(columns) FROM app_installations
        WHERE environment = $1 AND app = $2 AND account = $3 ORDER BY device
        """)

    private static let selectOfApp = SQL(
        """
        SELECT \(columns) FROM app_installations WHERE environment = $1 AND app = $2 ORDER BY account, device LIMIT $3
        """)

    private static let columns = "app, account, device, family, version, is_installed, changed"

    private static func record(_ row: any Row, _ environment: StoreEnvironment.ID) throws -> Record {
        Record(
            customer: CustomerKey(
                environment: environment, app: try row.integer(0), account: Account.ID(rawValue: try row.integer(1))),
            installation: AppInstallation(
                device: try row.text(2), family: try row.optionalText(3).flatMap(DeviceFamily.init(rawValue:)),
                version: try row.text(4), isInstalled: try row.bool(5)),
            changed: try row.instant(6))
    }
}
