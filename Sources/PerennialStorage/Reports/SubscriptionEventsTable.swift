import Perennial

/// The rows of the Subscription Event report by day, with the journal positions behind each.
package enum SubscriptionEventsTable {
    /// An event with the position of its entry.
    package struct Occurrence: Hashable, Sendable {
        package var day: PacificDay
        package var event: SubscriptionReportEvent
        package var position: Int64

        package init(day: PacificDay, event: SubscriptionReportEvent, position: Int64) {
            self.day = day
            self.event = event
            self.position = position
        }
    }

    /// Returns the events of a day, equal ones as one with their number.
    package static func events(
        on day: PacificDay, _ key: RollUpKey, on connection: any Connection
    ) throws -> [(event: SubscriptionReportEvent, quantity: Int64)] {
        try connection.query(
            """
            SELECT document, quantity FROM subscription_events
            WHERE environment = $1 AND app = $2 AND generation = $3 AND day = $4 ORDER BY document
            """, key.values + [.integer(day.number)]
        ) { row in (try event(row), try row.integer(1)) }
    }

    /// Returns the journal positions behind one row of a day.
    package static func positions(
        of event: SubscriptionReportEvent, on day: PacificDay, _ key: RollUpKey, on connection: any Connection
    ) throws -> [Int64] {
        try connection.query(
            """
            SELECT position FROM subscription_event_positions
            WHERE environment = $1 AND app = $2 AND generation = $3 AND day = $4 AND digest = $5 ORDER BY position
            """, key.values + [.integer(day.number), .integer(digest(of: event.document))]
        ) { try $0.integer(0) }
    }

    package static func add(
        _ occurrences: [Occurrence], _ key: RollUpKey, on connection: any Connection
    ) throws {
        var quantities: [PendingRow: Int64] = [:]
        var positions: [(day: Int64, digest: Int64, position: Int64)] = []
        positions.reserveCapacity(occurrences.count)
        for occurrence in occurrences {
            let row = PendingRow(day: occurrence.day.number, document: occurrence.event.document)
            quantities[row, default: 0] += 1
            positions.append((row.day, digest(of: row.document), occurrence.position))
        }
        let rows = quantities.sorted { ($0.key.day, $0.key.document) < ($1.key.day, $1.key.document) }
        try insertEvents.run(rows, on: connection) { row, values in
            values += key.values
            values.append(.integer(row.key.day))
            values.append(.text(row.key.document))
            values.append(.integer(row.value))
        }
        try insertPositions.run(
            positions.sorted { ($0.day, $0.digest, $0.position) < ($1.day, $1.digest, $1.position) }, on: connection
        ) { row, values in
            values += key.values
            values.append(.integer(row.day))
            values.append(.integer(row.digest))
            values.append(.integer(row.position))
        }
    }

    package static func erase(
        _ key: RollUpKey, atMost limit: Int, on connection: any Connection
    ) throws -> Bool {
        guard
            try RollUpRows.erase(
                "subscription_event_positions", "day, digest, position", key, atMost: limit, on: connection)
        else { return false }
        return try RollUpRows.erase("subscription_events", "day, document", key, atMost: limit, on: connection)
    }

    private struct PendingRow: Hashable {
        var day: Int64
        var document: String
    }

    private static let insertEvents = BatchInsert(
        into: "subscription_events", ["environment", "app", "generation", "day", "document", "quantity"],
        conflict: """
            ON CONFLICT (environment, app, generation, day, document) \
            DO UPDATE SET quantity = subscription_events.quantity + excluded.quantity
            """)
    private static let insertPositions = BatchInsert(
        into: "subscription_event_positions", ["environment", "app", "generation", "day", "digest", "position"])

    /// Returns the FNV-1a hash of a document with 64 bits. A collision within a day would only mix up the positions of two
    /// rows, and is as likely as one in 10^12 days.
    private static func digest(of document: String) -> Int64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in document.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return Int64(bitPattern: hash)
    }

    private static func event(_ row: any Row) throws -> SubscriptionReportEvent {
        do {
            return try SubscriptionReportEvent(document: try row.text(0))
        } catch let error as RecordDecodingError {
            throw StorageError(.corrupt, "subscription_events", "a document can't be read: \(error)")
        }
    }
}
