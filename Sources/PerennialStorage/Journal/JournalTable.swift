import Perennial

/// The journal of commerce: appended to in the transaction that makes the change, read by position.
package enum JournalTable {
    /// Appends entries and returns the position of the last.
    ///
    /// Positions become visible in order: a reader that has seen one has seen all before it. On SQLite one transaction at a time
    /// writes. On PostgreSQL the positions are provisional: they are in order, but above every real one, and get their numbers at
    /// the end of the transaction, behind its last lock (``ProvisionalPositions``). Statements take them as they are. They may
    /// not leave the transaction, nor be part of a text: ``number(of:on:)`` returns the real one.
    @discardableResult
    package static func append(
        _ entries: [JournalEntry], app: Int64, _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws -> Int64 {
        guard !entries.isEmpty else { return 0 }
        let count = Int64(entries.count)
        let last =
            try connection.reservePositions(count, app: app, environment)
            ?? advanceHead(by: count, app: app, environment, on: connection)
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

    /// Returns the real position of an entry that this transaction has appended.
    ///
    /// On PostgreSQL this locks the app's journal until the commit: for changes that are rare.
    package static func number(of position: Int64, on connection: any Connection) throws -> Int64 {
        guard position > ProvisionalPositions.lowest else { return position }
        return try connection.first("SELECT CAST($1 AS BIGINT)", [.integer(position)]) { try $0.integer(0) } ?? position
    }

    private static let insertEntries = BatchInsert(
        into: "journal",
        [
            "environment", "app", "position", "kind", "at", "account", "transaction_id", "original_id", "product",
            "device", "app_version", "proceeds_reason", "is_price_preserved", "storefront",
        ])
    private static let insertPostings = BatchInsert(
        into: "postings", ["environment", "app", "position", "line", "account", "amount", "currency"])

    private static func append(_ entry: JournalEntry, to values: inout [SQLValue]) {
        values.append(.text(entry.kind.rawValue))
        values.append(.integer(entry.at.milliseconds))
        values.append(.integer(entry.accountID.rawValue))
        values.append(SQLValue(entry.transactionID?.rawValue))
        values.append(SQLValue(entry.originalID?.rawValue))
        values.append(SQLValue(entry.productID?.rawValue))
        values.append(SQLValue(entry.facts?.device?.rawValue))
        values.append(SQLValue(entry.facts?.appVersion))
        values.append(SQLValue(entry.facts?.proceedsReason?.rawValue))
        values.append(entry.facts?.isPricePreserved == true ? .integer(1) : .null)
        values.append(SQLValue(entry.facts?.storefront?.rawValue))
    }

    private static func append(_ posting: Posting, line: Int, to values: inout [SQLValue]) {
        values.append(.integer(Int64(line)))
        values.append(.text(posting.account.rawValue))
        values.append(.integer(posting.amount.milliunits))
        values.append(.text(posting.amount.currency.rawValue))
    }

    private static func advanceHead(
        by count: Int64, app: Int64, _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws -> Int64 {
        let known = connection.journalHead?.position(app: app, environment, on: connection)
        let position =
            try known.flatMap { try move(to: $0 + count, app: app, environment, on: connection) }
            ?? incrementSequence(by: count, app: app, environment, on: connection)
        connection.journalHead = JournalHead(
            environment: environment, app: app, position: position, reading: connection.snapshotID)
        return position
    }

    /// Sets the sequence.
    /// - Returns: `nil` if its row is gone: the environment was emptied in the same transaction.
    private static func move(
        to position: Int64, app: Int64, _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws -> Int64? {
        let moved = try connection.execute(
            "UPDATE journal_heads SET position = $1 WHERE environment = $2 AND app = $3",
            [.integer(position), .integer(environment.rawValue), .integer(app)])
        return moved == 1 ? position : nil
    }

    private static func incrementSequence(
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
}

/// The last position of an app's journal, cached by the transaction that has incremented it.
///
/// The row is locked until the transaction's end, so that purchases that share a commit needn't read it again.
package struct JournalHead: Sendable {
    let environment: StoreEnvironment.ID
    let app: Int64
    let position: Int64
    /// The snapshot in which it was incremented. A different one means that the transaction has ended or was partly undone.
    let reading: SnapshotID

    func position(
        app: Int64, _ environment: StoreEnvironment.ID, on connection: any Connection
    ) -> Int64? {
        guard self.app == app, self.environment == environment, reading == connection.snapshotID else { return nil }
        return position
    }
}
