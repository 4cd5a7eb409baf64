import Perennial
import PerennialStorage

extension Finance {
    /// The most differences that a reconciliation lists.
    static let maximumDifferences = 100

    /// Compares sales with payments and what is owed, on three paths.
    ///
    /// The first path adds up the postings of every entry. The second reads the roll-ups. The third reads the closings, with
    /// the seller's own journal and what is open. Fiscal months that the span touches are compared as a whole, and only their
    /// entries are read; the roll-ups speak for the other months in the balance of the ledger.
    ///
    /// - Parameters:
    ///   - days: The span; `nil` for all days.
    ///   - hasRead: Called with the number of entries of each batch that was read.
    package func reconcile(
        _ days: ClosedRange<PacificDay>? = nil, hasRead: @Sendable (Int) -> Void = { _ in }
    ) async throws -> Reconciliation {
        let keys = try await bringUpToDate()
        let stored = try await database.read { [self] in try StoredFigures(keys, days, environment.id, on: $0) }
        let journal = ReconciledJournal(days, stored)
        for app in keys.map(\.app) {
            // Later entries aren't in the figures that were read.
            guard let last = stored.positions[app.appleID] else { continue }
            if let months = stored.months, let assignment = stored.assignments[app.appleID] {
                try await rollUps.entries(of: months, assignment, through: last, app) {
                    hasRead($0.entries.count)
                    await journal.add($0)
                }
            } else {
                try await rollUps.allEntries(of: app, through: last) {
                    hasRead($0.entries.count)
                    await journal.add($0)
                }
            }
        }
        return await journal.result()
    }
}

/// The figures that the journal is compared with, read in one transaction.
struct StoredFigures: Sendable {
    /// The last position that the roll-ups include, by app.
    var positions: [Int64: Int64] = [:]
    /// The sums of the roll-ups, by app.
    var rollUps: [Int64: ReconciledSums] = [:]
    var assignments: [Int64: FiscalAssignment] = [:]
    var closings: [ClosedMonthsTable.Record]
    var adjustments: [FinanceAdjustmentsTable.Record]
    /// The seller's own journal.
    var entries: [(position: Int64, entry: JournalEntry)]
    /// The fiscal months that the span touches; `nil` for all.
    var months: ClosedRange<FiscalMonth>?
    /// The proceeds of other months by the roll-ups, all and those that aren't closed.
    var otherProceeds: [Currency: Int64] = [:]
    var otherOpen: [Currency: Int64] = [:]

    private static let pageLength = 1000

    init(
        _ keys: [(app: App, key: RollUpKey)], _ days: ClosedRange<PacificDay>?, _ environment: StoreEnvironment.ID,
        on connection: any Connection
    ) throws {
        months = days.map { FiscalMonth(containing: $0.lowerBound)...FiscalMonth(containing: $0.upperBound) }
        closings = try ClosedMonthsTable.all(environment, on: connection)
        adjustments = try FinanceAdjustmentsTable.open(environment, on: connection)
        for closing in closings {
            adjustments += try FinanceAdjustmentsTable.included(
                in: closing.closing.month, environment, on: connection)
        }
        entries = []
        var page: [(position: Int64, entry: JournalEntry)] = []
        repeat {
            page = try JournalTable.entries(
                after: entries.last?.position ?? 0, limit: Self.pageLength, app: FinanceEvent.journal, environment,
                on: connection)
            entries += page
        } while page.count == Self.pageLength
        for (app, key) in keys {
            guard let head = try RollUpHeadsTable.head(key, on: connection) else { continue }
            positions[app.appleID] = head.position
            assignments[app.appleID] = try ClosedMonthsTable.assignment(
                app: app.appleID, environment, on: connection)
            rollUps[app.appleID] = try Self.sums(key, days, months, on: connection)
            if let months { try addOthers(than: months, key, on: connection) }
        }
    }

    /// Adds up the proceeds of the months outside a range.
    private mutating func addOthers(
        than months: ClosedRange<FiscalMonth>, _ key: RollUpKey, on connection: any Connection
    ) throws {
        let closed = closings.last?.closing.month
        for row in try SalesRollUpTable.rows(.fiscalMonth, Int64.min...Int64.max, key, on: connection) {
            let month = FiscalMonth(number: row.period)
            guard !months.contains(month) else { continue }
            let proceeds = row.total.key.proceeds
            let amount = proceeds.milliunits.clampedMultiplied(by: row.total.units)
            otherProceeds[proceeds.currency] = (otherProceeds[proceeds.currency] ?? 0).clampedAdding(amount)
            guard closed.map({ month > $0 }) ?? true, row.total.key.isPaid else { continue }
            otherOpen[proceeds.currency] = (otherOpen[proceeds.currency] ?? 0).clampedAdding(amount)
        }
    }

    private static func sums(
        _ key: RollUpKey, _ days: ClosedRange<PacificDay>?, _ months: ClosedRange<FiscalMonth>?,
        on connection: any Connection
    ) throws -> ReconciledSums {
        var sums = ReconciledSums()
        let everything = Int64.min...Int64.max
        let dayNumbers = days.map { $0.lowerBound.number...$0.upperBound.number } ?? everything
        for row in try SalesRollUpTable.rows(.day, dayNumbers, key, on: connection) {
            sums.add(row.total, to: .init(.day, row.period, isAdjustment: false, row.total.key))
        }
        let monthNumbers = months.map { $0.lowerBound.number...$0.upperBound.number } ?? everything
        for row in try SalesRollUpTable.rows(.fiscalMonth, monthNumbers, key, on: connection) {
            sums.add(
                row.total, to: .init(.fiscalMonth, row.period, isAdjustment: row.isAdjustment, row.total.key))
        }
        return sums
    }
}
