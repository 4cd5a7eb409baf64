import Perennial

/// What a notification tells beside its type: how things stood behind its event.
package struct NotificationContent: Sendable, Equatable {
    /// Of the subscription, by the Server API's numbers.
    package var status: Int64?
    /// The payload of a signed transaction: JSON.
    package var transactionInfo: String?
    /// The payload of signed renewal information: JSON.
    package var renewalInfo: String?
    /// What belongs to few kinds of entries only: JSON.
    package var details: String?

    package init(
        status: Int64? = nil, transactionInfo: String? = nil, renewalInfo: String? = nil, details: String? = nil
    ) {
        self.status = status
        self.transactionInfo = transactionInfo
        self.renewalInfo = renewalInfo
        self.details = details
    }
}

/// What notifications tell, by the position of the journal's entry: written once, at the event, and never changed. What
/// becomes of a notification lies apart from it, in rows that are small.
package enum NotificationContentsTable {
    package static func insert(
        _ contents: [(position: Int64, content: NotificationContent)], app: Int64, _ environment: StoreEnvironment.ID,
        on connection: any Connection
    ) throws {
        try rows.run(contents, on: connection) { told, values in
            let (position, content) = told
            values += [
                .integer(environment.rawValue), .integer(app), .integer(position), SQLValue(content.status),
                SQLValue(content.transactionInfo), SQLValue(content.renewalInfo), SQLValue(content.details),
            ]
        }
    }

    private static let rows = RowsInsert(
        into: "notification_contents",
        ["environment", "app", "position", "status", "transaction_info", "renewal_info", "details"], rowsMax: 8)

    /// Forgets what no notification tells any more: all that lies before the oldest that is left.
    static func purge(app: Int64, _ environment: StoreEnvironment.ID, on connection: any Connection) throws {
        try connection.execute(
            """
            DELETE FROM notification_contents WHERE environment = $1 AND app = $2 AND position < COALESCE(
                (SELECT MIN(position) FROM notifications WHERE environment = $1 AND app = $2), $3)
            """, [.integer(environment.rawValue), .integer(app), .integer(.max)])
    }
}
