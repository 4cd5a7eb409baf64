import Perennial

/// Customers' accounts.
package enum AccountsTable {
    /// Inserts an account, unless one of that name exists.
    package static func insert(
        _ account: Account, password: PasswordHash?, _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws {
        try connection.execute(
            """
            INSERT INTO accounts
            (environment, id, name, storefront, payment_method, can_make_payments, password, created,
            interrupts_purchases, renewal_rate, asks_to_buy)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) ON CONFLICT (environment, name) DO NOTHING
            """,
            [
                .integer(environment.rawValue), .integer(account.id.rawValue), .text(account.name),
                .text(account.storefront.rawValue), .text(account.paymentMethod.rawValue),
                SQLValue(account.canMakePayments), SQLValue(password?.text), .integer(account.created.milliseconds),
                SQLValue(account.interruptsPurchases), SQLValue(account.renewalRate?.rawValue),
                SQLValue(account.asksToBuy),
            ])
    }

    package static func update(
        _ account: Account, _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws {
        try connection.execute(
            """
            UPDATE accounts SET storefront = $1, payment_method = $2, can_make_payments = $3,
            interrupts_purchases = $4, renewal_rate = $5, asks_to_buy = $6 WHERE environment = $7 AND id = $8
            """,
            [
                .text(account.storefront.rawValue), .text(account.paymentMethod.rawValue),
                SQLValue(account.canMakePayments), SQLValue(account.interruptsPurchases),
                SQLValue(account.renewalRate?.rawValue), SQLValue(account.asksToBuy),
                .integer(environment.rawValue), .integer(account.id.rawValue),
            ])
    }

    /// Locks an account until the commit, so that it doesn't become the customer of another app meanwhile.
    ///
    /// Accounts are locked after customers (docs/architecture.md, "Order of locks").
    package static func lock(_ id: Account.ID, _ environment: StoreEnvironment.ID, on connection: any Connection) throws
    {
        _ = try connection.first(
            "SELECT id FROM accounts WHERE environment = $1 AND id = $2 /*FOR UPDATE*/",
            [.integer(environment.rawValue), .integer(id.rawValue)]
        ) { try $0.integer(0) }
    }

    package static func named(
        _ name: String, _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws -> Account? {
        try connection.first(
            selectNamed, [.integer(environment.rawValue), .text(name)], account)
    }

    package static func account(
        _ id: Account.ID, _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws -> Account? {
        try connection.first(
            selectOne, [.integer(environment.rawValue), .integer(id.rawValue)], account)
    }

    /// Returns an environment's accounts whose names begin with a prefix, by name in the order of bytes.
    ///
    /// - Parameter name: The name before the first one; `nil` for the beginning.
    package static func list(
        prefix: String = "", after name: String? = nil, limit: Int, _ environment: StoreEnvironment.ID,
        on connection: any Connection
    ) throws -> [Account] {
        // Names contain no NUL, so this is the next text after a name; and no character follows U+10FFFF.
        let next = name.map { $0 + "\u{1}" } ?? ""
        let first = next.utf8.lexicographicallyPrecedes(prefix.utf8) ? prefix : next
        return try connection.query(
            selectAll,
            [
                .integer(environment.rawValue), .text(first), .text(prefix + "\u{10FFFF}"), .integer(Int64(limit)),
            ], account)
    }

    /// Returns the hash of an account's password; `nil` if it has none.
    package static func password(
        of id: Account.ID, _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws -> PasswordHash? {
        try connection.first(
            "SELECT password FROM accounts WHERE environment = $1 AND id = $2",
            [.integer(environment.rawValue), .integer(id.rawValue)]
        ) { row -> PasswordHash? in
            guard let text = try row.optionalText(0) else { return nil }
            guard let password = PasswordHash(text: text) else {
                throw StorageError(.corrupt, "accounts", "a password is not in the form it is kept in")
            }
            return password
        } ?? nil
    }

    /// The columns that ``account(_:)`` reads, in order.
    static let columnNames = [
        "id", "name", "storefront", "payment_method", "can_make_payments", "created", "interrupts_purchases",
        "renewal_rate", "asks_to_buy",
    ]
    static let columns = columnNames.map { "accounts.\($0)" }.joined(separator: ", ")

    private static let selectOne = SQL("SELECT \(columns) FROM accounts WHERE environment = $1 AND id = $2")
    private static let selectAll = SQL(
        """
        SELECT \(columns) FROM accounts WHERE environment = $1 AND name /*COLLATE "C"*/ >= $2
        AND name /*COLLATE "C"*/ < $3 ORDER BY name /*COLLATE "C"*/ LIMIT $4
        """)
    private static let selectNamed = SQL("SELECT \(columns) FROM accounts WHERE environment = $1 AND name = $2")

    static func account(_ row: any Row) throws -> Account {
        Account(
            id: Account.ID(rawValue: try row.integer(0)), name: try row.text(1),
            storefront: Storefront(rawValue: try row.text(2)), paymentMethod: try row.value(3),
            canMakePayments: try row.bool(4), created: try row.instant(5), interruptsPurchases: try row.bool(6),
            renewalRate: try row.optionalText(7) == nil ? nil : row.value(7), asksToBuy: try row.bool(8))
    }
}
