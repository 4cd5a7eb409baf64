import Perennial

/// Server notifications, in the order of their journal entries.
package enum NotificationsTable {
    package static func insert(
        _ records: [NotificationRecord], app: Int64, _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws {
        try rows.run(records, on: connection) { record, values in
            values += [
                .integer(environment.rawValue), .integer(app), .integer(record.key.position),
                .integer(record.key.part), .text(record.uuid), .integer(record.version), .text(record.type),
                SQLValue(record.subtype), .integer(record.account.rawValue), SQLValue(record.originalID?.rawValue),
                SQLValue(record.transactionID?.rawValue), .integer(record.signed.milliseconds),
                SQLValue(record.signatures), .text(NotificationRecord.Attempt.text(record.attempts)),
                SQLValue(record.attempts.last?.result), SQLValue(record.nextAttempt?.milliseconds),
            ]
        }
    }

    private static let rows = BatchInsert(
        into: "notifications",
        [
            "environment", "app", "position", "part", "uuid", "version", "type", "subtype", "account", "original_id",
            "transaction_id", "signed", "signatures", "attempts", "result", "next_attempt",
        ])

    /// Writes the result of an attempt.
    package static func update(
        _ record: NotificationRecord, app: Int64, _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws {
        try connection.send(
            """
            UPDATE notifications SET signatures = $1, attempts = $2, result = $3, next_attempt = $4
            WHERE environment = $5 AND app = $6 AND position = $7 AND part = $8
            """,
            [
                SQLValue(record.signatures), .text(NotificationRecord.Attempt.text(record.attempts)),
                SQLValue(record.attempts.last?.result), SQLValue(record.nextAttempt?.milliseconds),
                .integer(environment.rawValue), .integer(app), .integer(record.key.position),
                .integer(record.key.part),
            ])
    }

    /// The end of a page of notifications.
    package struct PageCursor: Sendable {
        package var due: Instant
        package var key: NotificationRecord.Key

        package init(due: Instant, key: NotificationRecord.Key) {
            self.due = due
            self.key = key
        }

        package static let beginning = PageCursor(
            due: Instant(milliseconds: .min), key: NotificationRecord.Key(position: 0, part: 0))
    }

    /// Returns due notifications after a position, soonest first.
    package static func due(
        until instant: Instant, after cursor: PageCursor, limit: Int, app: Int64, _ environment: StoreEnvironment.ID,
        on connection: any Connection
    ) throws -> [NotificationRecord] {
        try connection.query(
            selectDue,
            [
                .integer(environment.rawValue), .integer(app), .integer(instant.milliseconds),
                .integer(cursor.due.milliseconds), .integer(cursor.key.position), .integer(cursor.key.part),
                .integer(Int64(limit)),
            ], record)
    }

    /// Returns true if the app has due notifications.
    package static func hasDue(
        until instant: Instant, app: Int64, _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws -> Bool {
        try connection.first(
            "SELECT 1 FROM notifications WHERE environment = $1 AND app = $2 AND next_attempt <= $3 LIMIT 1",
            [.integer(environment.rawValue), .integer(app), .integer(instant.milliseconds)]
        ) { _ in true } ?? false
    }

    /// Returns the time of the next attempt in an environment.
    ///
    /// - Parameter instant: Attempts up to this time are ignored.
    package static func nextDue(
        after instant: Instant?, _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws -> Instant? {
        try connection.first(
            """
            SELECT MIN(n.next_attempt) FROM notification_settings s
            JOIN notifications n ON n.environment = s.environment AND n.app = s.app AND n.next_attempt > $1
            WHERE s.environment = $2
            """, [.integer(instant?.milliseconds ?? .min), .integer(environment.rawValue)]
        ) { try $0.optionalInstant(0) } ?? nil
    }

    /// Brings forward the first attempts of delayed notifications.
    ///
    /// - Parameter originalID: The subscription or purchase; `nil` for all.
    /// - Returns: True if any was delayed for longer.
    @discardableResult
    package static func reschedule(
        of originalID: TransactionID? = nil, to instant: Instant, app: Int64, _ environment: StoreEnvironment.ID,
        on connection: any Connection
    ) throws -> Bool {
        var values: [SQLValue] = [
            .integer(instant.milliseconds), .integer(environment.rawValue), .integer(app),
        ]
        var condition = ""
        if let originalID {
            values.append(.integer(originalID.rawValue))
            condition = " AND original_id = $4"
        }
        return try connection.execute(
            SQL(
                """
                UPDATE notifications SET next_attempt = $1
                WHERE environment = $2 AND app = $3 AND next_attempt > $1 AND attempts = ''\(condition)
                """), values) > 0
    }

    /// Cancels pending notifications, because the app has no URL any more.
    package static func cancelPending(app: Int64, _ environment: StoreEnvironment.ID, on connection: any Connection)
        throws
    {
        try connection.send(
            """
            UPDATE notifications SET next_attempt = NULL
            WHERE environment = $1 AND app = $2 AND next_attempt IS NOT NULL
            """, [.integer(environment.rawValue), .integer(app)])
    }

    /// The properties of a subscription's or purchase's newest notification on which the next one depends.
    package struct Newest: Sendable, Equatable {
        package var signed: Instant
        /// The time of the first attempt, until it is made.
        package var due: Instant?

        package init(signed: Instant, due: Instant?) {
            self.signed = signed
            self.due = due
        }
    }

    package static func newest(
        of originalID: TransactionID, app: Int64, _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws -> Newest? {
        try connection.first(
            """
            SELECT /*only $3*/ signed, CASE WHEN attempts = '' THEN next_attempt END FROM notifications
            WHERE environment = $1 AND app = $2 AND original_id = $3 ORDER BY signed DESC LIMIT 1
            """, [.integer(environment.rawValue), .integer(app), .integer(originalID.rawValue)]
        ) { Newest(signed: try $0.instant(0), due: try $0.optionalInstant(1)) }
    }

    package static func record(
        at key: NotificationRecord.Key, app: Int64, _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws -> NotificationRecord? {
        try connection.first(
            selectOne,
            [.integer(environment.rawValue), .integer(app), .integer(key.position), .integer(key.part)], record)
    }

    /// Returns the notification of a subscription that precedes another.
    package static func last(
        before key: NotificationRecord.Key, of originalID: TransactionID, app: Int64,
        _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws -> NotificationRecord? {
        try connection.first(
            selectBefore,
            [
                .integer(environment.rawValue), .integer(app), .integer(originalID.rawValue),
                .integer(key.position), .integer(key.part),
            ], record)
    }

    package static func record(
        uuid: String, app: Int64, _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws -> NotificationRecord? {
        try connection.first(
            selectByUUID, [.integer(environment.rawValue), .text(uuid), .integer(app)], record)
    }

    /// Deletes notifications that are too old for a history, with their contents and responses.
    package static func purge(
        before instant: Instant, app: Int64, _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws {
        let count = try connection.execute(
            """
            DELETE FROM notifications
            WHERE environment = $1 AND app = $2 AND signed < $3 AND next_attempt IS NULL
            """, [.integer(environment.rawValue), .integer(app), .integer(instant.milliseconds)])
        guard count > 0 else { return }
        try NotificationContentsTable.purge(app: app, environment, on: connection)
        try NotificationResponsesTable.purge(app: app, environment, on: connection)
    }

    /// Selects notifications with their contents. The left join makes the planner start from the notifications.
    static let select = """
        SELECT n.position, n.part, n.uuid, n.version, n.type, n.subtype, n.account, n.original_id, n.transaction_id, \
        n.signed, n.signatures, n.attempts, n.next_attempt, c.status, c.transaction_info, c.renewal_info, c.details \
        FROM notifications n LEFT JOIN notification_contents c \
        ON c.environment = n.environment AND c.app = n.app AND c.position = n.position
        """

    private static let selectDue = SQL(
        """
        \(select) WHERE n.environment = $1 AND n.app = $2 AND n.next_attempt <= $3
        AND (n.next_attempt, n.position, n.part) > ($4, $5, $6)
        ORDER BY n.next_attempt, n.position, n.part LIMIT $7
        """)

    private static let selectOne = SQL(
        "\(select) WHERE n.environment = $1 AND n.app = $2 AND n.position = $3 AND n.part = $4")

    private static let selectBefore = SQL(
        """
        \(select) WHERE n.environment = $1 AND n.app = $2 AND n.original_id = $3
        AND (n.position, n.part) < ($4, $5) ORDER BY n.signed DESC LIMIT 1
        """)

    private static let selectByUUID = SQL(
        "\(select) WHERE n.environment = $1 AND n.uuid = $2 AND n.app = $3")

    static func record(_ row: any Row) throws -> NotificationRecord {
        NotificationRecord(
            key: .init(position: try row.integer(0), part: try row.integer(1)), uuid: try row.text(2),
            version: try row.integer(3), type: try row.text(4), subtype: try row.optionalText(5),
            account: Account.ID(rawValue: try row.integer(6)),
            originalID: try row.optionalInteger(7).map(TransactionID.init(rawValue:)),
            transactionID: try row.optionalInteger(8).map(TransactionID.init(rawValue:)), signed: try row.instant(9),
            content: NotificationContent(
                status: try row.optionalInteger(13), transactionInfo: try row.optionalText(14),
                renewalInfo: try row.optionalText(15), details: try row.optionalText(16)),
            signatures: try row.optionalBlob(10), attempts: try NotificationRecord.Attempt.attempts(try row.text(11)),
            nextAttempt: try row.optionalInstant(12))
    }
}
