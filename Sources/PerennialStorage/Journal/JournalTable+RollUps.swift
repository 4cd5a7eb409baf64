import Perennial

/// Reads of many entries at once: each is one statement, however many entries there are.
extension JournalTable {
    /// Returns the last position of an app's journal; 0 for an empty one.
    package static func lastPosition(
        app: Int64, _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws -> Int64 {
        try connection.first(
            "SELECT position FROM journal_heads WHERE environment = $1 AND app = $2",
            [.integer(environment.rawValue), .integer(app)]
        ) { try $0.integer(0) } ?? 0
    }

    /// Returns the postings of a range of positions, in order.
    package static func postings(
        after first: Int64, through last: Int64, app: Int64, _ environment: StoreEnvironment.ID,
        on connection: any Connection
    ) throws -> [(position: Int64, posting: Posting)] {
        try connection.query(
            """
            SELECT account, amount, currency, position FROM postings
            WHERE environment = $1 AND app = $2 AND position > $3 AND position <= $4 ORDER BY position, line
            """, [.integer(environment.rawValue), .integer(app), .integer(first), .integer(last)]
        ) { (position: try $0.integer(3), posting: try posting($0)) }
    }

    /// Returns the transactions of a range of entries, each with the position of its sale.
    ///
    /// Entries of finished transactions are left out: every transaction has one, and no report needs it.
    package static func transactions(
        after first: Int64, through last: Int64, app: Int64, _ environment: StoreEnvironment.ID,
        on connection: any Connection
    ) throws -> [TransactionID: (transaction: Transaction, sale: Int64)] {
        var found: [TransactionID: (transaction: Transaction, sale: Int64)] = [:]
        try connection.forEachRow(
            selectTransactions, [.integer(environment.rawValue), .integer(app), .integer(first), .integer(last)]
        ) { row in
            let transaction = try TransactionsTable.transaction(row)
            found[transaction.id] = (transaction, try row.integer(TransactionsTable.columnCount))
        }
        return found
    }

    /// Returns the entries at these positions, without their postings.
    package static func entries(
        at positions: [Int64], app: Int64, _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws -> [Int64: JournalEntry] {
        var found: [Int64: JournalEntry] = [:]
        for places in RollUpRows.pages(of: Set(positions).sorted(), length: positionsPerQuery) {
            try connection.forEachRow(
                selectEntries, [.integer(environment.rawValue), .integer(app)] + places.map { SQLValue.integer($0) }
            ) { row in
                let (position, entry) = try entryWithoutPostings(row)
                found[position] = entry
            }
        }
        return found
    }

    /// Returns the postings of the entries at these positions.
    package static func postings(
        at positions: [Int64], app: Int64, _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws -> [Int64: [Posting]] {
        var found: [Int64: [Posting]] = [:]
        for places in RollUpRows.pages(of: Set(positions).sorted(), length: positionsPerQuery) {
            try connection.forEachRow(
                selectPostings, [.integer(environment.rawValue), .integer(app)] + places.map { SQLValue.integer($0) }
            ) { row in
                found[try row.integer(3), default: []].append(try posting(row))
            }
        }
        return found
    }

    /// The keys of an entry: whom and what it is about.
    package struct Key: Sendable {
        package var position: Int64
        package var accountID: Account.ID
        package var originalID: TransactionID?
    }

    /// Passes the keys of a range of entries to a closure, in order of position. Entries of finished transactions are left
    /// out.
    package static func forEachKey(
        in positions: ClosedRange<Int64>, app: Int64, _ environment: StoreEnvironment.ID,
        on connection: any Connection, _ body: (Key) throws -> Void
    ) throws {
        try connection.forEachRow(
            """
            SELECT position, account, original_id FROM journal
            WHERE environment = $1 AND app = $2 AND position >= $3 AND position <= $4 AND kind <> 'finished'
            ORDER BY position
            """,
            [
                .integer(environment.rawValue), .integer(app), .integer(positions.lowerBound),
                .integer(positions.upperBound),
            ]
        ) { row in
            try body(
                Key(
                    position: try row.integer(0), accountID: Account.ID(rawValue: try row.integer(1)),
                    originalID: try row.optionalInteger(2).map(TransactionID.init(rawValue:))))
        }
    }

    /// Entries in one query, whose text is always the same.
    private static let positionsPerQuery = 64

    private static let selectEntries = SQL(
        """
        SELECT \(entryColumns) FROM journal WHERE environment = $1 AND app = $2
        AND position IN (\((0..<positionsPerQuery).map { "$\($0 + 3)" }.joined(separator: ", ")))
        """)

    private static let selectPostings = SQL(
        """
        SELECT account, amount, currency, position FROM postings WHERE environment = $1 AND app = $2
        AND position IN (\((0..<positionsPerQuery).map { "$\($0 + 3)" }.joined(separator: ", "))) ORDER BY position, line
        """)

    private static let selectTransactions = SQL(
        """
        SELECT \(TransactionsTable.columns(of: "t")), t.journal_position FROM journal AS j
        JOIN transactions AS t ON t.environment = j.environment AND t.app = j.app AND t.id = j.transaction_id
        WHERE j.environment = $1 AND j.app = $2 AND j.position > $3 AND j.position <= $4 AND j.kind <> 'finished'
        """)
}

extension TransactionsTable {
    private static let columnNames = columns.split(separator: ",").map { $0.filter { $0 != " " } }

    /// The number of columns that a transaction is read from.
    static let columnCount = columnNames.count

    /// Returns the columns of a transaction for a statement that joins several tables.
    static func columns(of alias: String) -> String {
        columnNames.map { "\(alias).\($0)" }.joined(separator: ", ")
    }
}
