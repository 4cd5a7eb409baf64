import Perennial

/// Devices on which a customer has an app, each with the digest of its sign-in token.
package enum DevicesTable {
    package struct Record: Sendable, Equatable {
        package var customer: CustomerKey
        /// The app's `identifierForVendor`, an upper-case UUID.
        package var device: String
        package var applicationVersion: String
        package var isInstalled: Bool
        /// `nil` if the device hasn't said it.
        package var family: DeviceFamily?

        package init(
            customer: CustomerKey, device: String, applicationVersion: String, isInstalled: Bool,
            family: DeviceFamily? = nil
        ) {
            self.customer = customer
            self.device = device
            self.applicationVersion = applicationVersion
            self.isInstalled = isInstalled
            self.family = family
        }
    }

    /// Inserts or updates a device. A device that doesn't say its family keeps the one that it has said before.
    package static func signIn(
        _ record: Record, tokenDigest: [UInt8], at now: Instant, on connection: any Connection
    ) throws {
        try connection.send(
            """
            INSERT INTO devices
            (environment, app, account, device, token_digest, application_version, is_installed, signed_in, family)
            VALUES ($1, $2, $3, $4, $5, $6, 1, $7, $8)
            ON CONFLICT (environment, app, account, device) DO UPDATE SET token_digest = excluded.token_digest,
            application_version = excluded.application_version, is_installed = 1, signed_in = excluded.signed_in,
            family = COALESCE(excluded.family, devices.family)
            """,
            record.customer.values + [
                .text(record.device), .blob(tokenDigest), .text(record.applicationVersion), .integer(now.milliseconds),
                SQLValue(record.family?.rawValue),
            ])
    }

    package static func device(
        tokenDigest: [UInt8], _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws -> Record? {
        try connection.first(selectByToken, [.integer(environment.rawValue), .blob(tokenDigest)]) {
            try record($0, environment)
        }
    }

    private static let selectByToken = SQL(
        "SELECT \(columns) FROM devices WHERE environment = $1 AND token_digest = $2")

    /// Returns the device with a token and its customer, locked; `nil` also if the account is gone.
    package static func lockCustomer(
        tokenDigest: [UInt8], _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws -> (device: Record, customer: LockedCustomer)? {
        try lockingCustomer(tokenDigest: tokenDigest, environment).first(on: connection) { row in
            (try record(row, environment, from: LockedCustomer.columnCount), try LockedCustomer(row))
        }
    }

    /// The statement of ``lockCustomer(tokenDigest:_:on:)``.
    package static func lockingCustomer(tokenDigest: [UInt8], _ environment: StoreEnvironment.ID) -> AnnouncedRead {
        AnnouncedRead(
            lockCustomer, [.integer(environment.rawValue), .blob(tokenDigest)], owner: LockedCustomer.owner)
    }

    private static let lockCustomer = SQL(
        """
        SELECT \(LockedCustomer.columns), \(columns) FROM devices
        JOIN customers ON customers.environment = devices.environment AND customers.app = devices.app
        AND customers.account = devices.account
        JOIN accounts ON accounts.environment = devices.environment AND accounts.id = devices.account
        WHERE devices.environment = $1 AND devices.token_digest = $2 /*FOR UPDATE OF customers*/
        """)

    private static let columns = """
        devices.app, devices.account, devices.device, devices.application_version, devices.is_installed, devices.family
        """

    private static func record(
        _ row: any Row, _ environment: StoreEnvironment.ID, from first: Int = 0
    ) throws -> Record {
        Record(
            customer: CustomerKey(
                environment: environment, app: try row.integer(first),
                account: Account.ID(rawValue: try row.integer(first + 1))),
            device: try row.text(first + 2), applicationVersion: try row.text(first + 3),
            isInstalled: try row.bool(first + 4),
            family: try row.optionalText(first + 5).flatMap(DeviceFamily.init(rawValue:)))
    }

    /// Returns all devices on which the customer has or had the app.
    package static func all(of customer: CustomerKey, on connection: any Connection) throws -> [Record] {
        try connection.query(
            """
            SELECT device, application_version, is_installed FROM devices
            WHERE environment = $1 AND app = $2 AND account = $3 ORDER BY device
            """, customer.values
        ) { row in
            Record(
                customer: customer, device: try row.text(0), applicationVersion: try row.text(1),
                isInstalled: try row.bool(2))
        }
    }

    /// Returns a customer's devices with the time of each one's last sign-in, the newest first.
    package static func signIns(
        of customer: CustomerKey, on connection: any Connection
    ) throws -> [(device: Record, at: Instant)] {
        try connection.query(
            """
            SELECT device, application_version, is_installed, family, signed_in FROM devices
            WHERE environment = $1 AND app = $2 AND account = $3 ORDER BY signed_in DESC, device
            """, customer.values
        ) { row in
            let record = Record(
                customer: customer, device: try row.text(0), applicationVersion: try row.text(1),
                isInstalled: try row.bool(2), family: try row.optionalText(3).flatMap(DeviceFamily.init(rawValue:)))
            return (record, try row.instant(4))
        }
    }

    package static func uninstall(_ device: String, of customer: CustomerKey, on connection: any Connection) throws {
        try connection.send(
            """
            UPDATE devices SET is_installed = 0 WHERE environment = $1 AND app = $2 AND account = $3 AND device = $4
            """, customer.values + [.text(device)])
    }

    package static func countInstalled(_ customer: CustomerKey, on connection: any Connection) throws -> Int64 {
        try connection.first(
            """
            SELECT COUNT(*) FROM devices WHERE environment = $1 AND app = $2 AND account = $3 AND is_installed = 1
            """, customer.values
        ) { try $0.integer(0) } ?? 0
    }
}
