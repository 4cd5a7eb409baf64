import Perennial

/// Consumption information from sellers: the last for each transaction.
package enum ConsumptionTable {
    package struct Record: Hashable, Sendable {
        /// The version of the endpoint that received it: 1 or 2.
        package var version: Int
        package var received: Instant
        /// The request's body, as JSON.
        package var document: String

        package init(version: Int, received: Instant, document: String) {
            self.version = version
            self.received = received
            self.document = document
        }
    }

    package static func put(
        _ record: Record, for id: TransactionID, _ key: AppKey, on connection: any Connection
    ) throws {
        try connection.send(
            """
            INSERT INTO consumption_information (environment, app, transaction_id, version, received, document)
            VALUES ($1, $2, $3, $4, $5, $6)
            ON CONFLICT (environment, app, transaction_id) DO UPDATE
            SET version = excluded.version, received = excluded.received, document = excluded.document
            """,
            key.values + [
                .integer(id.rawValue), SQLValue(record.version), .integer(record.received.milliseconds),
                .text(record.document),
            ])
    }

    package static func record(
        of id: TransactionID, _ key: AppKey, on connection: any Connection
    ) throws -> Record? {
        try connection.first(
            """
            SELECT version, received, document FROM consumption_information
            WHERE environment = $1 AND app = $2 AND transaction_id = $3
            """, key.values + [.integer(id.rawValue)]
        ) { row in
            Record(version: Int(try row.integer(0)), received: try row.instant(1), document: try row.text(2))
        }
    }
}
