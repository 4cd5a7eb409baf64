import Perennial

/// Reads of the journal while it grows.
extension JournalTable {
    /// An entry with what a person wants to see of it: the customer's name, and the price of its transaction.
    package struct NamedEntry: Sendable {
        package var position: Int64
        package var kind: JournalEntry.Kind
        package var at: Instant
        package var accountID: Account.ID
        /// `nil` where no customer is involved.
        package var account: String?
        package var transactionID: TransactionID?
        package var originalID: TransactionID?
        package var productID: Product.ID?
        /// The price of the transaction; `nil` for an entry without one.
        package var price: Money?
        package var quantity: Int64?
        package var storefront: Storefront?
    }

    /// Returns the last position of each app's journal in an environment.
    package static func heads(
        _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws -> [Int64: Int64] {
        let heads = try connection.query(
            "SELECT app, position FROM journal_heads WHERE environment = $1", [.integer(environment.rawValue)]
        ) { (try $0.integer(0), try $0.integer(1)) }
        return Dictionary(uniqueKeysWithValues: heads)
    }

    /// Returns the entries after a position, in order, with names and prices: one statement, however many entries there are.
    package static func namedEntries(
        after position: Int64, limit: Int, app: Int64, _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws -> [NamedEntry] {
        try connection.query(
            """
            SELECT j.position, j.kind, j.at, j.account, j.transaction_id, j.original_id, j.product, j.storefront,
            a.name, t.price, t.currency, t.quantity, t.storefront FROM journal AS j
            LEFT JOIN accounts AS a ON a.environment = j.environment AND a.id = j.account
            LEFT JOIN transactions AS t ON t.environment = j.environment AND t.app = j.app AND t.id = j.transaction_id
            WHERE j.environment = $1 AND j.app = $2 AND j.position > $3 ORDER BY j.position LIMIT $4
            """,
            [.integer(environment.rawValue), .integer(app), .integer(position), .integer(Int64(limit))], namedEntry)
    }

    private static func namedEntry(_ row: any Row) throws -> NamedEntry {
        var entry = NamedEntry(
            position: try row.integer(0), kind: try row.value(1), at: try row.instant(2),
            accountID: Account.ID(rawValue: try row.integer(3)), account: try row.optionalText(8),
            transactionID: try row.optionalInteger(4).map(TransactionID.init(rawValue:)),
            originalID: try row.optionalInteger(5).map(TransactionID.init(rawValue:)),
            productID: try row.optionalText(6).map(Product.ID.init(rawValue:)), quantity: try row.optionalInteger(11),
            storefront: try (row.optionalText(12) ?? row.optionalText(7)).map(Storefront.init(rawValue:)))
        if let price = try row.optionalInteger(9), let currency = try row.optionalText(10) {
            entry.price = Money(milliunits: price, Currency(rawValue: currency))
        }
        return entry
    }
}
