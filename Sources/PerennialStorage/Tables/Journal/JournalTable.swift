import Perennial

/// The journal of commerce: appended to in the transaction that makes the change, read by position.
package enum JournalTable {
    /// Appends entries and returns the position of the last.
    ///
    /// The app's head row is locked until the commit, so that positions become visible in their order and a reader that has
    /// seen one has seen all before it. It is the last lock a change takes.
    @discardableResult
    package static func append(
        _ entries: [JournalEntry], app: Int64, _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws -> Int64 {
        guard !entries.isEmpty else { return 0 }
        let last = try advanceHead(by: Int64(entries.count), app: app, environment, on: connection)
        let first = last - Int64(entries.count - 1)
        var lines: [(position: Int64, line: Int, posting: Posting)] = []
        for (offset, entry) in entries.enumerated() {
            guard entry.postings.balances else {
                throw StorageError(.constraint, "postings", "the postings of a \(entry.kind) entry don't sum to zero")
            }
            for (line, posting) in entry.postings.enumerated() { lines.append((first + Int64(offset), line, posting)) }
        }
        func appendKey(_ position: Int64, to values: inout [SQLValue]) {
            values.append(.integer(environment.rawValue))
            values.append(.integer(app))
            values.append(.integer(position))
        }
        try insertEntries.run(entries.indices, on: connection) { index, values in
            appendKey(first + Int64(index), to: &values)
            append(entries[index], to: &values)
        }
        try insertPostings.run(lines, on: connection) { line, values in
            appendKey(line.position, to: &values)
            append(line.posting, line: line.line, to: &values)
        }
        return last
    }

    private static let insertEntries = RowsInsert(
        into: "journal",
        ["environment", "app", "position", "kind", "at", "account", "transaction_id", "original_id", "product"])
    private static let insertPostings = RowsInsert(
        into: "postings", ["environment", "app", "position", "line", "account", "amount", "currency"])

    private static func append(_ entry: JournalEntry, to values: inout [SQLValue]) {
        values.append(.text(entry.kind.rawValue))
        values.append(.integer(entry.at.milliseconds))
        values.append(.integer(entry.accountID.rawValue))
        values.append(SQLValue(entry.transactionID?.rawValue))
        values.append(SQLValue(entry.originalID?.rawValue))
        values.append(SQLValue(entry.productID?.rawValue))
    }

    private static func append(_ posting: Posting, line: Int, to values: inout [SQLValue]) {
        values.append(.integer(Int64(line)))
        values.append(.text(posting.account.rawValue))
        values.append(.integer(posting.amount.milliunits))
        values.append(.text(posting.amount.currency.rawValue))
    }

    /// How far each app's journal is, in every environment.
    package static func heads(
        on connection: any Connection
    ) throws -> [(environment: StoreEnvironment.ID, app: Int64, position: Int64)] {
        try connection.query("SELECT environment, app, position FROM journal_heads ORDER BY environment, app") { row in
            (StoreEnvironment.ID(rawValue: try row.integer(0)), try row.integer(1), try row.integer(2))
        }
    }

    private static func advanceHead(
        by count: Int64, app: Int64, _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws -> Int64 {
        let known = connection.journalHead?.position(app: app, environment, on: connection)
        let position =
            try known.flatMap { try move(to: $0 + count, app: app, environment, on: connection) }
            ?? advanceUnknownHead(by: count, app: app, environment, on: connection)
        connection.journalHead = JournalHead(
            environment: environment, app: app, position: position, reading: connection.readingNumber)
        return position
    }

    /// - Returns: `nil` where the head is gone: the environment was emptied in the same transaction.
    private static func move(
        to position: Int64, app: Int64, _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws -> Int64? {
        let moved = try connection.execute(
            "UPDATE journal_heads SET position = $1 WHERE environment = $2 AND app = $3",
            [.integer(position), .integer(environment.rawValue), .integer(app)])
        return moved == 1 ? position : nil
    }

    private static func advanceUnknownHead(
        by count: Int64, app: Int64, _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws -> Int64 {
        let position = try connection.first(
            """
            INSERT INTO journal_heads (environment, app, position) VALUES ($1, $2, $3)
            ON CONFLICT (environment, app) DO UPDATE SET position = journal_heads.position + excluded.position
            /*RETURNING position*/
            """, [.integer(environment.rawValue), .integer(app), .integer(count)]
        ) { try $0.integer(0) }
        return try position ?? head(app: app, environment, on: connection)
    }

    private static func head(
        app: Int64, _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws -> Int64 {
        let position = try connection.first(
            "SELECT position FROM journal_heads WHERE environment = $1 AND app = $2",
            [.integer(environment.rawValue), .integer(app)]
        ) { try $0.integer(0) }
        guard let position else { throw StorageError(.corrupt, "journal_heads", "app \(app) has no head") }
        return position
    }

    /// The postings of the entry at a position.
    package static func postings(
        at position: Int64, app: Int64, _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws -> [Posting] {
        try connection.query(
            """
            SELECT account, amount, currency FROM postings
            WHERE environment = $1 AND app = $2 AND position = $3 ORDER BY line
            """, [.integer(environment.rawValue), .integer(app), .integer(position)], posting)
    }

    /// Where the journal last tells of something of these kinds that happened to a transaction.
    package static func lastPosition(
        of id: TransactionID, _ kinds: [JournalEntry.Kind], app: Int64, _ environment: StoreEnvironment.ID,
        on connection: any Connection
    ) throws -> Int64? {
        let sold = try TransactionsTable.journalPosition(of: id, app: app, environment, on: connection) ?? 0
        let places = kinds.indices.map { "$\($0 + 5)" }.joined(separator: ", ")
        // From the newest entry back to the sale: refunds are answered soon.
        return try connection.first(
            SQL(
                """
                SELECT position FROM journal
                WHERE environment = $1 AND app = $2 AND position >= $3 AND transaction_id = $4 AND kind IN (\(places))
                ORDER BY position DESC LIMIT 1
                """),
            [.integer(environment.rawValue), .integer(app), .integer(sold), .integer(id.rawValue)]
                + kinds.map { .text($0.rawValue) }
        ) { try $0.integer(0) }
    }

    /// Entries after a position, in order.
    package static func entries(
        after position: Int64, limit: Int, app: Int64, _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws -> [(position: Int64, entry: JournalEntry)] {
        let entries = try headings(after: position, limit: limit, app: app, environment, on: connection)
        return try entries.map { found in
            var entry = found.entry
            entry.postings = try postings(at: found.position, app: app, environment, on: connection)
            return (found.position, entry)
        }
    }

    /// Entries after a position, in order, without their money.
    package static func headings(
        after position: Int64, limit: Int, app: Int64, _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws -> [(position: Int64, entry: JournalEntry)] {
        try connection.query(
            """
            SELECT position, kind, at, account, transaction_id, original_id, product FROM journal
            WHERE environment = $1 AND app = $2 AND position > $3 ORDER BY position LIMIT $4
            """, [.integer(environment.rawValue), .integer(app), .integer(position), .integer(Int64(limit))]
        ) { row in
            (
                position: try row.integer(0),
                entry: JournalEntry(
                    try row.value(1), at: try row.instant(2), accountID: Account.ID(rawValue: try row.integer(3)),
                    transactionID: try row.optionalInteger(4).map(TransactionID.init(rawValue:)),
                    originalID: try row.optionalInteger(5).map(TransactionID.init(rawValue:)),
                    productID: try row.optionalText(6).map(Product.ID.init(rawValue:)))
            )
        }
    }

    private static func posting(_ row: any Row) throws -> Posting {
        Posting(try row.value(0), Money(milliunits: try row.integer(1), Currency(rawValue: try row.text(2))))
    }
}
