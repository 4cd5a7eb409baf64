import Perennial

/// All that happened in an environment, without the environment itself.
package enum EnvironmentContents {
    /// Empties an environment: accounts, devices, purchases, journal and money; its clock, numbers and secret stay.
    ///
    /// What is under way there is waited for, and locked out until the commit, in the order in which everybody locks: the
    /// environment, its extensions of all subscribers, its customers, its journals' heads. A head that has gone keeps further
    /// entries out of its journal, so that none slips in between, whose place the next sale would need.
    package static func erase(_ environment: StoreEnvironment.ID, on connection: any Connection) throws {
        try EnvironmentsTable.lock(environment, on: connection)
        for statement in locks {
            _ = try connection.first(statement, [.integer(environment.rawValue)]) { try $0.integer(0) }
        }
        for statement in statements {
            try connection.execute(statement, [.integer(environment.rawValue)])
        }
    }

    /// What ``erase(_:on:)`` leaves: what was set for the environment, and offer codes that were made.
    package static func eraseSettings(_ environment: StoreEnvironment.ID, on connection: any Connection) throws {
        for statement in settings { try connection.execute(statement, [.integer(environment.rawValue)]) }
    }

    private static let settings: [SQL] = [
        "DELETE FROM environment_settings WHERE environment = $1",
        "DELETE FROM notification_settings WHERE environment = $1",
        "DELETE FROM notification_claims WHERE environment = $1",
        "DELETE FROM offer_codes WHERE environment = $1",
    ]

    private static let locks: [SQL] = [
        """
        SELECT COUNT(*) FROM (SELECT 1 FROM mass_extensions WHERE environment = $1
        ORDER BY requested, app, request_id /*FOR UPDATE*/) AS locked
        """,
        """
        SELECT COUNT(*) FROM (SELECT 1 FROM customers WHERE environment = $1
        ORDER BY app, account /*FOR UPDATE*/) AS locked
        """,
    ]

    private static let statements: [SQL] =
        ["DELETE FROM journal_heads WHERE environment = $1"]
        + ServerAPISchema.tables.map { SQL("DELETE FROM \($0) WHERE environment = $1") } + commerce

    private static let commerce: [SQL] = [
        "DELETE FROM notifications WHERE environment = $1",
        "DELETE FROM notification_contents WHERE environment = $1",
        "DELETE FROM signed_receipts WHERE environment = $1",
        "DELETE FROM shared_purchases WHERE environment = $1",
        "DELETE FROM family_members WHERE environment = $1",
        "DELETE FROM subscriptions WHERE environment = $1",
        "DELETE FROM offer_nonces WHERE environment = $1",
        "DELETE FROM offer_code_redemptions WHERE environment = $1",
        "DELETE FROM pending_purchases WHERE environment = $1",
        "DELETE FROM refund_requests WHERE environment = $1",
        "DELETE FROM mass_extensions WHERE environment = $1",
        "DELETE FROM postings WHERE environment = $1",
        "DELETE FROM journal WHERE environment = $1",
        "DELETE FROM purchase_requests WHERE environment = $1",
        "DELETE FROM transactions WHERE environment = $1",
        "DELETE FROM devices WHERE environment = $1",
        "DELETE FROM customers WHERE environment = $1",
        "DELETE FROM accounts WHERE environment = $1",
    ]
}
