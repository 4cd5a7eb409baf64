import Perennial

/// Offer codes of apps, and their redemptions.
package enum OfferCodesTable {
    package struct Record: Sendable, Equatable {
        package var code: OfferCode
        /// The product for which it is redeemed.
        package var productID: Product.ID
        package var redemptions: Int
        /// The ID of the batch that it was made with; `nil` for codes of earlier versions of the store.
        package var batch: Int64?
        /// False after the seller has deactivated the batch.
        package var isActive: Bool

        package init(
            code: OfferCode, productID: Product.ID, redemptions: Int = 0, batch: Int64? = nil, isActive: Bool = true
        ) {
            self.code = code
            self.productID = productID
            self.redemptions = redemptions
            self.batch = batch
            self.isActive = isActive
        }
    }

    private static let inserting = BatchInsert(
        into: "offer_codes",
        [
            "environment", "app", "code", "product", "offer_id", "kind", "created", "expires", "maximum_redemptions",
            "batch",
        ])

    /// Inserts many codes with random names, which are new.
    package static func insert(
        _ records: [Record], app: Int64, _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws {
        try inserting.run(records, on: connection) { $1 += values(of: $0, app: app, environment) }
    }

    private static func values(of record: Record, app: Int64, _ environment: StoreEnvironment.ID) -> [SQLValue] {
        [
            .integer(environment.rawValue), .integer(app), .text(record.code.code),
            .text(record.productID.rawValue), .text(record.code.offerID), .text(record.code.kind.rawValue),
            .integer(record.code.created.milliseconds), SQLValue(record.code.expires?.milliseconds),
            SQLValue(record.code.maximumRedemptions.map(Int64.init)), SQLValue(record.batch),
        ]
    }

    /// Inserts a code.
    /// - Returns: False if the app has a code of that name.
    package static func insert(
        _ record: Record, app: Int64, _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws -> Bool {
        let count = try connection.execute(
            """
            INSERT INTO offer_codes
            (environment, app, code, product, offer_id, kind, created, expires, maximum_redemptions, batch)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT (environment, app, code) DO NOTHING
            """, values(of: record, app: app, environment))
        return count > 0
    }

    /// Returns a code and locks it until the end of the transaction, so that redemptions wait.
    package static func lock(
        _ code: String, app: Int64, _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws -> Record? {
        let found = try connection.first(
            """
            SELECT code, product, offer_id, kind, created, expires, maximum_redemptions, batch FROM offer_codes
            WHERE environment = $1 AND app = $2 AND code = $3 /*FOR UPDATE*/
            """, [.integer(environment.rawValue), .integer(app), .text(code)], record)
        guard var record = found else { return nil }
        record.redemptions = try count(
            "SELECT COUNT(*) FROM offer_code_redemptions WHERE environment = $1 AND app = $2 AND code = $3",
            [.integer(environment.rawValue), .integer(app), .text(code)], on: connection)
        if let batch = record.batch {
            record.isActive = try OfferCodeBatchesTable.batch(batch, on: connection)?.isActive ?? true
        }
        return record
    }

    /// Returns codes of an app after a given one, ordered by name.
    package static func all(
        app: Int64, after code: String, limit: Int, _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws -> [Record] {
        try connection.query(
            """
            SELECT code, product, offer_id, kind, created, expires, maximum_redemptions, batch,
            (SELECT COUNT(*) FROM offer_code_redemptions AS r WHERE r.environment = c.environment AND r.app = c.app
            AND r.code = c.code),
            COALESCE((SELECT b.is_active FROM offer_code_batches AS b WHERE b.id = c.batch), 1) FROM offer_codes AS c
            WHERE environment = $1 AND app = $2 AND code > $3 ORDER BY code LIMIT $4
            """, [.integer(environment.rawValue), .integer(app), .text(code), .integer(Int64(limit))]
        ) { row in
            var record = try record(row)
            record.redemptions = Int(clamping: try row.integer(8))
            record.isActive = try row.bool(9)
            return record
        }
    }

    /// Returns the number of a customer's redemptions of a code: 0 or 1.
    package static func redemptions(of code: String, by key: CustomerKey, on connection: any Connection) throws -> Int {
        try count(
            """
            SELECT COUNT(*) FROM offer_code_redemptions
            WHERE environment = $1 AND app = $2 AND account = $3 AND code = $4
            """, key.values + [.text(code)], on: connection)
    }

    /// Returns the number of an app's redemptions since an instant, counted up to a limit.
    package static func redemptions(
        since start: Instant, limit: Int, app: Int64, _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws -> Int {
        try count(
            """
            SELECT COUNT(*) FROM (SELECT at FROM offer_code_redemptions
            WHERE environment = $1 AND app = $2 AND at >= $3 LIMIT $4) AS counted
            """,
            [.integer(environment.rawValue), .integer(app), .integer(start.milliseconds), .integer(Int64(limit))],
            on: connection)
    }

    package static func redeem(
        _ code: String, by key: CustomerKey, at now: Instant, for transaction: TransactionID,
        on connection: any Connection
    ) throws {
        try connection.send(
            """
            INSERT INTO offer_code_redemptions (environment, app, account, code, at, transaction_id)
            VALUES ($1, $2, $3, $4, $5, $6)
            """, key.values + [.text(code), .integer(now.milliseconds), .integer(transaction.rawValue)])
    }

    private static func count(_ sql: SQL, _ values: [SQLValue], on connection: any Connection) throws -> Int {
        Int(clamping: try connection.first(sql, values) { try $0.integer(0) } ?? 0)
    }

    private static func record(_ row: any Row) throws -> Record {
        Record(
            code: OfferCode(
                code: try row.text(0), offerID: try row.text(2), kind: try row.value(3), created: try row.instant(4),
                expires: try row.optionalInstant(5),
                maximumRedemptions: try row.optionalInteger(6).map { Int(clamping: $0) }),
            productID: Product.ID(rawValue: try row.text(1)), batch: try row.optionalInteger(7))
    }
}
