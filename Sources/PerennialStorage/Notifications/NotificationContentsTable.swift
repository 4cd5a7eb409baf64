import Perennial

/// The contents of a notification beside its type: the state after its event.
package struct NotificationContent: Sendable, Equatable {
    /// The subscription's status, by the Server API's numbers.
    package var status: Int64?
    /// The payload of a signed transaction: JSON.
    package var transactionInfo: String?
    /// The payload of signed renewal information: JSON.
    package var renewalInfo: String?
    /// Data of a few kinds of entries only: JSON.
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

/// Contents of notifications, by the position of the journal entry: written once, with the event, and never changed.
///
/// Attempts are recorded in a table of their own, whose rows are short.
package enum NotificationContentsTable {
    package static func insert(
        _ contents: [(position: Int64, content: NotificationContent)], app: Int64, _ environment: StoreEnvironment.ID,
        on connection: any Connection
    ) throws {
        try rows.run(contents, on: connection) { entry, values in
            let (position, content) = entry
            values += [
                .integer(environment.rawValue), .integer(app), .integer(position), SQLValue(content.status),
                SQLValue(content.transactionInfo), SQLValue(content.renewalInfo), SQLValue(content.details),
            ]
        }
    }

    private static let rows = BatchInsert(
        into: "notification_contents",
        ["environment", "app", "position", "status", "transaction_info", "renewal_info", "details"], rowsMax: 8)

    /// Deletes the contents before the oldest notification that is left.
    static func purge(app: Int64, _ environment: StoreEnvironment.ID, on connection: any Connection) throws {
        try connection.send(
            """
            DELETE FROM notification_contents WHERE environment = $1 AND app = $2 AND position < COALESCE(
                (SELECT MIN(position) FROM notifications WHERE environment = $1 AND app = $2), $3)
            """, [.integer(environment.rawValue), .integer(app), .integer(.max)])
    }
}
