import Perennial

/// Batches of one-time codes, and custom codes, as sellers have made them for an offer.
package enum OfferCodeBatchesTable {
    package struct Record: Hashable, Sendable {
        package var id: Int64
        /// The environment in which the codes are redeemed.
        package var environment: StoreEnvironment.ID
        package var app: Int64
        /// The product's Apple ID.
        package var product: Int64
        package var offerID: String
        package var kind: OfferCode.Kind
        /// The custom code.
        package var code: String?
        /// The number of one-time codes, or the most redemptions of the custom code; `nil` for a custom code without a limit.
        package var count: Int?
        package var expires: Instant?
        package var isActive: Bool
        package var created: Instant
        package var createdBy: String
        package var deactivatedBy: String?

        package init(
            id: Int64, environment: StoreEnvironment.ID, app: Int64, product: Int64, offerID: String,
            kind: OfferCode.Kind, code: String? = nil, count: Int?, expires: Instant?, isActive: Bool = true,
            created: Instant, createdBy: String, deactivatedBy: String? = nil
        ) {
            self.id = id
            self.environment = environment
            self.app = app
            self.product = product
            self.offerID = offerID
            self.kind = kind
            self.code = code
            self.count = count
            self.expires = expires
            self.isActive = isActive
            self.created = created
            self.createdBy = createdBy
            self.deactivatedBy = deactivatedBy
        }
    }

    private static let columns = """
        id, environment, app, product, offer_id, kind, code, code_count, expires, is_active, created, created_by,
        deactivated_by
        """

    /// The ID before the first: IDs have 10 digits.
    private static let base: Int64 = 4_000_000_000
    private static let unlimited: Int64 = -1

    /// Returns an ID for a batch. The caller holds the catalog's lock.
    package static func nextID(on connection: any Connection) throws -> Int64 {
        (try connection.first("SELECT MAX(id) FROM offer_code_batches") { try $0.optionalInteger(0) } ?? nil)
            .map { $0 + 1 } ?? base + 1
    }

    package static func insert(_ record: Record, on connection: any Connection) throws {
        try connection.send(
            SQL(
                """
                INSERT INTO offer_code_batches (\(columns))
                VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
                """),
            [
                .integer(record.id), .integer(record.environment.rawValue), .integer(record.app),
                .integer(record.product), .text(record.offerID), .text(record.kind.rawValue), SQLValue(record.code),
                .integer(record.count.map(Int64.init) ?? unlimited), SQLValue(record.expires?.milliseconds),
                .integer(record.isActive ? 1 : 0), .integer(record.created.milliseconds), .text(record.createdBy),
                SQLValue(record.deactivatedBy),
            ])
    }

    package static func batch(_ id: Int64, on connection: any Connection) throws -> Record? {
        try connection.first(
            SQL("SELECT \(columns) FROM offer_code_batches WHERE id = $1"), [.integer(id)], record)
    }

    /// Returns the batches of an offer, oldest first.
    package static func batches(
        ofOffer offerID: String, product: Int64, on connection: any Connection
    ) throws -> [Record] {
        try connection.query(
            SQL("SELECT \(columns) FROM offer_code_batches WHERE product = $1 AND offer_id = $2 ORDER BY id"),
            [.integer(product), .text(offerID)], record)
    }

    /// Returns an offer's batches of an environment before an ID, newest first.
    package static func newest(
        ofOffer offerID: String, product: Int64, before id: Int64, limit: Int, _ environment: StoreEnvironment.ID,
        on connection: any Connection
    ) throws -> [Record] {
        try connection.query(
            SQL(
                """
                SELECT \(columns) FROM offer_code_batches
                WHERE product = $1 AND offer_id = $2 AND environment = $3 AND id < $4 ORDER BY id DESC LIMIT $5
                """),
            [
                .integer(product), .text(offerID), .integer(environment.rawValue), .integer(id),
                .integer(Int64(limit)),
            ], record)
    }

    /// Disables the codes of a batch for good.
    package static func deactivate(_ id: Int64, by actor: String, on connection: any Connection) throws {
        try connection.send(
            "UPDATE offer_code_batches SET is_active = 0, deactivated_by = $1 WHERE id = $2 AND is_active = 1",
            [.text(actor), .integer(id)])
    }

    /// Returns the names of a batch's codes, in alphabetical order.
    package static func codes(of id: Int64, on connection: any Connection) throws -> [String] {
        try connection.query(
            "SELECT code FROM offer_codes WHERE batch = $1 ORDER BY code", [.integer(id)]
        ) { try $0.text(0) }
    }

    /// Returns the first code of a batch in alphabetical order; `nil` if it has none.
    package static func firstCode(of id: Int64, on connection: any Connection) throws -> String? {
        try connection.first(
            "SELECT code FROM offer_codes WHERE batch = $1 ORDER BY code LIMIT 1", [.integer(id)]
        ) { try $0.text(0) }
    }

    private static func record(_ row: any Row) throws -> Record {
        let count = try row.integer(7)
        return Record(
            id: try row.integer(0), environment: StoreEnvironment.ID(rawValue: try row.integer(1)),
            app: try row.integer(2), product: try row.integer(3), offerID: try row.text(4), kind: try row.value(5),
            code: try row.optionalText(6), count: count == unlimited ? nil : Int(clamping: count),
            expires: try row.optionalInstant(8), isActive: try row.bool(9), created: try row.instant(10),
            createdBy: try row.text(11), deactivatedBy: try row.optionalText(12))
    }
}
