import Perennial

/// Server notifications, in the order of the journal's entries they tell of.
package enum NotificationsTable {
    package static func insert(
        _ record: NotificationRecord, app: Int64, _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws {
        try connection.execute(
            """
            INSERT INTO notifications (environment, app, position, part, uuid, version, type, subtype, account,
            original_id, transaction_id, signed, status, transaction_info, renewal_info, details, signatures, attempts,
            result, next_attempt)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20)
            """,
            [
                .integer(environment.rawValue), .integer(app), .integer(record.key.position),
                .integer(record.key.part), .text(record.uuid), .integer(record.version), .text(record.type),
                SQLValue(record.subtype), .integer(record.account.rawValue), SQLValue(record.originalID?.rawValue),
                SQLValue(record.transactionID?.rawValue), .integer(record.signed.milliseconds),
                SQLValue(record.state.status), SQLValue(record.state.transactionInfo),
                SQLValue(record.state.renewalInfo), SQLValue(record.state.details), SQLValue(record.signatures),
                .text(NotificationRecord.Attempt.text(record.attempts)), SQLValue(record.attempts.last?.result),
                SQLValue(record.nextAttempt?.milliseconds),
            ])
    }

    /// Writes what an attempt changed.
    package static func update(
        _ record: NotificationRecord, app: Int64, _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws {
        try connection.execute(
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

    /// Where a page of what is due ends.
    package struct DueMark: Sendable {
        package var due: Instant
        package var key: NotificationRecord.Key

        package init(due: Instant, key: NotificationRecord.Key) {
            self.due = due
            self.key = key
        }

        package static let beginning = DueMark(
            due: Instant(milliseconds: .min), key: NotificationRecord.Key(position: 0, part: 0))
    }

    /// What is due up to an instant, soonest first, behind a mark.
    package static func due(
        until instant: Instant, after mark: DueMark, limit: Int, app: Int64, _ environment: StoreEnvironment.ID,
        on connection: any Connection
    ) throws -> [NotificationRecord] {
        try connection.query(
            selectDue,
            [
                .integer(environment.rawValue), .integer(app), .integer(instant.milliseconds),
                .integer(mark.due.milliseconds), .integer(mark.key.position), .integer(mark.key.part),
                .integer(Int64(limit)),
            ], record)
    }

    /// Whether anything of an app is due.
    package static func hasDue(
        until instant: Instant, app: Int64, _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws -> Bool {
        try connection.first(
            "SELECT 1 FROM notifications WHERE environment = $1 AND app = $2 AND next_attempt <= $3 LIMIT 1",
            [.integer(environment.rawValue), .integer(app), .integer(instant.milliseconds)]
        ) { _ in true } ?? false
    }

    /// The instant of the next attempt in an environment.
    package static func nextDue(_ environment: StoreEnvironment.ID, on connection: any Connection) throws -> Instant? {
        try connection.first(
            """
            SELECT MIN(n.next_attempt) FROM notification_settings s
            JOIN notifications n ON n.environment = s.environment AND n.app = s.app AND n.next_attempt IS NOT NULL
            WHERE s.environment = $1
            """, [.integer(environment.rawValue)]
        ) { try $0.optionalInstant(0) } ?? nil
    }

    /// Gives up what waits: there is nowhere left to send it.
    package static func giveUp(app: Int64, _ environment: StoreEnvironment.ID, on connection: any Connection) throws {
        try connection.execute(
            """
            UPDATE notifications SET next_attempt = NULL
            WHERE environment = $1 AND app = $2 AND next_attempt IS NOT NULL
            """, [.integer(environment.rawValue), .integer(app)])
    }

    /// When the newest notification of a subscription or purchase was signed.
    package static func lastSigned(
        _ originalID: TransactionID, app: Int64, _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws -> Instant? {
        try connection.first(
            "SELECT MAX(signed) FROM notifications WHERE environment = $1 AND app = $2 AND original_id = $3",
            [.integer(environment.rawValue), .integer(app), .integer(originalID.rawValue)]
        ) { try $0.optionalInstant(0) } ?? nil
    }

    /// When the last first attempt of a subscription's notifications is due.
    package static func lastDue(
        _ originalID: TransactionID, app: Int64, _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws -> Instant? {
        try connection.first(
            """
            SELECT MAX(next_attempt) FROM notifications
            WHERE environment = $1 AND app = $2 AND original_id = $3 AND attempts = ''
            """, [.integer(environment.rawValue), .integer(app), .integer(originalID.rawValue)]
        ) { try $0.optionalInstant(0) } ?? nil
    }

    package static func record(
        at key: NotificationRecord.Key, app: Int64, _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws -> NotificationRecord? {
        try connection.first(
            selectOne,
            [.integer(environment.rawValue), .integer(app), .integer(key.position), .integer(key.part)], record)
    }

    /// The notification of a subscription that came before another.
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

    /// Forgets what is older than anybody may ask for.
    package static func purge(
        before instant: Instant, app: Int64, _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws {
        try connection.execute(
            """
            DELETE FROM notifications
            WHERE environment = $1 AND app = $2 AND signed < $3 AND next_attempt IS NULL
            """, [.integer(environment.rawValue), .integer(app), .integer(instant.milliseconds)])
    }

    static let columns = """
        position, part, uuid, version, type, subtype, account, original_id, transaction_id, signed, status, \
        transaction_info, renewal_info, details, signatures, attempts, next_attempt
        """

    private static let selectDue = SQL(
        """
        SELECT \(columns) FROM notifications
        WHERE environment = $1 AND app = $2 AND next_attempt <= $3 AND (next_attempt, position, part) > ($4, $5, $6)
        ORDER BY next_attempt, position, part LIMIT $7
        """)

    private static let selectOne = SQL(
        "SELECT \(columns) FROM notifications WHERE environment = $1 AND app = $2 AND position = $3 AND part = $4")

    private static let selectBefore = SQL(
        """
        SELECT \(columns) FROM notifications
        WHERE environment = $1 AND app = $2 AND original_id = $3 AND (position, part) < ($4, $5)
        ORDER BY signed DESC LIMIT 1
        """)

    private static let selectByUUID = SQL(
        "SELECT \(columns) FROM notifications WHERE environment = $1 AND uuid = $2 AND app = $3")

    static func record(_ row: any Row) throws -> NotificationRecord {
        NotificationRecord(
            key: .init(position: try row.integer(0), part: try row.integer(1)), uuid: try row.text(2),
            version: try row.integer(3), type: try row.text(4), subtype: try row.optionalText(5),
            account: Account.ID(rawValue: try row.integer(6)),
            originalID: try row.optionalInteger(7).map(TransactionID.init(rawValue:)),
            transactionID: try row.optionalInteger(8).map(TransactionID.init(rawValue:)), signed: try row.instant(9),
            state: JournalStatesTable.State(
                status: try row.optionalInteger(10), transactionInfo: try row.optionalText(11),
                renewalInfo: try row.optionalText(12), details: try row.optionalText(13)),
            signatures: try row.optionalBlob(14), attempts: try NotificationRecord.Attempt.attempts(try row.text(15)),
            nextAttempt: try row.optionalInstant(16))
    }
}
