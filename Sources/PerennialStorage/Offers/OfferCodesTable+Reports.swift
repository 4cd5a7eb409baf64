import Perennial

extension OfferCodesTable {
    /// The redemptions of an offer in a storefront.
    package struct RedemptionCount: Hashable, Sendable {
        package var productID: Product.ID
        package var offerID: String
        /// The custom code; `nil` for codes for one customer each.
        package var code: String?
        package var storefront: Storefront
        package var count: Int64
    }

    /// Returns the redemptions of a span of time, from its start to before its end, found by their time.
    ///
    /// Reports read them here, because redemptions are few beside transactions and have an index of their own.
    package static func redemptionCounts(
        from start: Instant, until end: Instant, app: Int64, _ environment: StoreEnvironment.ID,
        on connection: any Connection
    ) throws -> [RedemptionCount] {
        try connection.query(
            """
            SELECT c.product, c.offer_id, CASE WHEN c.kind = 'custom' THEN c.code ELSE NULL END AS shown, t.storefront,
            COUNT(*) FROM offer_code_redemptions AS r
            JOIN offer_codes AS c ON c.environment = r.environment AND c.app = r.app AND c.code = r.code
            JOIN transactions AS t ON t.environment = r.environment AND t.app = r.app AND t.id = r.transaction_id
            WHERE r.environment = $1 AND r.app = $2 AND r.at >= $3 AND r.at < $4
            GROUP BY c.product, c.offer_id, shown, t.storefront
            """,
            [
                .integer(environment.rawValue), .integer(app), .integer(start.milliseconds),
                .integer(end.milliseconds),
            ]
        ) { row in
            RedemptionCount(
                productID: Product.ID(rawValue: try row.text(0)), offerID: try row.text(1),
                code: try row.optionalText(2), storefront: Storefront(rawValue: try row.text(3)),
                count: try row.integer(4))
        }
    }
}
