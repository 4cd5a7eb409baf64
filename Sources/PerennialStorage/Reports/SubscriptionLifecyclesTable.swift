import Perennial

/// The lifecycles of subscriptions, as far as the roll-up has read the journal.
package enum SubscriptionLifecyclesTable {
    /// Lifecycles in one query, whose text is always the same.
    private static let idsPerQuery = 64

    private static let select = SQL(
        """
        SELECT original_id, document FROM subscription_stories
        WHERE environment = $1 AND app = $2 AND generation = $3
        AND original_id IN (\((0..<idsPerQuery).map { "$\($0 + 4)" }.joined(separator: ", ")))
        """)
    private static let upsert = BatchInsert(
        into: "subscription_stories", ["environment", "app", "generation", "original_id", "document"],
        conflict: "ON CONFLICT (environment, app, generation, original_id) DO UPDATE SET document = excluded.document")

    /// Returns the lifecycles of subscriptions. Those without one are missing.
    package static func lifecycles(
        of ids: Set<TransactionID>, _ key: RollUpKey, on connection: any Connection
    ) throws -> [TransactionID: SubscriptionLifecycle] {
        var lifecycles: [TransactionID: SubscriptionLifecycle] = [:]
        for page in RollUpRows.pages(of: ids.sorted(), length: idsPerQuery) {
            try connection.forEachRow(select, key.values + page.map { .integer($0.rawValue) }) { row in
                lifecycles[TransactionID(rawValue: try row.integer(0))] = try lifecycle(row, 1)
            }
        }
        return lifecycles
    }

    /// Returns lifecycles after an ID, in the order of the IDs.
    package static func lifecycles(
        after id: TransactionID, limit: Int, _ key: RollUpKey, on connection: any Connection
    ) throws -> [(id: TransactionID, lifecycle: SubscriptionLifecycle)] {
        try connection.query(
            """
            SELECT original_id, document FROM subscription_stories
            WHERE environment = $1 AND app = $2 AND generation = $3 AND original_id > $4 ORDER BY original_id LIMIT $5
            """, key.values + [.integer(id.rawValue), .integer(Int64(limit))]
        ) { (id: TransactionID(rawValue: try $0.integer(0)), lifecycle: try lifecycle($0, 1)) }
    }

    package static func put(
        _ lifecycles: [TransactionID: SubscriptionLifecycle], _ key: RollUpKey, on connection: any Connection
    ) throws {
        try upsert.run(lifecycles.sorted { $0.key < $1.key }, on: connection) { row, values in
            values += key.values
            values.append(.integer(row.key.rawValue))
            values.append(.text(row.value.document))
        }
    }

    package static func erase(
        _ key: RollUpKey, atMost limit: Int, on connection: any Connection
    ) throws -> Bool {
        try RollUpRows.erase("subscription_stories", "original_id", key, atMost: limit, on: connection)
    }

    private static func lifecycle(_ row: any Row, _ column: Int) throws -> SubscriptionLifecycle {
        do {
            return try SubscriptionLifecycle(document: try row.text(column))
        } catch let error as RecordDecodingError {
            throw StorageError(.corrupt, "subscription_stories", "a document can't be read: \(error)")
        }
    }
}
