import Perennial

/// Emptying an environment in many short transactions.
///
/// The slices delete most of an environment before ``erase(_:on:)`` deletes the rest in one transaction, which is short then:
/// other environments, and on SQLite the one writer, wait for a slice at most. Until the end the environment is partly
/// emptied. So the slices begin with the devices, which can't buy any more then, and delete subscriptions before what they
/// refer to, so that renewals have nothing to do.
extension EnvironmentContents {
    /// The most rows that a slice deletes.
    package static let sliceSize = 1_000

    /// A table whose rows are deleted in slices.
    package struct Slice: Sendable {
        package let table: String
        fileprivate let delete: SQL
        /// Locks the rows in the order of all transactions, for tables whose rows others lock.
        fileprivate let lock: SQL?

        /// - Parameter key: The columns of the primary key after the environment.
        fileprivate init(_ table: String, _ key: String, isLockedInOrder: Bool = false) {
            self.table = table
            let rows = "SELECT \(key) FROM \(table) WHERE environment = $1 ORDER BY \(key) LIMIT $2"
            delete = SQL("DELETE FROM \(table) WHERE environment = $1 AND (\(key)) IN (\(rows))")
            lock = isLockedInOrder ? SQL("SELECT COUNT(*) FROM (\(rows) /*FOR UPDATE*/) AS locked") : nil
        }
    }

    /// The tables with rows for each purchase, customer or day, in the order in which they are emptied.
    package static let slices: [Slice] = [
        Slice("devices", "app, account, device"),
        Slice("app_installations", "app, account, device"),
        Slice("notifications", "app, position, part"),
        Slice("notification_contents", "app, position"),
        Slice("notification_responses", "app, position, part, attempt"),
        Slice("subscriptions", "app, original_id"),
        Slice("shared_purchases", "app, source, account"),
        Slice("signed_receipts", "app, account, device"),
        Slice("offer_nonces", "app, nonce"),
        Slice("offer_code_redemptions", "app, code, account"),
        Slice("pending_purchases", "app, id"),
        Slice("refund_requests", "app, transaction_id"),
        Slice("consumption_information", "app, transaction_id"),
        Slice("grants", "app, transaction_id"),
        Slice("purchase_requests", "app, account, key_digest"),
        Slice("transactions", "app, id"),
        Slice("postings", "app, position, line"),
        Slice("journal", "app, position"),
        Slice("advanced_commerce_requests", "app, reference"),
        Slice("family_members", "account"),
        Slice("customers", "app, account", isLockedInOrder: true),
        Slice("accounts", "id", isLockedInOrder: true),
        Slice("roll_up_devices", "app, generation, original_id, position"),
        Slice("sales_roll_up", "app, generation, grain, period, is_adjustment, digest"),
        Slice("subscription_stories", "app, generation, original_id"),
        Slice("subscription_standing_totals", "app, generation, day, standing"),
        Slice("subscription_standing_changes", "app, generation, day, standing"),
        Slice("subscription_standings", "app, generation, id"),
        Slice("subscription_events", "app, generation, day, document"),
        Slice("subscription_event_positions", "app, generation, day, digest, position"),
        Slice(
            "statistic_totals", "app, generation, measure, dimension, grain, period, value, bucket, currency"),
        Slice("statistic_entries", "app, generation, measure, day, position, bucket, currency"),
        Slice("statistic_customers", "app, generation, account"),
    ]

    /// The tables with many rows that ``eraseSettings(_:on:)`` empties as well: a batch may have a million codes.
    package static let slicesOfSettings: [Slice] = [Slice("offer_codes", "app, code")]

    /// Deletes the next rows of a table, at most ``sliceSize``.
    ///
    /// - Returns: True if more may be left.
    package static func erase(
        _ slice: Slice, _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws -> Bool {
        let values: [SQLValue] = [.integer(environment.rawValue), .integer(Int64(sliceSize))]
        if let lock = slice.lock { _ = try connection.first(lock, values) { try $0.integer(0) } }
        return try connection.execute(slice.delete, values) == sliceSize
    }
}
