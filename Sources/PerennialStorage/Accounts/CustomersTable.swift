import Perennial

/// An account in an app, in an environment: the beginning of every key of commerce.
package struct CustomerKey: Hashable, Sendable {
    package var environment: StoreEnvironment.ID
    /// The app's number.
    package var app: Int64
    package var account: Account.ID

    package init(environment: StoreEnvironment.ID, app: Int64, account: Account.ID) {
        self.environment = environment
        self.app = app
        self.account = account
    }

    package var values: [SQLValue] {
        [.integer(environment.rawValue), .integer(app), .integer(account.rawValue)]
    }
}

/// A customer whose row is locked until the end of the transaction.
package struct LockedCustomer: Sendable {
    /// The revision of the customer's purchases.
    package var revision: Int64
    package var account: Account

    static let columns = "\(AccountsTable.columns), customers.revision"
    static let columnCount = AccountsTable.columnNames.count + 1
    /// The columns begin with the account's number.
    static let owner = AnnouncedRead.Owner(inTable: "customers", column: 0)

    init(_ row: any Row) throws {
        account = try AccountsTable.account(row)
        revision = try row.integer(Self.columnCount - 1)
    }
}

/// Accounts that use an app.
///
/// A change of a customer's purchases locks this row first: one customer's changes are serialised, different customers' aren't.
/// `CustomersTable+Order.swift` says how a change locks several.
package enum CustomersTable {
    /// Locks the customer and returns the revision of its purchases.
    package static func lock(_ key: CustomerKey, on connection: any Connection) throws -> Int64 {
        let revision = try connection.first(
            """
            SELECT revision FROM customers WHERE environment = $1 AND app = $2 AND account = $3 /*FOR UPDATE*/
            """, key.values
        ) { try $0.integer(0) }
        guard let revision else {
            throw StorageError(.corrupt, "customers", "account \(key.account.rawValue) has not joined app \(key.app)")
        }
        return revision
    }

    /// Locks the customer and returns the revision of its purchases with its account; `nil` for an account that is gone.
    package static func lockWithAccount(_ key: CustomerKey, on connection: any Connection) throws -> LockedCustomer? {
        try lockingWithAccount(key).first(on: connection, LockedCustomer.init)
    }

    /// The statement of ``lockWithAccount(_:on:)``.
    package static func lockingWithAccount(_ key: CustomerKey) -> AnnouncedRead {
        AnnouncedRead(lockWithAccount, key.values, owner: LockedCustomer.owner)
    }

    private static let lockWithAccount = SQL(
        """
        SELECT \(LockedCustomer.columns) FROM customers
        JOIN accounts ON accounts.environment = customers.environment AND accounts.id = customers.account
        WHERE customers.environment = $1 AND customers.app = $2 AND customers.account = $3 /*FOR UPDATE OF customers*/
        """)

    /// Inserts the row of an account that uses an app for the first time.
    ///
    /// A change of the account's family holds the account's row (``AccountsTable/lock(_:_:on:)``), and this waits for it: a
    /// change that has looked for the account's customers misses none.
    package static func join(_ key: CustomerKey, at now: Instant, on connection: any Connection) throws {
        try connection.execute(
            """
            INSERT INTO customers (environment, app, account, revision, joined)
            SELECT $1, $2, $3, 0, $4 FROM accounts WHERE accounts.environment = $1 AND accounts.id = $3
            AND NOT EXISTS (SELECT 1 FROM customers WHERE environment = $1 AND app = $2 AND account = $3)
            /*FOR KEY SHARE OF accounts*/ ON CONFLICT (environment, app, account) DO NOTHING
            """, key.values + [.integer(now.milliseconds)])
    }

    /// Returns the time of the account's first use of the app.
    package static func joined(_ key: CustomerKey, on connection: any Connection) throws -> Instant? {
        try connection.first(
            "SELECT joined FROM customers WHERE environment = $1 AND app = $2 AND account = $3", key.values
        ) { try $0.instant(0) }
    }

    /// Returns the revision of the customer's purchases; `nil` for an account that never used the app.
    package static func knownRevision(_ key: CustomerKey, on connection: any Connection) throws -> Int64? {
        try readingRevision(of: key).first(on: connection) { try $0.integer(0) }
    }

    /// The statement of ``knownRevision(_:on:)``.
    package static func readingRevision(of key: CustomerKey) -> AnnouncedRead {
        AnnouncedRead(
            "SELECT revision FROM customers WHERE environment = $1 AND app = $2 AND account = $3", key.values)
    }

    /// Returns the revision of the customer's purchases: 0 without any.
    package static func revision(_ key: CustomerKey, on connection: any Connection) throws -> Int64 {
        try knownRevision(key, on: connection) ?? 0
    }

    /// Returns the revision at which transactions of the customer were deleted last: 0 if none ever was.
    package static func deletedRevision(_ key: CustomerKey, on connection: any Connection) throws -> Int64 {
        try connection.first(
            "SELECT deleted_revision FROM customers WHERE environment = $1 AND app = $2 AND account = $3", key.values
        ) { try $0.integer(0) } ?? 0
    }

    /// Sets the revision of the customer's purchases, with which transactions were deleted.
    package static func setDeletedRevision(
        _ revision: Int64, _ key: CustomerKey, on connection: any Connection
    ) throws {
        try connection.execute(
            """
            UPDATE customers SET revision = $1, deleted_revision = $1
            WHERE environment = $2 AND app = $3 AND account = $4
            """, [.integer(revision)] + key.values)
    }

    package static func setRevision(_ revision: Int64, _ key: CustomerKey, on connection: any Connection) throws {
        try connection.send(
            "UPDATE customers SET revision = $1 WHERE environment = $2 AND app = $3 AND account = $4 /*only $4*/",
            [.integer(revision)] + key.values)
    }
}
