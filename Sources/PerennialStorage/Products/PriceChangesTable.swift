import Perennial

/// The price changes of products, by the instant at which they took effect.
package enum PriceChangesTable {
    private static let insert = BatchInsert(
        into: "price_changes",
        [
            "environment", "app", "product", "at", "storefront", "amount", "currency", "previous_amount",
            "previous_currency", "is_preserved",
        ],
        conflict: """
            ON CONFLICT (environment, app, product, at, storefront) DO UPDATE SET amount = excluded.amount,
            currency = excluded.currency, is_preserved = excluded.is_preserved
            """)

    /// Inserts changes, which are in order. Of changes at the same instant, the last one counts, from the first one's
    /// previous price.
    package static func insert(
        _ changes: [PerformedPriceChange], of product: Product.ID, app: Int64, _ environment: StoreEnvironment.ID,
        on connection: any Connection
    ) throws {
        var rows: [PerformedPriceChange] = []
        var places: [ScheduledPrice.Place: Int] = [:]
        for change in changes {
            let place = ScheduledPrice.Place(at: change.at, storefront: change.storefront)
            guard let known = places[place] else {
                places[place] = rows.count
                rows.append(change)
                continue
            }
            rows[known].price = change.price
            rows[known].preservesSubscribers = change.preservesSubscribers
        }
        try insert.run(rows, on: connection) { change, values in
            values += [
                .integer(environment.rawValue), .integer(app), .text(product.rawValue),
                .integer(change.at.milliseconds), .text(change.storefront?.rawValue ?? ""),
                .integer(change.price.milliunits), .text(change.price.currency.rawValue),
                .integer(change.previous.milliunits), .text(change.previous.currency.rawValue),
                .integer(change.preservesSubscribers ? 1 : 0),
            ]
        }
    }

    /// Returns the newest changes of a product, newest first.
    package static func newest(
        _ limit: Int, of product: Product.ID, app: Int64, _ environment: StoreEnvironment.ID,
        on connection: any Connection
    ) throws -> [PerformedPriceChange] {
        try connection.query(
            """
            SELECT at, storefront, amount, currency, previous_amount, previous_currency, is_preserved FROM price_changes
            WHERE environment = $1 AND app = $2 AND product = $3 ORDER BY at DESC, storefront LIMIT $4
            """,
            [.integer(environment.rawValue), .integer(app), .text(product.rawValue), .integer(Int64(limit))]
        ) { row in
            let storefront = try row.text(1)
            return PerformedPriceChange(
                at: try row.instant(0), storefront: storefront.isEmpty ? nil : Storefront(rawValue: storefront),
                previous: Money(milliunits: try row.integer(4), Currency(rawValue: try row.text(5))),
                price: Money(milliunits: try row.integer(2), Currency(rawValue: try row.text(3))),
                preservesSubscribers: try row.bool(6))
        }
    }
}
