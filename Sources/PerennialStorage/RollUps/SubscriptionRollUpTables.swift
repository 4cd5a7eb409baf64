import Perennial

/// The numbers of subscriptions of each snapshot at the end of a day.
///
/// A day has the changes of its entries, and a week with entries the totals at its start. An entry that comes late, for a
/// day of an earlier week, also changes the totals of the weeks since.
package enum ReportSnapshotsTable {
    /// Days between two totals.
    private static let daysPerWeek: Int64 = 7
    /// Documents in one query, whose text is always the same.
    private static let documentsPerQuery = 32

    /// Returns the subscriptions with service, or with a renewal that is retried, at the end of a day.
    package static func snapshots(
        endOf day: PacificDay, _ key: RollUpKey, on connection: any Connection
    ) throws -> [(snapshot: ReportSnapshot, count: Int64)] {
        guard let week = try lastWeek(through: day.number, key, on: connection) else { return [] }
        return try connection.query(
            """
            SELECT s.document, t.total FROM (
                SELECT standing, CAST(SUM(part) AS BIGINT) AS total FROM (
                    SELECT standing, total AS part FROM subscription_standing_totals
                    WHERE environment = $1 AND app = $2 AND generation = $3 AND day = $4
                    UNION ALL
                    SELECT standing, change AS part FROM subscription_standing_changes
                    WHERE environment = $1 AND app = $2 AND generation = $3 AND day >= $4 AND day <= $5
                ) AS parts GROUP BY standing HAVING SUM(part) <> 0
            ) AS t JOIN subscription_standings AS s
            ON s.environment = $1 AND s.app = $2 AND s.generation = $3 AND s.id = t.standing ORDER BY s.document
            """, key.values + [.integer(week), .integer(day.number)]
        ) { row in (try snapshot(row), try row.integer(1)) }
    }

    /// Adds the changes of days.
    package static func add(
        _ changes: [PacificDay: [ReportSnapshot: Int64]], _ key: RollUpKey, on connection: any Connection
    ) throws {
        let snapshots = changes.values.reduce(into: Set<ReportSnapshot>()) { $0.formUnion($1.keys) }
        let ids = try ids(of: snapshots, key, on: connection)
        let byWeek = Dictionary(grouping: changes) { week(of: $0.key.number) }
        for (week, days) in byWeek.sorted(by: { $0.key < $1.key }) {
            try addWeek(week, key, on: connection)
            var sums: [Int64: Int64] = [:]
            for (day, changes) in days.sorted(by: { $0.key < $1.key }) {
                let rows = changes.compactMap { snapshot, change in
                    ids[snapshot].map { Count(day: day.number, snapshot: $0, count: change) }
                }
                try insert(rows.filter { $0.count != 0 }, insertChanges, key, on: connection)
                for row in rows { sums[row.snapshot, default: 0] += row.count }
            }
            let late = sums.filter { $0.value != 0 }
            for later in try weeks(after: week, key, on: connection) where !late.isEmpty {
                let rows = late.map { Count(day: later, snapshot: $0.key, count: $0.value) }
                try insert(rows, insertTotals, key, on: connection)
            }
        }
    }

    package static func erase(
        _ key: RollUpKey, atMost limit: Int, on connection: any Connection
    ) throws -> Bool {
        for (table, columns) in [
            ("subscription_standing_changes", "day, standing"), ("subscription_standing_totals", "day, standing"),
            ("subscription_standing_weeks", "day"), ("subscription_standings", "id"),
        ] {
            guard try RollUpRows.erase(table, columns, key, atMost: limit, on: connection) else { return false }
        }
        return true
    }

    // MARK: - Weeks

    private struct Count {
        var day: Int64
        var snapshot: Int64
        var count: Int64
    }

    /// Returns the first day of a day's week. The weeks of all apps begin on the same days.
    private static func week(of day: Int64) -> Int64 {
        day - ((day % daysPerWeek) + daysPerWeek) % daysPerWeek
    }

    private static func lastWeek(
        through day: Int64, _ key: RollUpKey, on connection: any Connection
    ) throws -> Int64? {
        try connection.first(
            """
            SELECT day FROM subscription_standing_weeks
            WHERE environment = $1 AND app = $2 AND generation = $3 AND day <= $4 ORDER BY day DESC LIMIT 1
            """, key.values + [.integer(day)]
        ) { try $0.integer(0) }
    }

    private static func weeks(
        after week: Int64, _ key: RollUpKey, on connection: any Connection
    ) throws -> [Int64] {
        try connection.query(
            """
            SELECT day FROM subscription_standing_weeks
            WHERE environment = $1 AND app = $2 AND generation = $3 AND day > $4 ORDER BY day
            """, key.values + [.integer(week)]
        ) { try $0.integer(0) }
    }

    /// Writes the totals at the start of a week that has none.
    private static func addWeek(_ week: Int64, _ key: RollUpKey, on connection: any Connection) throws {
        let last = try lastWeek(through: week, key, on: connection)
        guard last != week else { return }
        try connection.send(
            "INSERT INTO subscription_standing_weeks (environment, app, generation, day) VALUES ($1, $2, $3, $4)",
            key.values + [.integer(week)])
        guard let last else { return }
        let totals = try connection.query(
            """
            SELECT standing, CAST(SUM(part) AS BIGINT) FROM (
                SELECT standing, total AS part FROM subscription_standing_totals
                WHERE environment = $1 AND app = $2 AND generation = $3 AND day = $4
                UNION ALL
                SELECT standing, change AS part FROM subscription_standing_changes
                WHERE environment = $1 AND app = $2 AND generation = $3 AND day >= $4 AND day < $5
            ) AS parts GROUP BY standing HAVING SUM(part) <> 0
            """, key.values + [.integer(last), .integer(week)]
        ) { Count(day: week, snapshot: try $0.integer(0), count: try $0.integer(1)) }
        try insert(totals, insertTotals, key, on: connection)
    }

    private static func insert(
        _ rows: [Count], _ statement: BatchInsert, _ key: RollUpKey, on connection: any Connection
    ) throws {
        try statement.run(rows.sorted { $0.snapshot < $1.snapshot }, on: connection) { row, values in
            values += key.values
            values.append(.integer(row.day))
            values.append(.integer(row.snapshot))
            values.append(.integer(row.count))
        }
    }

    private static let insertChanges = BatchInsert(
        into: "subscription_standing_changes", ["environment", "app", "generation", "day", "standing", "change"],
        conflict: """
            ON CONFLICT (environment, app, generation, day, standing) \
            DO UPDATE SET change = subscription_standing_changes.change + excluded.change
            """)
    private static let insertTotals = BatchInsert(
        into: "subscription_standing_totals", ["environment", "app", "generation", "day", "standing", "total"],
        conflict: """
            ON CONFLICT (environment, app, generation, day, standing) \
            DO UPDATE SET total = subscription_standing_totals.total + excluded.total
            """)

    // MARK: - Snapshots

    private static func snapshot(_ row: any Row) throws -> ReportSnapshot {
        do {
            return try ReportSnapshot(document: try row.text(0))
        } catch let error as RecordDecodingError {
            throw StorageError(.corrupt, "subscription_standings", "a document can't be read: \(error)")
        }
    }

    /// Returns the numbers of snapshots. New ones get the next numbers: the position of a generation is locked, so that one
    /// transaction at a time does this.
    private static func ids(
        of snapshots: Set<ReportSnapshot>, _ key: RollUpKey, on connection: any Connection
    ) throws -> [ReportSnapshot: Int64] {
        let documents = Dictionary(snapshots.map { ($0.document, $0) }) { first, _ in first }
        var ids: [ReportSnapshot: Int64] = [:]
        for page in RollUpRows.pages(of: documents.keys.sorted(), length: documentsPerQuery) {
            try connection.forEachRow(selectIDs, key.values + page.map { .text($0) }) { row in
                if let snapshot = documents[try row.text(0)] { ids[snapshot] = try row.integer(1) }
            }
        }
        let added = documents.filter { ids[$0.value] == nil }.sorted { $0.key < $1.key }
        guard !added.isEmpty else { return ids }
        let last = try connection.first(
            """
            SELECT id FROM subscription_standings WHERE environment = $1 AND app = $2 AND generation = $3
            ORDER BY id DESC LIMIT 1
            """, key.values
        ) { try $0.integer(0) }
        let rows = added.enumerated().map { (id: (last ?? 0) + Int64($0.offset) + 1, document: $0.element) }
        for row in rows { ids[row.document.value] = row.id }
        try insertSnapshots.run(rows, on: connection) { row, values in
            values += key.values
            values.append(.integer(row.id))
            values.append(.text(row.document.key))
        }
        return ids
    }

    private static let selectIDs = SQL(
        """
        SELECT document, id FROM subscription_standings WHERE environment = $1 AND app = $2 AND generation = $3
        AND document IN (\((0..<documentsPerQuery).map { "$\($0 + 4)" }.joined(separator: ", ")))
        """)
    private static let insertSnapshots = BatchInsert(
        into: "subscription_standings", ["environment", "app", "generation", "id", "document"])
}
