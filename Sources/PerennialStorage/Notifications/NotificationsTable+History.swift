import Perennial

extension NotificationsTable {
    /// The notifications that a history includes.
    package struct Filter: Sendable, Hashable {
        package var from: Instant
        package var until: Instant
        package var type: String?
        /// A subtype of the type; `nil` for any.
        package var subtype: String?
        /// The customer; `nil` for all.
        package var account: Account.ID?
        /// True to include only notifications that haven't arrived.
        package var onlyFailures: Bool

        package init(
            from: Instant, until: Instant, type: String? = nil, subtype: String? = nil,
            account: Account.ID? = nil, onlyFailures: Bool = false
        ) {
            self.from = from
            self.until = until
            self.type = type
            self.subtype = subtype
            self.account = account
            self.onlyFailures = onlyFailures
        }
    }

    /// Returns notifications of version 2 after a position, in the order of their signatures.
    package static func history(
        _ filter: Filter, after cursor: PageCursor, limit: Int, app: Int64, _ environment: StoreEnvironment.ID,
        on connection: any Connection
    ) throws -> [NotificationRecord] {
        var conditions = """
            n.version = 2 AND n.environment = $1 AND n.app = $2 AND n.signed >= $3 AND n.signed <= $4 \
            AND (n.signed, n.position, n.part) > ($5, $6, $7)
            """
        var values: [SQLValue] = [
            .integer(environment.rawValue), .integer(app), .integer(filter.from.milliseconds),
            .integer(filter.until.milliseconds), .integer(cursor.due.milliseconds), .integer(cursor.key.position),
            .integer(cursor.key.part),
        ]
        func add(_ condition: String, _ value: SQLValue) {
            values.append(value)
            conditions += " AND n.\(condition) = $\(values.count)"
        }
        if let type = filter.type { add("type", .text(type)) }
        if let subtype = filter.subtype { add("subtype", .text(subtype)) }
        if let account = filter.account {
            add("account", .integer(account.rawValue))
            // Holds for every notification about a customer, and lets the index of subjects find the customer's few rows.
            conditions += """
                 AND n.original_id IN (SELECT t.original_id FROM transactions t \
                WHERE t.environment = $1 AND t.app = $2 AND t.account = $\(values.count))
                """
        }
        if filter.onlyFailures { conditions += " AND n.result IS NOT NULL AND n.result <> 'SUCCESS'" }
        values.append(.integer(Int64(limit)))
        return try connection.query(
            SQL(
                """
                \(select) WHERE \(conditions)
                ORDER BY n.signed, n.position, n.part LIMIT $\(values.count)
                """), values, record)
    }

    /// Returns the results of the newest notifications' last attempts; `nil` for one that wasn't attempted yet.
    package static func newestResults(
        limit: Int, app: Int64, _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws -> [String?] {
        try connection.query(
            """
            SELECT result FROM notifications WHERE environment = $1 AND app = $2
            ORDER BY signed DESC, position DESC, part DESC LIMIT $3
            """, [.integer(environment.rawValue), .integer(app), .integer(Int64(limit))]
        ) { try $0.optionalText(0) }
    }

    /// Returns the newest notifications, newest first, with any result.
    package static func newest(
        limit: Int, app: Int64, _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws -> [NotificationRecord] {
        try connection.query(
            SQL(
                """
                \(select) WHERE n.environment = $1 AND n.app = $2
                ORDER BY n.position DESC, n.part DESC LIMIT $3
                """), [.integer(environment.rawValue), .integer(app), .integer(Int64(limit))], record)
    }
}
