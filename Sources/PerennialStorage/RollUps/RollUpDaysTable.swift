import Perennial

/// The journal positions at which a day's entries are, as segments.
///
/// Most days have one segment. Entries that come late, such as renewals that were overdue, get one of their own, so that a
/// reader of the day doesn't read all positions in between.
package enum RollUpDaysTable {
    package struct Segment: Hashable, Sendable {
        package var day: PacificDay
        package var positions: ClosedRange<Int64>

        package init(day: PacificDay, positions: ClosedRange<Int64>) {
            self.day = day
            self.positions = positions
        }
    }

    /// Positions of other days that a segment may include.
    package static let longestGap: Int64 = 10_000

    /// Returns the segments of a span of days, in order of their first positions.
    ///
    /// - Parameter position: Segments that end at this position or before are left out.
    package static func segments(
        _ days: ClosedRange<PacificDay>, after position: Int64 = 0, _ key: RollUpKey, on connection: any Connection
    ) throws -> [Segment] {
        try connection.query(
            """
            SELECT day, first_position, last_position FROM roll_up_days
            WHERE environment = $1 AND app = $2 AND generation = $3 AND day >= $4 AND day <= $5
            AND last_position > $6 ORDER BY first_position
            """,
            key.values + [.integer(days.lowerBound.number), .integer(days.upperBound.number), .integer(position)],
            segment)
    }

    /// Returns the newest segment of each of these days.
    package static func newest(
        of days: [PacificDay], _ key: RollUpKey, on connection: any Connection
    ) throws -> [PacificDay: Segment] {
        var found: [PacificDay: Segment] = [:]
        for day in days {
            found[day] = try connection.first(
                """
                SELECT day, first_position, last_position FROM roll_up_days
                WHERE environment = $1 AND app = $2 AND generation = $3 AND day = $4 ORDER BY first_position DESC LIMIT 1
                """, key.values + [.integer(day.number)], segment)
        }
        return found
    }

    /// Writes segments. One that begins at a known position replaces it.
    package static func put(_ segments: [Segment], _ key: RollUpKey, on connection: any Connection) throws {
        for segment in segments {
            try connection.send(
                """
                INSERT INTO roll_up_days (environment, app, generation, day, first_position, last_position)
                VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (environment, app, generation, day, first_position)
                DO UPDATE SET last_position = excluded.last_position
                """,
                key.values + [
                    .integer(segment.day.number), .integer(segment.positions.lowerBound),
                    .integer(segment.positions.upperBound),
                ])
        }
    }

    package static func erase(_ key: RollUpKey, on connection: any Connection) throws {
        try connection.send(
            "DELETE FROM roll_up_days WHERE environment = $1 AND app = $2 AND generation = $3", key.values)
    }

    private static func segment(_ row: any Row) throws -> Segment {
        let (first, last) = (try row.integer(1), try row.integer(2))
        return Segment(day: PacificDay(number: try row.integer(0)), positions: first...max(first, last))
    }
}
