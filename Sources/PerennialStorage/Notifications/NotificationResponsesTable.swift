import Perennial

/// Responses of receivers, by notification and attempt. An attempt without a response has no row, and neither has a success
/// whose body is empty.
package enum NotificationResponsesTable {
    /// Writes the responses to the newest attempts of notifications.
    package static func insert(
        newestOf records: [NotificationRecord], app: Int64, _ environment: StoreEnvironment.ID,
        on connection: any Connection
    ) throws {
        let answered = records.filter { $0.attempts.last?.response != nil }
        guard !answered.isEmpty else { return }
        try rows.run(answered, on: connection) { record, values in
            guard let attempt = record.attempts.last, let response = attempt.response else { return }
            values += [
                .integer(environment.rawValue), .integer(app), .integer(record.key.position),
                .integer(record.key.part), .integer(Int64(record.attempts.count)), .integer(attempt.at.milliseconds),
                .text(response.statusLine), .text(response.body), SQLValue(response.isTruncated),
            ]
        }
    }

    private static let rows = BatchInsert(
        into: "notification_responses",
        [
            "environment", "app", "position", "part", "attempt", "attempted", "status_line", "body", "is_truncated",
        ], rowsMax: 8,
        conflict: """
            ON CONFLICT (environment, app, position, part, attempt) DO UPDATE SET attempted = excluded.attempted, \
            status_line = excluded.status_line, body = excluded.body, is_truncated = excluded.is_truncated
            """)

    /// Returns a notification with the responses to its attempts.
    package static func withResponses(
        _ record: NotificationRecord, app: Int64, _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws -> NotificationRecord {
        guard !record.attempts.isEmpty else { return record }
        let found = try connection.query(
            select,
            [
                .integer(environment.rawValue), .integer(app), .integer(record.key.position),
                .integer(record.key.part),
            ]
        ) { row in
            (
                number: try row.integer(0), at: try row.instant(1),
                response: NotificationRecord.Response(
                    statusLine: try row.text(2), body: try row.text(3), isTruncated: try row.bool(4))
            )
        }
        var record = record
        for (number, at, response) in found {
            guard let index = Int(exactly: number).map({ $0 - 1 }), record.attempts.indices.contains(index),
                record.attempts[index].at == at
            else { continue }
            record.attempts[index].response = response
        }
        return record
    }

    private static let select: SQL = """
        SELECT attempt, attempted, status_line, body, is_truncated FROM notification_responses
        WHERE environment = $1 AND app = $2 AND position = $3 AND part = $4 ORDER BY attempt
        """

    /// Deletes the responses to notifications before the oldest that is left.
    static func purge(app: Int64, _ environment: StoreEnvironment.ID, on connection: any Connection) throws {
        try connection.send(
            """
            DELETE FROM notification_responses WHERE environment = $1 AND app = $2 AND position < COALESCE(
                (SELECT MIN(position) FROM notifications WHERE environment = $1 AND app = $2), $3)
            """, [.integer(environment.rawValue), .integer(app), .integer(.max)])
    }
}
