import Perennial

/// The contents of an environment, without the environment itself.
package enum EnvironmentContents {
    /// Deletes accounts, devices, purchases, journal and money of an environment; its clock, IDs and secret stay.
    ///
    /// Concurrent changes are waited for, and then blocked until the commit, so delete most rows before (``slices``). Locks are
    /// taken in the usual order: the environment, its mass extensions, its customers, its journal sequences. Deleting a journal's sequence first keeps out entries whose
    /// positions the next sale would use.
    ///
    /// - Parameter changesCatalog: True to lock the catalog as well, for a change in the same transaction.
    package static func erase(
        _ environment: StoreEnvironment.ID, changesCatalog: Bool = false, on connection: any Connection
    ) throws {
        try EnvironmentsTable.lock(environment, on: connection)
        _ = try connection.first(lockMassExtensions, [.integer(environment.rawValue)]) { try $0.integer(0) }
        if changesCatalog { _ = try CatalogHeadTable.lock(on: connection) }
        _ = try connection.first(lockCustomers, [.integer(environment.rawValue)]) { try $0.integer(0) }
        for statement in statements {
            try connection.execute(statement, [.integer(environment.rawValue)])
        }
    }

    /// Deletes the data that ``erase(_:on:)`` keeps: settings of the environment, and offer codes.
    package static func eraseSettings(_ environment: StoreEnvironment.ID, on connection: any Connection) throws {
        for statement in settings { try connection.execute(statement, [.integer(environment.rawValue)]) }
    }

    private static let settings: [SQL] = [
        "DELETE FROM environment_settings WHERE environment = $1",
        "DELETE FROM product_changes WHERE environment = $1",
        "DELETE FROM price_changes WHERE environment = $1",
        "DELETE FROM notification_settings WHERE environment = $1",
        "DELETE FROM leases WHERE environment = $1",
        "DELETE FROM offer_codes WHERE environment = $1",
        "DELETE FROM offer_code_batches WHERE environment = $1",
        "DELETE FROM finance_settings WHERE environment = $1",
        "DELETE FROM exchange_rates WHERE environment = $1",
        "DELETE FROM roll_up_generations WHERE environment = $1",
    ]

    private static let lockMassExtensions: SQL = """
        SELECT COUNT(*) FROM (SELECT 1 FROM mass_extensions WHERE environment = $1
        ORDER BY requested, app, request_id /*FOR UPDATE*/) AS locked
        """

    private static let lockCustomers: SQL = """
        SELECT COUNT(*) FROM (SELECT 1 FROM customers WHERE environment = $1
        ORDER BY app, account /*FOR UPDATE*/) AS locked
        """

    private static let statements: [SQL] =
        ["DELETE FROM journal_heads WHERE environment = $1"] + reports + serverAPI + finance + commerce
        + statistics

    /// A worker that has read the emptied journal finds no head to move on.
    private static let reports: [SQL] = [
        "DELETE FROM roll_up_heads WHERE environment = $1",
        "DELETE FROM roll_up_days WHERE environment = $1",
        "DELETE FROM roll_up_devices WHERE environment = $1",
        "DELETE FROM sales_roll_up WHERE environment = $1",
    ]

    private static let serverAPI: [SQL] = [
        "DELETE FROM consumption_information WHERE environment = $1",
        "DELETE FROM retention_images WHERE environment = $1",
        "DELETE FROM retention_messages WHERE environment = $1",
        "DELETE FROM retention_message_images WHERE environment = $1",
        "DELETE FROM retention_defaults WHERE environment = $1",
        "DELETE FROM retention_urls WHERE environment = $1",
        "DELETE FROM retention_tests WHERE environment = $1",
        "DELETE FROM advanced_commerce_requests WHERE environment = $1",
        "DELETE FROM analytics_requests WHERE environment = $1",
    ]

    private static let finance: [SQL] = [
        "DELETE FROM finance_adjustments WHERE environment = $1",
        "DELETE FROM closed_months WHERE environment = $1",
        "DELETE FROM closed_month_positions WHERE environment = $1",
        "DELETE FROM closing_lines WHERE environment = $1",
        "DELETE FROM payouts WHERE environment = $1",
    ]

    private static let commerce: [SQL] = [
        "DELETE FROM notifications WHERE environment = $1",
        "DELETE FROM notification_contents WHERE environment = $1",
        "DELETE FROM notification_responses WHERE environment = $1",
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
        "DELETE FROM grants WHERE environment = $1",
        "DELETE FROM purchase_requests WHERE environment = $1",
        "DELETE FROM transactions WHERE environment = $1",
        "DELETE FROM app_installations WHERE environment = $1",
        "DELETE FROM devices WHERE environment = $1",
        "DELETE FROM customers WHERE environment = $1",
        "DELETE FROM accounts WHERE environment = $1",
    ]

    private static let statistics: [SQL] = [
        "DELETE FROM subscription_stories WHERE environment = $1",
        "DELETE FROM subscription_standings WHERE environment = $1",
        "DELETE FROM subscription_standing_changes WHERE environment = $1",
        "DELETE FROM subscription_standing_weeks WHERE environment = $1",
        "DELETE FROM subscription_standing_totals WHERE environment = $1",
        "DELETE FROM subscription_events WHERE environment = $1",
        "DELETE FROM subscription_event_positions WHERE environment = $1",
        "DELETE FROM statistic_totals WHERE environment = $1",
        "DELETE FROM statistic_entries WHERE environment = $1",
        "DELETE FROM statistic_customers WHERE environment = $1",
    ]
}
