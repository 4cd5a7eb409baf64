import Perennial

extension JournalTable {
    /// Returns the last position of each app's journal, in every environment.
    package static func heads(
        on connection: any Connection
    ) throws -> [(environment: StoreEnvironment.ID, app: Int64, position: Int64)] {
        try connection.query("SELECT environment, app, position FROM journal_heads ORDER BY environment, app") { row in
            (StoreEnvironment.ID(rawValue: try row.integer(0)), try row.integer(1), try row.integer(2))
        }
    }

    /// Returns the postings of the entry at a position.
    package static func postings(
        at position: Int64, app: Int64, _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws -> [Posting] {
        try connection.query(
            """
            SELECT /*only $3*/ account, amount, currency FROM postings
            WHERE environment = $1 AND app = $2 AND position = $3 ORDER BY line
            """, [.integer(environment.rawValue), .integer(app), .integer(position)], posting)
    }

    /// Returns the position of a transaction's last entry of these kinds.
    package static func lastPosition(
        of id: TransactionID, _ kinds: [JournalEntry.Kind], app: Int64, _ environment: StoreEnvironment.ID,
        on connection: any Connection
    ) throws -> Int64? {
        let sold = try TransactionsTable.journalPosition(of: id, app: app, environment, on: connection) ?? 0
        let places = kinds.indices.map { "$\($0 + 5)" }.joined(separator: ", ")
        // Searched from the newest entry back to the sale: refunds are answered soon.
        return try connection.first(
            SQL(
                """
                SELECT /*only $4*/ position FROM journal
                WHERE environment = $1 AND app = $2 AND position >= $3 AND transaction_id = $4 AND kind IN (\(places))
                ORDER BY position DESC LIMIT 1
                """),
            [.integer(environment.rawValue), .integer(app), .integer(sold), .integer(id.rawValue)]
                + kinds.map { .text($0.rawValue) }
        ) { try $0.integer(0) }
    }

    /// Returns the entries after a position, in order.
    package static func entries(
        after position: Int64, limit: Int, app: Int64, _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws -> [(position: Int64, entry: JournalEntry)] {
        let entries = try entriesWithoutPostings(after: position, limit: limit, app: app, environment, on: connection)
        return try entries.map { found in
            var entry = found.entry
            entry.postings = try postings(at: found.position, app: app, environment, on: connection)
            return (found.position, entry)
        }
    }

    /// Returns the entries after a position, in order, without their postings.
    package static func entriesWithoutPostings(
        after position: Int64, limit: Int, app: Int64, _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws -> [(position: Int64, entry: JournalEntry)] {
        try connection.query(
            selectAfter, [.integer(environment.rawValue), .integer(app), .integer(position), .integer(Int64(limit))],
            entryWithoutPostings)
    }

    private static let selectAfter = SQL(
        """
        SELECT \(entryColumns) FROM journal
        WHERE environment = $1 AND app = $2 AND position > $3 ORDER BY position LIMIT $4
        """)

    /// The columns that ``entryWithoutPostings(_:)`` reads.
    static let entryColumns = """
        position, kind, at, account, transaction_id, original_id, product, device, app_version, proceeds_reason, \
        is_price_preserved, storefront
        """

    static func entryWithoutPostings(_ row: any Row) throws -> (position: Int64, entry: JournalEntry) {
        (
            position: try row.integer(0),
            entry: JournalEntry(
                try row.value(1), at: try row.instant(2), accountID: Account.ID(rawValue: try row.integer(3)),
                transactionID: try row.optionalInteger(4).map(TransactionID.init(rawValue:)),
                originalID: try row.optionalInteger(5).map(TransactionID.init(rawValue:)),
                productID: try row.optionalText(6).map(Product.ID.init(rawValue:)), facts: try facts(row))
        )
    }

    /// Returns the positions of a transaction's entries, in order, from its sale on.
    package static func positions(
        of id: TransactionID, limit: Int, app: Int64, _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws -> [Int64] {
        let sold = try TransactionsTable.journalPosition(of: id, app: app, environment, on: connection) ?? 0
        return try connection.query(
            """
            SELECT /*only $4*/ position FROM journal WHERE environment = $1 AND app = $2 AND position >= $3 AND transaction_id = $4
            ORDER BY position LIMIT $5
            """,
            [
                .integer(environment.rawValue), .integer(app), .integer(sold), .integer(id.rawValue),
                .integer(Int64(limit)),
            ]
        ) { try $0.integer(0) }
    }

    private static func facts(_ row: any Row) throws -> SaleFacts? {
        let facts = SaleFacts(
            device: try row.optionalText(7).flatMap(DeviceFamily.init(rawValue:)), appVersion: try row.optionalText(8),
            proceedsReason: try row.optionalText(9).flatMap(ProceedsReason.init(rawValue:)),
            isPricePreserved: try row.optionalInteger(10) == 1,
            storefront: try row.optionalText(11).map(Storefront.init(rawValue:)))
        return facts == SaleFacts() ? nil : facts
    }

    static func posting(_ row: any Row) throws -> Posting {
        Posting(try row.value(0), Money(milliunits: try row.integer(1), Currency(rawValue: try row.text(2))))
    }

    /// Returns the number of entries of each kind between two positions.
    package static func counts(
        after first: Int64, through last: Int64, app: Int64, _ environment: StoreEnvironment.ID,
        on connection: any Connection
    ) throws -> [String: Int64] {
        let counts = try connection.query(
            """
            SELECT kind, COUNT(*) FROM journal
            WHERE environment = $1 AND app = $2 AND position > $3 AND position <= $4 GROUP BY kind
            """, [.integer(environment.rawValue), .integer(app), .integer(first), .integer(last)]
        ) { (try $0.text(0), try $0.integer(1)) }
        return Dictionary(uniqueKeysWithValues: counts)
    }
}
