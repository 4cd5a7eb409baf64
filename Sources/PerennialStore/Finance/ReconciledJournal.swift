import Perennial
import PerennialStorage

/// Adds up the entries of all journals, and compares the sums with the stored figures.
actor ReconciledJournal {
    /// A line of a closing.
    private struct LineKey: Hashable {
        var month: FiscalMonth
        var key: RegionSales.Key
    }

    private let days: ClosedRange<PacificDay>?
    private let stored: StoredFigures
    private var sums: [Int64: ReconciledSums] = [:]
    private var apps: [Int64: App] = [:]
    private var lines: [LineKey: RegionSales] = [:]
    private var firsts: [LineKey: (app: App, first: ReconciledSums.First)] = [:]
    private var totals: [Currency: Reconciliation.Total] = [:]
    /// The balance of the account of proceeds, over all journals and the entries that are compared.
    private var proceeds: [Currency: Int64] = [:]
    private var differences: [Reconciliation.Difference] = []
    private var count: Int64 = 0

    init(_ days: ClosedRange<PacificDay>?, _ stored: StoredFigures) {
        self.days = days
        self.stored = stored
    }

    func add(_ batch: RollUpBatch) {
        apps[batch.app.appleID] = batch.app
        for entry in batch.entries {
            count += 1
            add(entry, of: batch.app)
        }
    }

    private func add(_ entry: RollUpBatch.Entry, of app: App) {
        let postings = entry.entry.postings
        let first = ReconciledSums.First(position: entry.position, transactionID: entry.entry.transactionID)
        let rows = SalesTotal.totals(of: entry.entry, entry.transaction, refunding: entry.sale?.facts, in: app)
        if let text = Self.imbalance(of: postings, rows) {
            differences.append(
                Reconciliation.Difference(
                    text, bundleID: app.bundleID, transactionID: first.transactionID, position: first.position))
        }
        let day = PacificDay(entry.entry.at)
        let fiscal: (month: FiscalMonth, isAdjustment: Bool) =
            stored.assignments[app.appleID]?.month(of: day, at: entry.position)
            ?? (FiscalMonth(containing: day), false)
        for posting in postings where posting.account == .proceeds {
            let (amount, currency) = (posting.amount.milliunits, posting.amount.currency)
            // An entry of a month's days can belong to a later one, whose roll-ups have it.
            if stored.months?.contains(fiscal.month) ?? true {
                proceeds[currency] = (proceeds[currency] ?? 0).clampedAdding(amount)
            }
            guard days?.contains(day) ?? true else { continue }
            var total = totals[currency] ?? Reconciliation.Total(currency: currency)
            total.sales = total.sales.clampedAdding(amount)
            if isClosed(fiscal.month) {
                total.closed = total.closed.clampedAdding(amount)
            } else {
                total.open = total.open.clampedAdding(amount)
            }
            totals[currency] = total
        }
        for row in rows { add(row, first, on: day, fiscal, of: app) }
    }

    private func add(
        _ row: SalesTotal, _ first: ReconciledSums.First, on day: PacificDay,
        _ fiscal: (month: FiscalMonth, isAdjustment: Bool), of app: App
    ) {
        if days?.contains(day) ?? true {
            sums[app.appleID, default: ReconciledSums()].add(
                row, to: .init(.day, day.number, isAdjustment: false, row.key), first)
        }
        if stored.months?.contains(fiscal.month) ?? true {
            sums[app.appleID, default: ReconciledSums()].add(
                row,
                to: .init(.fiscalMonth, fiscal.month.number, isAdjustment: fiscal.isAdjustment, row.key), first)
        }
        guard row.key.isPaid, stored.months?.contains(fiscal.month) ?? true else { return }
        let line = LineKey(month: fiscal.month, key: row.key.region)
        lines[line, default: RegionSales()].add(row, isAdjustment: fiscal.isAdjustment)
        if firsts[line] == nil { firsts[line] = (app, first) }
    }

    private func isClosed(_ month: FiscalMonth) -> Bool {
        stored.closings.last.map { month <= $0.closing.month } ?? false
    }

    /// Returns the defect of one entry: postings that don't sum to zero, or that aren't those of its rows.
    private static func imbalance(of postings: [Posting], _ rows: [SalesTotal]) -> String? {
        guard postings.balances else { return "its postings don't sum to zero" }
        var amounts: [Currency: Int64] = [:]
        for posting in postings where posting.account == .proceeds {
            amounts[posting.amount.currency] =
                (amounts[posting.amount.currency] ?? 0).clampedAdding(posting.amount.milliunits)
        }
        for row in rows {
            let currency = row.key.proceeds.currency
            amounts[currency] = (amounts[currency] ?? 0).clampedSubtracting(
                row.key.proceeds.milliunits.clampedMultiplied(by: row.units))
        }
        guard let (currency, amount) = amounts.first(where: { $0.value != 0 }) else { return nil }
        return "its proceeds are \(Money(milliunits: amount, currency)) more than those of its sales"
    }

    // MARK: - Comparison

    func result() -> Reconciliation {
        for (number, rollUps) in stored.rollUps {
            for (group, sums) in rollUps.sums where group.grain == .day {
                var total = totals[group.currency] ?? Reconciliation.Total(currency: group.currency)
                total.rollUps = total.rollUps.clampedAdding(sums.proceeds)
                totals[group.currency] = total
            }
            guard let app = apps[number] else {
                if !rollUps.sums.isEmpty {
                    differences.append(Reconciliation.Difference("app \(number) has roll-ups and no journal"))
                }
                continue
            }
            differences += (sums[number] ?? ReconciledSums()).differences(from: rollUps, of: app)
        }
        compareLines()
        let ledger = ReconciledLedger(stored)
        differences += ledger.differences
        compareBalances(ledger)
        return Reconciliation(
            days: days, entries: count, totals: totals.values.sorted { $0.currency.rawValue < $1.currency.rawValue },
            payments: ledger.payments,
            differences: Array(differences.sorted(by: Self.precedes).prefix(Finance.maximumDifferences)))
    }

    /// Sorts differences by their first transaction; those without one come last.
    private static func precedes(_ one: Reconciliation.Difference, _ other: Reconciliation.Difference) -> Bool {
        (one.position ?? .max, one.bundleID?.rawValue ?? "", one.text)
            < (other.position ?? .max, other.bundleID?.rawValue ?? "", other.text)
    }

    /// Compares the lines of closings with the entries of their months.
    private func compareLines() {
        for record in stored.closings where stored.months?.contains(record.closing.month) ?? true {
            let month = record.closing.month
            let manual = stored.adjustments.filter { $0.month == month }
            var expected = lines.filter { $0.key.month == month }
            for adjustment in manual {
                let line = LineKey(month: month, key: adjustment.key)
                expected[line, default: RegionSales()].manual += adjustment.amount.milliunits
            }
            var found: [LineKey: MonthClosing.Line] = [:]
            for line in record.closing.lines { found[LineKey(month: month, key: line.key)] = line }
            for key in Set(expected.keys).union(found.keys) {
                let (sales, line) = (expected[key] ?? RegionSales(), found[key])
                let isEqual =
                    line.map {
                        ($0.units, $0.earned.milliunits, $0.late.milliunits, $0.manual.milliunits)
                            == (sales.units, sales.earned, sales.late, sales.manual)
                    } ?? false
                guard !isEqual else { continue }
                let first = firsts[key]
                differences.append(
                    Reconciliation.Difference(
                        Self.text(key, sales, line), bundleID: first?.app.bundleID,
                        transactionID: first?.first.transactionID, position: first?.first.position))
            }
        }
    }

    private static func text(_ key: LineKey, _ sales: RegionSales, _ line: MonthClosing.Line?) -> String {
        func money(_ milliunits: Int64) -> Money { Money(milliunits: milliunits, key.key.currency) }
        func text(_ units: Int64, _ earned: Money, _ late: Money, _ manual: Money) -> String {
            "\(units) units, \(earned) earned, \(late) late and \(manual) adjusted"
        }
        let own = text(sales.units, money(sales.earned), money(sales.late), money(sales.manual))
        let other = line.map { text($0.units, $0.earned, $0.late, $0.manual) } ?? "no such line"
        return "the line \(key.key.region) (\(key.key.currency)) of the closing of \(key.month): "
            + "the journal has \(own), the closing has \(other)"
    }

    /// Compares the balances of the ledger with what is open and with what is carried.
    private func compareBalances(_ ledger: ReconciledLedger) {
        var open = stored.otherOpen
        for (line, sales) in lines where !isClosed(line.month) {
            open[line.key.currency] =
                (open[line.key.currency] ?? 0).clampedAdding(sales.earned).clampedAdding(sales.late)
        }
        for adjustment in stored.adjustments where adjustment.month == nil {
            open[adjustment.amount.currency] =
                (open[adjustment.amount.currency] ?? 0).clampedAdding(adjustment.amount.milliunits)
        }
        let balances = proceeds.merging(stored.otherProceeds) { $0.clampedAdding($1) }
            .merging(ledger.balances[.proceeds] ?? [:]) { $0.clampedAdding($1) }
        for currency in Set(open.keys).union(balances.keys).sorted(by: { $0.rawValue < $1.rawValue }) {
            let (owed, balance) = (open[currency] ?? 0, balances[currency] ?? 0)
            guard owed != balance else { continue }
            differences.append(
                Reconciliation.Difference(
                    "the ledger owes \(Money(milliunits: balance, currency)) of months that aren't closed, their "
                        + "sales and adjustments are \(Money(milliunits: owed, currency))"))
        }
    }
}
