import Perennial
import PerennialStorage

extension Finance {
    /// Closes a fiscal month: fixes its amounts, posts them to the seller's own journal, and pays what reaches the threshold.
    ///
    /// A closing is final. Entries that come later are adjustments of the next month. Closing a month again, also at the
    /// same time on another node, returns the closing that is there.
    ///
    /// - Throws: ``FinanceError`` `.monthNotOver`, `.earlierMonthOpen`, `.monthPassed`, `.workOverdue`,
    ///   `.exchangeRateMissing`; then nothing is closed.
    @discardableResult
    package func close(_ month: FiscalMonth) async throws -> ClosedMonthsTable.Record {
        let known = try await database.read { [self] connection in
            try ClosedMonthsTable.record(month, environment.id, on: connection)
                ?? checkIsOver(month, at: try clock.now(on: connection))
        }
        if let known { return known }
        while true {
            try Task.checkCancellation()
            try await bringUpToDate()
            do {
                return try await database.write(timeout: .long) { [self] in try close(month, on: $0) }
            } catch is RebuildAhead {
                continue
            }
        }
    }

    /// A rebuild of the roll-ups has counted entries that the current ones don't have yet, as of the open month.
    private struct RebuildAhead: Error {}

    /// Counts all journals up to their heads, and returns the keys of the roll-ups by app.
    @discardableResult
    func bringUpToDate() async throws -> [(app: App, key: RollUpKey)] {
        let apps = try await database.read { [catalog] in try catalog.all(on: $0).map(\.app) }
        var keys: [(app: App, key: RollUpKey)] = []
        for app in apps { keys.append((app, try await rollUps.bringUpToDate(app))) }
        return keys
    }

    /// - Returns: `nil`: the month has no closing yet.
    private func checkIsOver(_ month: FiscalMonth, at now: Instant) throws -> ClosedMonthsTable.Record? {
        guard now >= month.lastDay.end else {
            throw FinanceError(
                .monthNotOver, "\(month)",
                "the fiscal month ends after \(month.lastDay), and the clock stands at \(now.rfc3339())")
        }
        return nil
    }

    /// Closes a month in one transaction.
    ///
    /// The environment's lock keeps other closings out. The lock on the roll-ups' heads keeps out their workers: the rows
    /// are those of the positions that are recorded, and every later entry is counted after the commit.
    private func close(_ month: FiscalMonth, on connection: any Connection) throws -> ClosedMonthsTable.Record {
        try EnvironmentsTable.lock(environment.id, on: connection)
        if let known = try ClosedMonthsTable.record(month, environment.id, on: connection) { return known }
        let now = try clock.now(on: connection)
        _ = try checkIsOver(month, at: now)
        try checkNothingIsOverdue(in: month, on: connection)
        let positions = try RollUpHeadsTable.lockCurrent(environment.id, on: connection)
        let last = try ClosedMonthsTable.all(environment.id, on: connection).last
        let rows = try salesRows(through: month, after: last?.closing.month, positions, on: connection)
        try checkOrder(of: month, after: last?.closing.month, rows)

        var sales: [RegionSales.Key: RegionSales] = [:]
        for row in rows where row.total.key.isPaid {
            sales[row.total.key.region, default: RegionSales()].add(row.total, isAdjustment: row.isAdjustment)
        }
        for adjustment in try FinanceAdjustmentsTable.open(environment.id, on: connection) {
            sales[adjustment.key, default: RegionSales()].manual += adjustment.amount.milliunits
        }
        let record = try record(month, sales, after: last, at: now, on: connection)
        try ClosedMonthsTable.insert(record, positions: positions, environment.id, on: connection)
        try FinanceAdjustmentsTable.close(in: month, environment.id, on: connection)
        return record
    }

    /// Computes the closing and appends its entries.
    private func record(
        _ month: FiscalMonth, _ sales: [RegionSales.Key: RegionSales], after last: ClosedMonthsTable.Record?,
        at now: Instant, on connection: any Connection
    ) throws -> ClosedMonthsTable.Record {
        let settings = try FinanceSettingsTable.settings(environment.id, on: connection)
        let closing: MonthClosing
        do {
            closing = try MonthClosing(
                of: month, sales: sales, carried: last?.closing.balance, settings: settings,
                rates: try ExchangeRatesTable.rates(
                    month, to: settings.bankCurrency, environment.id, on: connection),
                reference: "\(try Vendor.vendorNumber(on: connection))-\(month)")
        } catch let failure as MonthClosing.Failure {
            throw FinanceError(failure)
        }
        let entries = closing.entries(at: now).map(\.entry)
        let appended = try JournalTable.append(
            entries, app: FinanceEvent.journal, environment.id, on: connection)
        let position = try JournalTable.number(of: appended, on: connection)
        return ClosedMonthsTable.Record(
            closing: closing, closed: now, firstPosition: position - Int64(entries.count) + 1, lastPosition: position,
            bankName: settings.bankName, accountEnding: settings.accountEnding)
    }

    /// - Throws: ``FinanceError`` `.workOverdue` if a subscription has work of the month left.
    private func checkNothingIsOverdue(in month: FiscalMonth, on connection: any Connection) throws {
        let end = month.lastDay.end + -1
        guard
            let due = try SubscriptionsTable.due(until: end, limit: 1, environment.id, on: connection).first
        else { return }
        throw FinanceError(
            .workOverdue, "\(month)",
            "the subscription \(due.subscriptionID) was due at \(due.due.rfc3339()): renewals have to be processed first"
        )
    }

    /// Returns the rows of all months since the last closing up to a month.
    private func salesRows(
        through month: FiscalMonth, after last: FiscalMonth?, _ positions: [Int64: Int64], on connection: any Connection
    ) throws -> [SalesRollUpTable.Row] {
        let first = last?.next.number ?? 0
        guard first <= month.number else { return [] }
        return try positions.keys.sorted().flatMap { app -> [SalesRollUpTable.Row] in
            let heads = try RollUpHeadsTable.heads(app: app, environment.id, on: connection)
            guard let current = heads.first(where: { $0.state == .current }) else { return [] }
            guard heads.allSatisfy({ $0.state != .building || $0.position <= current.position }) else {
                throw RebuildAhead()
            }
            return try SalesRollUpTable.rows(.fiscalMonth, first...month.number, current.key, on: connection)
        }
    }

    /// - Throws: ``FinanceError`` `.earlierMonthOpen`, `.monthPassed`.
    private func checkOrder(
        of month: FiscalMonth, after last: FiscalMonth?, _ rows: [SalesRollUpTable.Row]
    ) throws {
        if let last, month <= last {
            throw FinanceError(
                .monthPassed, "\(month)", "\(last) is closed, and the month had no closing of its own before")
        }
        let earliest = rows.map(\.period).min().map(FiscalMonth.init(number:))
        guard let open = last?.next ?? earliest, open < month else { return }
        throw FinanceError(
            .earlierMonthOpen, "\(month)", "\(open) isn't closed yet: months are closed in their order")
    }
}
