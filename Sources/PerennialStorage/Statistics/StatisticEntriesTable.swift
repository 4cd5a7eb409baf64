import Perennial

/// The journal entries behind the totals of listed measures, by day: the amount that each of them adds.
///
/// The amounts of a measure and a day sum to its row in ``StatisticTotalsTable`` for all values together.
package enum StatisticEntriesTable {
    /// The place of an entry among those of all days.
    package struct Place: Hashable, Comparable, Sendable {
        package var day: PacificDay
        package var position: Int64

        package init(day: PacificDay, position: Int64) {
            self.day = day
            self.position = position
        }

        package static func < (one: Place, other: Place) -> Bool {
            (one.day, one.position) < (other.day, other.position)
        }
    }

    /// Conditions on the entries of a measure.
    package struct Filter: Hashable, Sendable {
        package var days: ClosedRange<PacificDay>
        /// `nil` for counts, and for all currencies.
        package var currency: Currency?
        /// The greatest bucket: the month after the start of a cohort.
        package var bucket: Int64

        package init(_ days: ClosedRange<PacificDay>, currency: Currency? = nil, bucket: Int64 = .max) {
            self.days = days
            self.currency = currency
            self.bucket = bucket
        }
    }

    /// Returns entries of a measure after a place, in order of their places.
    package static func parts(
        of measure: StatisticMeasure, _ filter: Filter, after place: Place? = nil, limit: Int, _ key: RollUpKey,
        on connection: any Connection
    ) throws -> [StatisticPart] {
        let first = Place(day: filter.days.lowerBound, position: 0)
        let start = place.map { max($0, first) } ?? first
        return try connection.query(
            """
            SELECT day, position, bucket, currency, amount FROM statistic_entries
            WHERE environment = $1 AND app = $2 AND generation = $3 AND measure = $4 AND (day, position) > ($5, $6)
            AND day <= $7 AND bucket <= $8 AND ($9 = '' OR currency = $9) ORDER BY day, position, bucket, currency LIMIT $10
            """,
            key.values + [
                .integer(measure.rawValue), .integer(start.day.number), .integer(start.position),
                .integer(filter.days.upperBound.number), .integer(filter.bucket),
                .text(filter.currency?.rawValue ?? ""), .integer(Int64(limit)),
            ]
        ) { row in
            let currency = try row.text(3)
            return StatisticPart(
                StatisticCell(
                    measure, bucket: try row.integer(2),
                    currency: currency.isEmpty ? nil : Currency(rawValue: currency)),
                on: PacificDay(number: try row.integer(0)), at: try row.integer(1), try row.integer(4))
        }
    }

    /// Adds the amounts of entries that aren't in the table yet.
    package static func add(_ parts: [StatisticPart], _ key: RollUpKey, on connection: any Connection) throws {
        var amounts: [PendingRow: Int64] = [:]
        for part in parts {
            let row = PendingRow(
                measure: part.cell.measure.rawValue, day: part.day.number, position: part.position,
                bucket: part.cell.bucket, currency: part.cell.currency?.rawValue ?? "")
            amounts[row, default: 0] += part.amount
        }
        let rows = amounts.filter { $0.value != 0 }.sorted { $0.key.precedes($1.key) }
        try insert.run(rows, on: connection) { row, values in
            values += key.values
            let numbers = [row.key.measure, row.key.day, row.key.position, row.key.bucket]
            values += numbers.map { .integer($0) } + [.text(row.key.currency), .integer(row.value)]
        }
    }

    package static func erase(
        _ key: RollUpKey, atMost limit: Int, on connection: any Connection
    ) throws -> Bool {
        try RollUpRows.erase(
            "statistic_entries", "measure, day, position, bucket, currency", key, atMost: limit, on: connection)
    }

    private struct PendingRow: Hashable {
        var measure: Int64
        var day: Int64
        var position: Int64
        var bucket: Int64
        var currency: String

        /// Orders rows by the table's key.
        func precedes(_ other: PendingRow) -> Bool {
            (measure, day, position, bucket, currency)
                < (other.measure, other.day, other.position, other.bucket, other.currency)
        }
    }

    private static let insert = BatchInsert(
        into: "statistic_entries",
        ["environment", "app", "generation", "measure", "day", "position", "bucket", "currency", "amount"])
}
