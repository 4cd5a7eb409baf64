import Perennial
import PerennialStorage

extension RollUps {
    /// Streams the entries of fiscal months, in order of position and in batches of bounded size: those of their days, and
    /// those of earlier days that came after the closing before.
    ///
    /// Only these positions are read, with few others between them: a month of a long journal takes no longer than one of a
    /// short journal.
    /// - Parameter last: The last position to read.
    func entries(
        of months: ClosedRange<FiscalMonth>, _ assignment: FiscalAssignment, through last: Int64 = .max, _ app: App,
        _ body: (RollUpBatch) async throws -> Void
    ) async throws {
        let key = try await bringUpToDate(app)
        let ranges = try await database.read { try positions(of: months, assignment, key, on: $0) }
        let days = months.lowerBound.firstDay...months.upperBound.lastDay
        var pacific = PacificDays()
        for range in ranges {
            try await batches(key, app, after: range.lowerBound - 1, through: min(range.upperBound, last)) { batch in
                var batch = batch
                batch.entries.removeAll { entry in
                    let day = pacific.day(of: entry.entry.at)
                    return !days.contains(day)
                        && !months.contains(assignment.month(of: day, at: entry.position).month)
                }
                if !batch.entries.isEmpty { try await body(batch) }
            }
        }
    }

    /// The entries of months by their days.
    enum MonthEntries: Sendable {
        case all
        /// The rows of the months' days.
        case own
        /// The rows of earlier days that came after the closing before.
        case late
    }

    /// Returns the ranges of positions that have all entries of fiscal months, in order.
    func positions(
        of months: ClosedRange<FiscalMonth>, _ assignment: FiscalAssignment, _ key: RollUpKey,
        entries: MonthEntries = .all, on connection: any Connection
    ) throws -> [ClosedRange<Int64>] {
        let days = months.lowerBound.firstDay...months.upperBound.lastDay
        var ranges: [ClosedRange<Int64>] = []
        if entries != .late { ranges = try RollUpDaysTable.segments(days, key, on: connection).map(\.positions) }
        // Late entries follow the closing before the first month, and the closing of the last one has no later entries.
        if entries != .own, let closed = assignment.lastPosition(closedBefore: months.lowerBound) {
            let end = assignment.lastPosition(including: months.upperBound) ?? .max
            let earlier = PacificDay(.beginningOfTime)...days.lowerBound.adding(-1)
            for segment in try RollUpDaysTable.segments(earlier, after: closed, key, on: connection) {
                let first = max(segment.positions.lowerBound, closed + 1)
                let last = min(segment.positions.upperBound, end)
                if first <= last { ranges.append(first...last) }
            }
        }
        return ranges.merged()
    }
}
