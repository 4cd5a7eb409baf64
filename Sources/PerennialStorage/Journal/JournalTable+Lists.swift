import Perennial

extension JournalTable {
    /// Returns the entries of a range of positions, without their postings.
    ///
    /// - Parameters:
    ///   - kind: The kind of entries; `nil` for all.
    ///   - isDescending: True for the newest first.
    package static func entries(
        in positions: ClosedRange<Int64>, kind: JournalEntry.Kind?, isDescending: Bool, limit: Int, app: Int64,
        _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws -> [(position: Int64, entry: JournalEntry)] {
        var values: [SQLValue] = [
            .integer(environment.rawValue), .integer(app), .integer(positions.lowerBound),
            .integer(positions.upperBound),
        ]
        if let kind { values.append(.text(kind.rawValue)) }
        values.append(.integer(Int64(limit)))
        return try connection.query(
            SQL(
                """
                SELECT \(entryColumns) FROM journal
                WHERE environment = $1 AND app = $2 AND position >= $3 AND position <= $4
                \(kind == nil ? "" : "AND kind = $5 ")ORDER BY position\(isDescending ? " DESC" : "")
                LIMIT $\(values.count)
                """), values, entryWithoutPostings)
    }

    /// Returns the entry at a position with its postings; `nil` if there is none.
    package static func entry(
        at position: Int64, app: Int64, _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws -> JournalEntry? {
        let found = try connection.first(
            selectOne, [.integer(environment.rawValue), .integer(app), .integer(position)], entryWithoutPostings)
        guard var entry = found?.entry else { return nil }
        entry.postings = try postings(at: position, app: app, environment, on: connection)
        return entry
    }

    /// The kinds that a customer's index leaves out: those of most sales, and finishing.
    package static let kindsWithoutIndex: [JournalEntry.Kind] = [
        .purchased, .subscription(.subscribed), .subscription(.renewed), .finished,
    ]

    /// Returns the positions of a customer's entries before a position, newest first, but for ``kindsWithoutIndex``.
    ///
    /// - Parameter id: The transaction of the entries; `nil` for all.
    package static func positions(
        of key: CustomerKey, transaction id: TransactionID? = nil, before position: Int64, limit: Int,
        on connection: any Connection
    ) throws -> [Int64] {
        let named: [SQLValue] = id.map { [.integer($0.rawValue)] } ?? []
        return try connection.query(
            id == nil ? selectOfCustomer : selectOfTransaction,
            key.values + [.integer(position)] + named + [.integer(Int64(limit))]
        ) { try $0.integer(0) }
    }

    private static let selectOne = SQL(
        "SELECT \(entryColumns) FROM journal WHERE environment = $1 AND app = $2 AND position = $3")
    // The kinds are those of the index's own condition, word for word.
    private static let ofCustomer = """
        SELECT position FROM journal WHERE environment = $1 AND app = $2 AND account = $3 \
        AND kind <> 'purchased' AND kind <> 'subscribed' AND kind <> 'renewed' AND kind <> 'finished' \
        AND position < $4
        """
    private static let selectOfCustomer = SQL("\(ofCustomer) ORDER BY position DESC LIMIT $5")
    private static let selectOfTransaction = SQL(
        "\(ofCustomer) AND transaction_id = $5 ORDER BY position DESC LIMIT $6")
}
