import Perennial

extension NotificationsTable {
    /// The notifications among which a list is read, each found by an index of its own.
    package enum ListRange: Hashable, Sendable {
        case all
        /// Notifications whose newest attempt failed.
        case failed
        /// Notifications about a purchase or a subscription.
        case subject(TransactionID)
    }

    /// Returns notifications before a key, newest first, without their contents and signatures.
    package static func newest(
        _ range: ListRange, before key: NotificationRecord.Key, limit: Int, app: Int64,
        _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws -> [NotificationRecord] {
        var values: [SQLValue] = [.integer(environment.rawValue), .integer(app)]
        if case .subject(let id) = range { values.append(.integer(id.rawValue)) }
        values += [.integer(key.position), .integer(key.part), .integer(Int64(limit))]
        let statement =
            switch range {
            case .all: selectNewest
            case .failed: selectFailed
            case .subject: selectOfSubject
            }
        return try connection.query(statement, values, record)
    }

    /// Returns the notifications of a journal entry, without their contents and signatures.
    package static func records(
        at position: Int64, app: Int64, _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws -> [NotificationRecord] {
        try connection.query(
            selectOfEntry, [.integer(environment.rawValue), .integer(app), .integer(position)], record)
    }

    /// Returns how many of the newest failed notifications wait for another attempt.
    ///
    /// - Parameter limit: The number of failed notifications that are looked at.
    package static func failingCount(
        limit: Int, app: Int64, _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws -> Int {
        let count = try connection.first(
            """
            SELECT COUNT(next_attempt) FROM (SELECT next_attempt FROM notifications WHERE environment = $1 AND app = $2
            AND result IS NOT NULL AND result <> 'SUCCESS' ORDER BY position DESC, part DESC LIMIT $3) AS newest
            """, [.integer(environment.rawValue), .integer(app), .integer(Int64(limit))]
        ) { try $0.integer(0) }
        return Int(count ?? 0)
    }

    private static let ofApp = """
        SELECT position, part, uuid, version, type, subtype, account, original_id, transaction_id, signed, \
        CAST(NULL AS BYTEA), attempts, next_attempt, CAST(NULL AS BIGINT), CAST(NULL AS TEXT), CAST(NULL AS TEXT), \
        CAST(NULL AS TEXT) FROM notifications WHERE environment = $1 AND app = $2
        """
    private static let newestFirst = "ORDER BY position DESC, part DESC"
    private static let selectNewest = SQL("\(ofApp) AND (position, part) < ($3, $4) \(newestFirst) LIMIT $5")
    private static let selectOfEntry = SQL("\(ofApp) AND position = $3 ORDER BY part")
    private static let selectFailed = SQL(
        """
        \(ofApp) AND result IS NOT NULL AND result <> 'SUCCESS' AND (position, part) < ($3, $4)
        \(newestFirst) LIMIT $5
        """)
    private static let selectOfSubject = SQL(
        """
        \(ofApp) AND original_id = $3 AND (+position, +part) < ($4, $5) ORDER BY +position DESC, +part DESC LIMIT $6
        """)
}
