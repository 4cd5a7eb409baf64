import Perennial

/// All purchases and periods of subscriptions.
package enum TransactionsTable {
    /// Inserts a transaction.
    /// - Parameters:
    ///   - position: The position of its journal entry.
    ///   - revision: The next revision of the customer's purchases.
    package static func insert(
        _ transaction: Transaction, journalPosition position: Int64, revision: Int64, _ key: CustomerKey,
        on connection: any Connection
    ) throws {
        try insert([(PendingRow(transaction, revision: revision, key), position)], on: connection)
    }

    /// A row whose position in the journal isn't known yet.
    package struct PendingRow: Sendable {
        private var values: [SQLValue]

        package init(_ transaction: Transaction, revision: Int64, _ key: CustomerKey) {
            values = [
                .integer(key.environment.rawValue), .integer(key.app), .null, .integer(revision),
                .integer(transaction.id.rawValue),
                .integer(transaction.originalID.rawValue), .integer(transaction.accountID.rawValue),
                .text(transaction.productID.rawValue), .text(transaction.type.rawValue),
                .integer(Int64(transaction.quantity)), .integer(transaction.purchaseDate.milliseconds),
                .integer(transaction.originalPurchaseDate.milliseconds),
                SQLValue(transaction.expiresDate?.milliseconds),
                SQLValue(transaction.webOrderLineItemID), SQLValue(transaction.subscriptionGroupID),
                SQLValue(transaction.revocation?.date.milliseconds),
                SQLValue(transaction.revocation?.reason.rawValue), SQLValue(transaction.revocation?.kind.rawValue),
                SQLValue(transaction.revocation?.percentage), .integer(transaction.price.milliunits),
                .text(transaction.price.currency.rawValue), .text(transaction.storefront.rawValue),
                .text(transaction.ownership.rawValue), .text(transaction.reason.rawValue),
                SQLValue(transaction.offer?.kind.rawValue), SQLValue(transaction.offer?.id),
                SQLValue(transaction.offer?.paymentMode.rawValue), SQLValue(transaction.offer?.period?.iso8601),
                SQLValue(transaction.isUpgraded), SQLValue(transaction.applicationUsername),
                SQLValue(transaction.isFinished),
            ]
        }

        /// The environment and the app.
        var key: [SQLValue] { [values[0], values[1]] }
        var id: SQLValue { values[4] }

        fileprivate func append(to all: inout [SQLValue], at position: Int64) {
            let start = all.count
            all += values
            all[start + TransactionsTable.journalPositionColumn] = .integer(position)
        }
    }

    /// Inserts rows, each with its position in the journal.
    package static func insert(_ rows: [(row: PendingRow, position: Int64)], on connection: any Connection) throws {
        for rows in connection.engine == .postgres ? sameApp(rows) : [rows] {
            try insertRows.run(rows) {
                $0.row.append(to: &$1, at: $0.position)
            } send: {
                try connection.send($0, $1, correction: corrections(of: Array($2)))
            }
        }
    }

    private static let journalPositionColumn = 2
    private static let insertRows = BatchInsert(
        into: "transactions",
        [
            "environment", "app", "journal_position", "modified", "id", "original_id", "account", "product", "type",
            "quantity", "purchased", "originally_purchased", "expires", "web_order_line_item", "subscription_group",
            "revoked", "revocation_reason", "revocation_kind", "revocation_percentage", "price", "currency",
            "storefront", "ownership", "reason", "offer_kind", "offer_id", "offer_payment_mode", "offer_period",
            "is_upgraded", "application_username", "is_finished",
        ], rowsMax: 16)

    /// Writes the properties that can change after a purchase: expiry, revocation, upgrade.
    ///
    /// - Parameter revision: The next revision of the customer's purchases.
    package static func update(
        _ transaction: Transaction, revision: Int64, _ key: CustomerKey, on connection: any Connection
    ) throws {
        try connection.send(
            """
            UPDATE /*only $10*/ transactions SET expires = $1, revoked = $2, revocation_reason = $3, revocation_kind = $4,
            revocation_percentage = $5, is_upgraded = $6, modified = $7
            WHERE environment = $8 AND app = $9 AND id = $10
            """,
            [
                SQLValue(transaction.expiresDate?.milliseconds), SQLValue(transaction.revocation?.date.milliseconds),
                SQLValue(transaction.revocation?.reason.rawValue), SQLValue(transaction.revocation?.kind.rawValue),
                SQLValue(transaction.revocation?.percentage), SQLValue(transaction.isUpgraded), .integer(revision),
                .integer(key.environment.rawValue), .integer(key.app), .integer(transaction.id.rawValue),
            ])
    }

    /// Marks a transaction as finished by the app. Histories don't count this as a change; devices are told of it.
    ///
    /// - Parameter revision: The next revision of the customer's purchases.
    package static func finish(
        _ id: TransactionID, revision: Int64, _ key: CustomerKey, on connection: any Connection
    ) throws {
        try connection.send(
            """
            UPDATE /*only $4*/ transactions SET is_finished = 1, finished_revision = $1
            WHERE environment = $2 AND app = $3 AND id = $4
            """,
            [
                .integer(revision), .integer(key.environment.rawValue), .integer(key.app), .integer(id.rawValue),
            ])
    }

    /// Sets the app's name for the customer on a purchase and all its periods.
    package static func setApplicationUsername(
        _ name: String, originalID: TransactionID, _ key: CustomerKey, on connection: any Connection
    ) throws {
        try connection.send(
            """
            UPDATE transactions SET application_username = $1, modified = (SELECT customers.revision + 1 FROM customers
            WHERE customers.environment = $2 AND customers.app = $3 AND customers.account = $4)
            WHERE environment = $2 AND app = $3 AND account = $4 AND original_id = $5
            """, [.text(name)] + key.values + [.integer(originalID.rawValue)])
    }

    package static func transaction(
        _ id: TransactionID, app: Int64, _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws -> Transaction? {
        try connection.first(
            selectOne,
            [.integer(environment.rawValue), .integer(app), .integer(id.rawValue)], transaction)
    }

    /// Returns the position of a transaction's sale in the journal.
    package static func journalPosition(
        of id: TransactionID, app: Int64, _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws -> Int64? {
        try connection.first(
            "SELECT /*only $3*/ journal_position FROM transactions WHERE environment = $1 AND app = $2 AND id = $3",
            [.integer(environment.rawValue), .integer(app), .integer(id.rawValue)]
        ) { try $0.integer(0) }
    }

    /// Returns all transactions of a customer, in the journal's order of their sales.
    ///
    /// The order of IDs is another one: each node allocates them from its own block.
    package static func all(of key: CustomerKey, on connection: any Connection) throws -> [Transaction] {
        try connection.query(
            selectAll, key.values, transaction)
    }

    /// Returns a customer's transactions of a product or its subscription group, in the order of their sales.
    package static func history(
        of key: CustomerKey, product: Product.ID, group: String?, on connection: any Connection
    ) throws -> [Transaction] {
        try connection.query(
            selectHistory, key.values + [.text(product.rawValue), SQLValue(group)], transaction)
    }

    /// Returns the products of an app with which something was sold, in any environment.
    package static func soldProducts(app: Int64, on connection: any Connection) throws -> Set<String> {
        Set(
            try connection.query("SELECT DISTINCT product FROM transactions WHERE app = $1", [.integer(app)]) {
                try $0.text(0)
            })
    }

    /// Returns the date of a customer's last payment in the app, and the code offers redeemed for a product.
    package static func spending(
        of key: CustomerKey, on product: Product.ID, on connection: any Connection
    ) throws -> CustomerSpending {
        let lastPaid = try connection.first(
            """
            SELECT /*only $3*/ MAX(purchased) FROM transactions
            WHERE environment = $1 AND app = $2 AND account = $3 AND price > 0
            """, key.values
        ) { try $0.optionalInstant(0) }
        let redeemed = try connection.query(
            """
            SELECT /*only $3*/ DISTINCT offer_id FROM transactions
            WHERE environment = $1 AND app = $2 AND account = $3 AND product = $4 AND offer_kind = $5
            AND offer_id IS NOT NULL
            """, key.values + [.text(product.rawValue), .integer(AppliedOffer.Kind.code.rawValue)]
        ) { try $0.text(0) }
        return CustomerSpending(lastPaid: lastPaid ?? nil, redeemedOffers: Set(redeemed))
    }

    /// Returns a customer's unfinished transactions, in the order of their sales.
    package static func unfinished(
        of key: CustomerKey, limit: Int, on connection: any Connection
    ) throws -> [Transaction] {
        try connection.query(
            selectUnfinished, key.values + [.integer(Int64(limit))], transaction)
    }

    /// Returns an app's transactions, the highest IDs first.
    package static func newest(
        limit: Int, app: Int64, _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws -> [Transaction] {
        try connection.query(
            selectNewest, [.integer(environment.rawValue), .integer(app), .integer(Int64(limit))], transaction)
    }

    static let columns = """
        id, original_id, account, product, type, quantity, purchased, originally_purchased, expires, web_order_line_item, \
        subscription_group, revoked, revocation_reason, price, currency, storefront, ownership, reason, offer_kind, \
        offer_id, offer_payment_mode, offer_period, is_upgraded, application_username, is_finished, revocation_kind, \
        revocation_percentage
        """

    private static let selectOne = SQL(
        "SELECT /*only $3*/ \(columns) FROM transactions WHERE environment = $1 AND app = $2 AND id = $3")
    private static let selectNewest = SQL(
        "SELECT \(columns) FROM transactions WHERE environment = $1 AND app = $2 ORDER BY id DESC LIMIT $3")
    private static let ofCustomer =
        "SELECT /*only $3*/ \(columns) FROM transactions WHERE environment = $1 AND app = $2 AND account = $3"
    private static let oldestFirst = "ORDER BY journal_position, id"
    private static let selectAll = SQL("\(ofCustomer) \(oldestFirst)")
    private static let selectHistory = SQL("\(ofCustomer) AND (product = $4 OR subscription_group = $5) \(oldestFirst)")
    private static let selectUnfinished = SQL("\(ofCustomer) AND is_finished = 0 \(oldestFirst) LIMIT $4")

    static func transaction(_ row: any Row) throws -> Transaction {
        Transaction(
            id: TransactionID(rawValue: try row.integer(0)), originalID: TransactionID(rawValue: try row.integer(1)),
            accountID: Account.ID(rawValue: try row.integer(2)), productID: Product.ID(rawValue: try row.text(3)),
            type: try row.value(4), quantity: Int(try row.integer(5)), purchaseDate: try row.instant(6),
            originalPurchaseDate: try row.instant(7), expiresDate: try row.optionalInstant(8),
            webOrderLineItemID: try row.optionalInteger(9), subscriptionGroupID: try row.optionalText(10),
            revocation: try revocation(row),
            price: Money(milliunits: try row.integer(13), Currency(rawValue: try row.text(14))),
            storefront: Storefront(rawValue: try row.text(15)), ownership: try row.value(16), reason: try row.value(17),
            offer: try offer(row), isUpgraded: try row.bool(22), applicationUsername: try row.optionalText(23),
            isFinished: try row.bool(24))
    }

    private static func revocation(_ row: any Row) throws -> Transaction.Revocation? {
        guard let date = try row.optionalInstant(11) else { return nil }
        return Transaction.Revocation(
            date: date, reason: try row.optionalInteger(12) == 1 ? .issueWithApp : .other, kind: try row.value(25),
            percentage: try row.optionalInteger(26))
    }

    private static func offer(_ row: any Row) throws -> AppliedOffer? {
        guard let number = try row.optionalInteger(18) else { return nil }
        let mode: AppliedOffer.PaymentMode = try row.value(20)
        let period = try row.optionalText(21).flatMap { Period(iso8601: $0) }
        guard let kind = AppliedOffer.Kind(rawValue: number), (period == nil) == (mode == .oneTime) else {
            throw StorageError(.corrupt, "transactions", "offer kind \(number) or its period is none we know")
        }
        return AppliedOffer(kind: kind, id: try row.optionalText(19), paymentMode: mode, period: period)
    }
}
