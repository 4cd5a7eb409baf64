import Perennial
import PerennialStorage

/// The roll-up of sales: units by day, calendar month and fiscal month.
struct SalesRollUp: RollUp {
    func changes(for batch: RollUpBatch, on connection: any Connection) throws -> any RollUpChanges {
        let closings = try ClosedMonthsTable.closings(batch.key.environment, on: connection)
        // An app without a position had no entry when the month was closed.
        let months = FiscalAssignment(
            closings: closings.map { ($0.month, $0.positions[batch.app.appleID] ?? 0) })
        let classifier = SalesClassifier(batch.app)
        var days = PacificDays()
        var units: [SalesKey: [SalesRollUpTable.Slot: Int64]] = [:]
        for entry in batch.entries {
            let totals = classifier.totals(of: entry.entry, entry.transaction, refunding: entry.sale?.facts)
            guard !totals.isEmpty else { continue }
            let day = days.day(of: entry.entry.at)
            let fiscal = months.month(of: day, at: entry.position)
            let slots = [
                SalesRollUpTable.Slot(.day, day.number),
                SalesRollUpTable.Slot(.month, SalesRollUpTable.Grain.calendarMonth(of: day)),
                SalesRollUpTable.Slot(.fiscalMonth, fiscal.month.number, isAdjustment: fiscal.isAdjustment),
            ]
            for total in totals {
                for slot in slots { units[total.key, default: [:]][slot, default: 0] += total.units }
            }
        }
        return Changes(
            environment: batch.key.environment, closed: closings.map(\.month),
            changes: units.map { SalesRollUpTable.Change($0.key, units: $0.value) })
    }

    func erase(_ key: RollUpKey, on connection: any Connection) throws {
        while try !erase(key, atMost: .max, on: connection) {}
    }

    func erase(_ key: RollUpKey, atMost limit: Int, on connection: any Connection) throws -> Bool {
        try SalesRollUpTable.erase(key, atMost: limit, on: connection)
    }

    private struct Changes: RollUpChanges {
        var environment: StoreEnvironment.ID
        /// The fiscal months that were closed when the changes were computed.
        var closed: [FiscalMonth]
        var changes: [SalesRollUpTable.Change]

        /// - Throws: ``RollUpConflict`` if a month was closed since: the entries may be adjustments now.
        func write(_ key: RollUpKey, on connection: any Connection) throws {
            guard !changes.isEmpty else { return }
            guard try ClosedMonthsTable.closings(environment, on: connection).map(\.month) == closed else {
                throw RollUpConflict()
            }
            try SalesRollUpTable.add(changes, key, on: connection)
        }
    }
}

/// Computes Pacific days of instants that are mostly in order: the last day is tried first.
struct PacificDays {
    private var last: (day: PacificDay, start: Instant, end: Instant)?

    mutating func day(of instant: Instant) -> PacificDay {
        if let last, last.start <= instant, instant < last.end { return last.day }
        let day = PacificDay(instant)
        last = (day, day.start, day.end)
        return day
    }
}
