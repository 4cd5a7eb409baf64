import Perennial

extension SubscriptionsTable {
    /// A row of a list.
    package struct ListRow: Sendable {
        package var id: TransactionID
        /// `nil` if its document can't be read.
        package var subscription: Subscription?
    }

    /// Returns an app's subscriptions before an original transaction, those with the highest IDs first.
    ///
    /// - Parameter account: The customer; `nil` for all.
    package static func newest(
        before id: TransactionID, account: Account.ID?, limit: Int, app: Int64, _ environment: StoreEnvironment.ID,
        on connection: any Connection
    ) throws -> [ListRow] {
        var values: [SQLValue] = [.integer(environment.rawValue), .integer(app)]
        if let account { values.append(.integer(account.rawValue)) }
        values += [.integer(id.rawValue), .integer(Int64(limit))]
        return try connection.query(account == nil ? selectNewest : selectNewestOfAccount, values) { row in
            ListRow(
                id: TransactionID(rawValue: try row.integer(0)), subscription: try? subscription(row, 1))
        }
    }

    /// Returns the number of subscriptions due up to an instant, or the limit if there are more.
    package static func dueCount(
        until instant: Instant, limit: Int, _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws -> Int {
        let count = try connection.first(
            """
            SELECT COUNT(*) FROM (SELECT 1 FROM subscriptions
            WHERE environment = $1 AND due IS NOT NULL AND due <= $2 LIMIT $3) AS found
            """, [.integer(environment.rawValue), .integer(instant.milliseconds), .integer(Int64(limit))]
        ) { try $0.integer(0) }
        return Int(count ?? 0)
    }

    /// Returns the number of an app's subscriptions, or the limit if there are more.
    package static func count(
        limit: Int, app: Int64, _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws -> Int {
        try count(selectCount, limit: limit, app: app, environment, on: connection)
    }

    /// Returns the number of an app's subscriptions in quarantine, or the limit if there are more.
    package static func quarantineCount(
        limit: Int, app: Int64, _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws -> Int {
        try count(selectQuarantineCount, limit: limit, app: app, environment, on: connection)
    }

    private static func count(
        _ select: SQL, limit: Int, app: Int64, _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws -> Int {
        let values: [SQLValue] = [.integer(environment.rawValue), .integer(app), .integer(Int64(limit))]
        return Int(clamping: try connection.first(select, values) { try $0.integer(0) } ?? 0)
    }

    private static let selectCount: SQL = """
        SELECT COUNT(*) FROM (SELECT 1 FROM subscriptions WHERE environment = $1 AND app = $2 LIMIT $3) AS found
        """
    private static let selectQuarantineCount: SQL = """
        SELECT COUNT(*) FROM (SELECT 1 FROM subscriptions
        WHERE environment = $1 AND app = $2 AND quarantined IS NOT NULL LIMIT $3) AS found
        """
    private static let selectNewest: SQL = """
        SELECT original_id, document FROM subscriptions WHERE environment = $1 AND app = $2 AND original_id < $3
        ORDER BY original_id DESC LIMIT $4
        """
    private static let selectNewestOfAccount: SQL = """
        SELECT original_id, document FROM subscriptions
        WHERE environment = $1 AND app = $2 AND account = $3 AND original_id < $4 ORDER BY original_id DESC LIMIT $5
        """
}
