import Perennial

/// Deliveries of content. Each is inserted when it begins and completed when it ends, so that one interrupted by a crash is
/// recorded too.
package enum DeliveriesTable {
    package struct Record: Sendable, Equatable {
        package var scope: DeliveryScope
        package var id: String
        package var contentID: Content.ID
        package var version: String
        package var productID: Product.ID
        package var transactionID: TransactionID
        package var customer: String?
        /// The position of the first requested byte.
        package var firstByte: Int64
        /// The number of requested bytes.
        package var byteCount: Int64
        /// The number of bytes handed to the connection.
        package var bytesSent: Int64
        package var isComplete: Bool
        package var began: Instant
        package var ended: Instant?

        package init(
            scope: DeliveryScope, id: String, contentID: Content.ID, version: String, entitlement: Entitlement,
            customer: String?, firstByte: Int64, byteCount: Int64, began: Instant
        ) {
            self.scope = scope
            self.id = id
            self.contentID = contentID
            self.version = version
            self.productID = entitlement.productID
            self.transactionID = entitlement.transactionID
            self.customer = customer
            self.firstByte = firstByte
            self.byteCount = byteCount
            self.bytesSent = 0
            self.isComplete = false
            self.began = began
            self.ended = nil
        }
    }

    package static func begin(_ record: Record, on connection: any Connection) throws {
        try connection.send(
            """
            INSERT INTO delivery_deliveries (environment, bundle_id, id, content, version, product, transaction_id,
            customer, first_byte, byte_count, bytes_sent, is_complete, began)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 0, 0, $11)
            """,
            record.scope.values + [
                .text(record.id), .text(record.contentID.rawValue), .text(record.version),
                .text(record.productID.rawValue), .integer(record.transactionID.rawValue), SQLValue(record.customer),
                .integer(record.firstByte), .integer(record.byteCount), .integer(record.began.milliseconds),
            ])
    }

    package static func end(
        _ id: String, bytesSent: Int64, isComplete: Bool, at now: Instant, _ scope: DeliveryScope,
        on connection: any Connection
    ) throws {
        try connection.send(
            """
            UPDATE delivery_deliveries SET bytes_sent = $1, is_complete = $2, ended = $3
            WHERE environment = $4 AND bundle_id = $5 AND id = $6
            """,
            [.integer(bytesSent), SQLValue(isComplete), .integer(now.milliseconds)] + scope.values + [.text(id)])
    }

    /// Deletes the oldest deliveries: those that began before an instant, and those beyond a number of rows.
    ///
    /// - Parameter limit: The most rows to delete, so that the transaction stays short.
    /// - Returns: The number of deleted rows; `limit` if there may be more.
    package static func prune(
        before: Instant, keeping count: Int, limit: Int, _ scope: DeliveryScope, on connection: any Connection
    ) throws -> Int {
        let surplus = try connection.first(
            """
            SELECT began FROM delivery_deliveries WHERE environment = $1 AND bundle_id = $2
            ORDER BY began DESC LIMIT 1 OFFSET $3
            """, scope.values + [SQLValue(count)]
        ) { try $0.integer(0) }
        // Deletes all that began in the same millisecond.
        let end = max(before.milliseconds, surplus.map { $0 + 1 } ?? .min)
        return try connection.execute(
            """
            DELETE FROM delivery_deliveries WHERE environment = $1 AND bundle_id = $2 AND id IN (
            SELECT id FROM delivery_deliveries WHERE environment = $1 AND bundle_id = $2 AND began < $3
            ORDER BY began LIMIT $4)
            """, scope.values + [.integer(end), SQLValue(limit)])
    }

    /// Returns deliveries in the order of their beginning.
    package static func deliveries(
        _ scope: DeliveryScope, from: Instant, limit: Int, on connection: any Connection
    ) throws -> [Record] {
        try connection.query(
            """
            SELECT id, content, version, product, transaction_id, customer, first_byte, byte_count, bytes_sent,
            is_complete, began, ended FROM delivery_deliveries
            WHERE environment = $1 AND bundle_id = $2 AND began >= $3 ORDER BY began, id LIMIT $4
            """, scope.values + [.integer(from.milliseconds), SQLValue(limit)]
        ) { row in
            let contentID = Content.ID(rawValue: try row.text(1))
            var record = Record(
                scope: scope, id: try row.text(0), contentID: contentID, version: try row.text(2),
                entitlement: Entitlement(
                    contentID: contentID, productID: Product.ID(rawValue: try row.text(3)),
                    transactionID: TransactionID(rawValue: try row.integer(4))),
                customer: try row.optionalText(5), firstByte: try row.integer(6), byteCount: try row.integer(7),
                began: Instant(milliseconds: try row.integer(10)))
            record.bytesSent = try row.integer(8)
            record.isComplete = try row.bool(9)
            record.ended = try row.optionalInteger(11).map(Instant.init(milliseconds:))
            return record
        }
    }
}
