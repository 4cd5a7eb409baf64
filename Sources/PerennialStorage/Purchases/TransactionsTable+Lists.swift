import Perennial

extension TransactionsTable {
    /// A transaction's place in lists, which are in the order of purchase dates.
    package struct ListPlace: Hashable, Comparable, Sendable {
        package var purchased: Instant
        package var id: TransactionID

        package init(purchased: Instant, id: TransactionID) {
            (self.purchased, self.id) = (purchased, id)
        }

        package init(_ transaction: Transaction) {
            self.init(purchased: transaction.purchaseDate, id: transaction.id)
        }

        /// The place after all transactions.
        package static let end = ListPlace(
            purchased: Instant(milliseconds: .max), id: TransactionID(rawValue: .max))

        package static func < (one: ListPlace, other: ListPlace) -> Bool {
            (one.purchased, one.id) < (other.purchased, other.id)
        }
    }

    /// The transactions among which a list is read, each found by an index of its own.
    package enum ListRange: Hashable, Sendable {
        case all
        case product(Product.ID)
        /// Refunded or revoked ones.
        case revoked
        /// One customer's. All of the customer's rows are read.
        case account(Account.ID)
    }

    /// Returns transactions before a place, newest first.
    ///
    /// - Parameter from: The earliest purchase date.
    package static func newest(
        _ range: ListRange, before place: ListPlace, from: Instant, limit: Int, app: Int64,
        _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws -> [Transaction] {
        var values: [SQLValue] = [.integer(environment.rawValue), .integer(app)]
        let statement: SQL
        switch range {
        case .all: statement = selectByTime
        case .product(let product):
            values.append(.text(product.rawValue))
            statement = selectOfProduct
        case .revoked: statement = selectRevoked
        case .account(let account):
            values.append(.integer(account.rawValue))
            statement = selectOfAccount
        }
        values += [
            .integer(place.purchased.milliseconds), .integer(place.id.rawValue), .integer(from.milliseconds),
            .integer(Int64(limit)),
        ]
        return try connection.query(statement, values, transaction)
    }

    /// Returns the transactions of these IDs, each with the journal position of its sale.
    package static func transactions(
        _ ids: Set<TransactionID>, app: Int64, _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws -> [TransactionID: (transaction: Transaction, sale: Int64)] {
        var found: [TransactionID: (transaction: Transaction, sale: Int64)] = [:]
        for places in RollUpRows.pages(of: ids.sorted(), length: idsPerQuery) {
            try connection.forEachRow(
                selectByIDs, [.integer(environment.rawValue), .integer(app)] + places.map { .integer($0.rawValue) }
            ) { row in
                let transaction = try transaction(row)
                found[transaction.id] = (transaction, try row.integer(columnCount))
            }
        }
        return found
    }

    /// IDs in one query, whose text is always the same.
    private static let idsPerQuery = 64
    private static let selectByIDs = SQL(
        """
        SELECT \(columns), journal_position FROM transactions WHERE environment = $1 AND app = $2
        AND id IN (\((0..<idsPerQuery).map { "$\($0 + 3)" }.joined(separator: ", ")))
        """)

    /// Returns the newest transactions that the app made with a name of its own for the customer.
    package static func named(
        _ name: String, limit: Int, app: Int64, _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws -> [Transaction] {
        try connection.query(
            selectOfUsername,
            [.integer(environment.rawValue), .integer(app), .text(name), .integer(Int64(limit))], transaction)
    }

    /// Returns the positions of a customer's sales in the journal, newest first. All of the customer's rows are read.
    package static func journalPositions(
        of key: CustomerKey, before position: Int64, limit: Int, on connection: any Connection
    ) throws -> [Int64] {
        try connection.query(
            """
            SELECT journal_position FROM transactions
            WHERE environment = $1 AND app = $2 AND account = $3 AND journal_position < $4
            ORDER BY journal_position DESC LIMIT $5
            """, key.values + [.integer(position), .integer(Int64(limit))]
        ) { try $0.integer(0) }
    }

    private static let ofApp = "SELECT \(columns) FROM transactions WHERE environment = $1 AND app = $2"
    private static let selectByTime = SQL(
        """
        \(ofApp) AND (purchased, id) < ($3, $4) AND purchased >= $5 ORDER BY purchased DESC, id DESC LIMIT $6
        """)
    private static let selectOfProduct = SQL(
        """
        \(ofApp) AND product = $3 AND (purchased, id) < ($4, $5) AND purchased >= $6
        ORDER BY purchased DESC, id DESC LIMIT $7
        """)
    private static let selectRevoked = SQL(
        """
        \(ofApp) AND revoked IS NOT NULL AND (purchased, id) < ($3, $4) AND purchased >= $5
        ORDER BY purchased DESC, id DESC LIMIT $6
        """)
    // The signs keep both planners from reading all sales in the order of time.
    private static let selectOfAccount = SQL(
        """
        \(ofApp) AND account = $3 AND (+purchased, +id) < ($4, $5) AND +purchased >= $6
        ORDER BY +purchased DESC, +id DESC LIMIT $7
        """)
    private static let selectOfUsername = SQL(
        "\(ofApp) AND application_username = $3 ORDER BY id DESC LIMIT $4")
}
