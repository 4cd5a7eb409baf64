import Perennial

/// Accounts as sandbox testers: with names, with a number that stays, and without the accounts that testers left behind.
package enum TestersTable {
    package static func count(_ environment: StoreEnvironment.ID, on connection: any Connection) throws -> Int64 {
        try connection.first(
            "SELECT COUNT(*) FROM accounts WHERE environment = $1 AND cleared IS NULL", [.integer(environment.rawValue)]
        ) { try $0.integer(0) } ?? 0
    }

    /// Returns testers by their accounts' names.
    ///
    /// - Parameter offset: The number of testers before the first.
    package static func page(
        limit: Int, offset: Int, _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws -> [SandboxTester] {
        try connection.query(
            selectPage, [.integer(environment.rawValue), .integer(Int64(limit)), .integer(Int64(offset))], tester)
    }

    /// Returns the testers whose accounts' names come after one, by the names.
    ///
    /// - Parameter name: Empty for the first.
    package static func page(
        after name: String, limit: Int, _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws -> [SandboxTester] {
        try connection.query(
            selectAfter, [.integer(environment.rawValue), .text(name), .integer(Int64(limit))], tester)
    }

    /// Returns the testers whose accounts' names come after one, by the names, each with whether it uses one of some apps.
    ///
    /// - Parameter apps: The apps' numbers.
    package static func page(
        after name: String, limit: Int, usersOf apps: [Int64], _ environment: StoreEnvironment.ID,
        on connection: any Connection
    ) throws -> [(tester: SandboxTester, isUser: Bool)] {
        try connection.query(
            SQL(
                """
                SELECT \(columns), CAST((\(users(of: apps))) AS BIGINT) FROM accounts
                WHERE environment = $1 AND name > $2 AND cleared IS NULL ORDER BY name LIMIT $3
                """), [.integer(environment.rawValue), .text(name), .integer(Int64(limit))]
        ) { (tester: try tester($0), isUser: try $0.integer(AccountsTable.columnNames.count + 3) > 0) }
    }

    /// Returns true if an account uses one of some apps.
    ///
    /// - Parameter apps: The apps' numbers.
    package static func isUser(
        _ name: String, of apps: [Int64], _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws -> Bool {
        let count = try connection.first(
            SQL("SELECT CAST((\(users(of: apps))) AS BIGINT) FROM accounts WHERE environment = $1 AND name = $2"),
            [.integer(environment.rawValue), .text(name)]
        ) { try $0.integer(0) }
        return count ?? 0 > 0
    }

    /// Counts the rows of an account among the customers of apps, each found by its key.
    private static func users(of apps: [Int64]) -> String {
        let numbers = apps.isEmpty ? "NULL" : apps.map { "\($0)" }.joined(separator: ", ")
        return """
            SELECT COUNT(*) FROM customers WHERE customers.environment = accounts.environment \
            AND customers.account = accounts.id AND customers.app IN (\(numbers))
            """
    }

    /// Returns a tester by its number.
    package static func tester(
        _ id: Int64, _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws -> SandboxTester? {
        let key: [SQLValue] = [.integer(environment.rawValue), .integer(id)]
        return try connection.first(selectByNumber, key, tester) ?? connection.first(selectByAccount, key, tester)
    }

    /// Returns the tester of an account.
    package static func tester(
        of account: Account.ID, _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws -> SandboxTester? {
        try connection.first(
            selectOfAccount, [.integer(environment.rawValue), .integer(account.rawValue)], tester)
    }

    package static func setName(
        _ firstName: String?, _ lastName: String?, of account: Account.ID, _ environment: StoreEnvironment.ID,
        on connection: any Connection
    ) throws {
        try connection.send(
            "UPDATE accounts SET first_name = $1, last_name = $2 WHERE environment = $3 AND id = $4",
            [
                SQLValue(firstName), SQLValue(lastName), .integer(environment.rawValue), .integer(account.rawValue),
            ])
    }

    /// Gives a tester another account. The one before keeps everything that was bought with it, under another name.
    ///
    /// Devices with their sign-ins, and installed apps, are the next account's from now on.
    /// - Parameter next: The ID of the next account, which gets name, password and settings of the one before.
    package static func replaceAccount(
        of tester: SandboxTester, with next: Account.ID, at now: Instant, _ environment: StoreEnvironment.ID,
        on connection: any Connection
    ) throws {
        let (place, old) = (SQLValue.integer(environment.rawValue), tester.account)
        let password = try AccountsTable.password(of: old.id, environment, on: connection)
        try connection.send(
            "UPDATE accounts SET name = $1, cleared = $2, tester = NULL WHERE environment = $3 AND id = $4",
            [.text(old.nameAfterClearing()), .integer(now.milliseconds), place, .integer(old.id.rawValue)])
        var account = old
        account.id = next
        account.created = now
        try AccountsTable.insert(account, password: password, environment, on: connection)
        try connection.send(
            "UPDATE accounts SET first_name = $1, last_name = $2, tester = $3 WHERE environment = $4 AND id = $5",
            [
                SQLValue(tester.firstName), SQLValue(tester.lastName), .integer(tester.id), place,
                .integer(next.rawValue),
            ])
        for statement in moves {
            try connection.send(statement, [.integer(next.rawValue), place, .integer(old.id.rawValue)])
        }
    }

    private static let moves: [SQL] = [
        """
        INSERT INTO customers (account, environment, app, revision, joined)
        SELECT CAST($1 AS BIGINT), environment, app, 0, joined FROM customers WHERE environment = $2 AND account = $3
        """,
        "UPDATE devices SET account = $1 WHERE environment = $2 AND account = $3",
        "UPDATE app_installations SET account = $1 WHERE environment = $2 AND account = $3",
    ]

    private static let columns =
        "\(AccountsTable.columns), COALESCE(accounts.tester, accounts.id), accounts.first_name, accounts.last_name"
    private static let selectPage = SQL(
        """
        SELECT \(columns) FROM accounts WHERE environment = $1 AND cleared IS NULL ORDER BY name LIMIT $2 OFFSET $3
        """)
    private static let selectAfter = SQL(
        """
        SELECT \(columns) FROM accounts WHERE environment = $1 AND name > $2 AND cleared IS NULL ORDER BY name LIMIT $3
        """)
    private static let selectByNumber = SQL(
        "SELECT \(columns) FROM accounts WHERE environment = $1 AND tester = $2 AND cleared IS NULL")
    private static let selectByAccount = SQL(
        "SELECT \(columns) FROM accounts WHERE environment = $1 AND id = $2 AND tester IS NULL AND cleared IS NULL")
    private static let selectOfAccount = SQL(
        "SELECT \(columns) FROM accounts WHERE environment = $1 AND id = $2 AND cleared IS NULL")

    private static func tester(_ row: any Row) throws -> SandboxTester {
        let first = AccountsTable.columnNames.count
        return SandboxTester(
            id: try row.integer(first), account: try AccountsTable.account(row),
            firstName: try row.optionalText(first + 1), lastName: try row.optionalText(first + 2))
    }
}
