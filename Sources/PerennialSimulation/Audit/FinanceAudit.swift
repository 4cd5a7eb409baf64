import Perennial
import PerennialStorage
import PerennialStore

/// Checks the closings of fiscal months: against each other, the seller's own knowledge and, in a full audit, the journals.
struct FinanceAudit: Sendable {
    /// Sales by fiscal month, computed from each journal entry by itself.
    typealias Sales = [FiscalMonth: [RegionSales.Key: RegionSales]]
    typealias Record = ClosedMonthsTable.Record

    private static let pageLength = 1000

    let store: Store
    let database: Database
    /// The seller's knowledge before and after the step. Of a rate that was loaded in the step either value counts.
    let models: [FinanceModel]

    // MARK: - After a step

    /// Checks that known closings are unchanged, and new ones right in themselves.
    ///
    /// - Parameter known: The closings of earlier audits.
    /// - Returns: All closings, oldest first.
    /// - Throws: ``Violation``.
    func check(_ known: [Record]) async throws -> [Record] {
        let closings = try await store.finance.closedMonths()
        guard closings.starts(with: known) else {
            throw Violation(
                .wrongClosing, "a closed month has changed: \(Self.names(known)), now \(Self.names(closings))")
        }
        let byMonth = Dictionary(closings.map { ($0.closing.month, $0) }) { first, _ in first }
        for (month, record) in models.last?.closings ?? [:] where byMonth[month] != record {
            throw Violation(.wrongClosing, "\(month) is closed otherwise than was answered")
        }
        let new = closings.dropFirst(known.count)
        for (previous, record) in zip([known.last] + new.map(Optional.some), new) {
            try check(record.closing, after: previous?.closing)
        }
        return closings
    }

    private func check(_ closing: MonthClosing, after previous: MonthClosing?) throws(Violation) {
        func wrong(_ what: String) -> Violation { Violation(.wrongClosing, "\(closing.month): \(what)") }
        if let previous {
            guard previous.month.next == closing.month else { throw wrong("it follows \(previous.month)") }
            guard previous.balance == closing.carried else {
                throw wrong("it carries \(closing.carried), and \(previous.balance) was left")
            }
        } else if closing.carried.milliunits != 0 {
            throw wrong("the first closing carries \(closing.carried)")
        }
        for line in closing.lines {
            guard models.contains(where: { $0.rate(from: line.key.currency, in: closing.month) == line.rate }) else {
                throw wrong("\(line.rate) isn't the rate from \(line.key.currency)")
            }
            guard line.owed.multiplied(by: line.rate, in: closing.bankCurrency) == line.proceeds else {
                throw wrong("\(line.owed) at \(line.rate) isn't \(line.proceeds)")
            }
        }
        let threshold = SimulatedFinance.settings.effectiveThreshold.milliunits
        let (total, paid) = (closing.total.milliunits, closing.payout?.amount.milliunits ?? 0)
        guard paid == (total > 0 && total >= threshold ? total : 0) else {
            throw wrong("\(paid) milliunits of \(total) are paid, at a threshold of \(threshold)")
        }
    }

    private static func names(_ closings: [Record]) -> String {
        closings.map(\.closing.month.description).joined(separator: " ")
    }

    // MARK: - Of everything

    /// Checks that the closings, the seller's own journal and what is owed follow from sales, adjustments and taxes.
    ///
    /// - Throws: ``Violation``.
    func check(_ closings: [Record], against sales: Sales) async throws {
        guard let model = models.last else { return }
        var rest = model.adjustments.values.sorted { $0.position < $1.position }
        for record in closings {
            let month = record.closing.month
            let included = rest.prefix { $0.position < record.firstPosition }
            rest.removeFirst(included.count)
            let expected = RecomputedClosing(sales[month] ?? [:], Array(included), SimulatedFinance.settings)
            if let difference = expected.difference(from: record.closing) {
                throw Violation(.wrongClosing, "\(month): \(difference)")
            }
        }
        try await checkOwed(closings, sales, rest)
        try checkLedger(closings, try await ownEntries())
    }

    /// Checks that what is owed is what was earned and adjusted and isn't closed, and the balance that isn't paid.
    private func checkOwed(
        _ closings: [Record], _ sales: Sales, _ adjustments: [FinanceAdjustmentsTable.Record]
    ) async throws {
        var open: [RegionSales.Key: Int64] = [:]
        for (month, regions) in sales where closings.last.map({ month > $0.closing.month }) ?? true {
            for (key, sales) in regions { open[key, default: 0] += sales.earned + sales.late }
        }
        for adjustment in adjustments { open[adjustment.key, default: 0] += adjustment.amount.milliunits }
        let statement = try await store.finance.owed()
        let owed = Dictionary(statement.open.map { ($0.key, $0.amount.milliunits) }) { $0 + $1 }
        guard owed.filter({ $0.value != 0 }) == open.filter({ $0.value != 0 }) else {
            throw Violation(.wrongClosing, "\(owed) is owed of open months, the journal says \(open)")
        }
        // The bank has one currency, so no balance is exchanged.
        let earned = closings.flatMap(\.closing.lines).reduce(0) { $0 + $1.proceeds.milliunits }
        let paid = closings.reduce(0) { $0 + ($1.closing.payout?.amount.milliunits ?? 0) }
        guard statement.balance?.milliunits ?? 0 == earned - paid else {
            throw Violation(
                .wrongClosing,
                "\(earned) milliunits were closed and \(paid) paid, and the balance is "
                    + "\(statement.balance?.description ?? "nothing")")
        }
    }

    /// Checks that the seller's own journal has the entries of closings and adjustments, and no others.
    private func checkLedger(
        _ closings: [Record], _ entries: [(position: Int64, entry: JournalEntry)]
    ) throws(Violation) {
        guard entries.map(\.position) == (0..<Int64(entries.count)).map({ $0 + 1 }) else {
            throw Violation(.journalOrder, "the seller's own journal has a gap")
        }
        guard entries.allSatisfy(\.entry.postings.balances) else {
            throw Violation(.unbalanced, "the postings of an entry of the seller's own journal")
        }
        var expected: [Int64: JournalEntry] = [:]
        for adjustment in models.last?.adjustments.values.map({ $0 }) ?? [] {
            expected[adjustment.position] = .adjustment(adjustment.amount, at: adjustment.at)
        }
        for record in closings {
            for (offset, found) in record.closing.entries(at: record.closed).enumerated() {
                expected[record.firstPosition + Int64(offset)] = found.entry
            }
        }
        let posted = Dictionary(entries.map { ($0.position, $0.entry) }) { first, _ in first }
        guard posted == expected else {
            let wrong = Set(posted.keys).union(expected.keys).filter { posted[$0] != expected[$0] }.min() ?? 0
            throw Violation(
                .wrongClosing, "the entry \(wrong) of the seller's own journal isn't that of a closing or an adjustment"
            )
        }
    }

    private func ownEntries() async throws -> [(position: Int64, entry: JournalEntry)] {
        var entries: [(position: Int64, entry: JournalEntry)] = []
        while true {
            let (last, environment) = (entries.last?.position ?? 0, store.environment.id)
            let page = try await database.read {
                try JournalTable.entries(
                    after: last, limit: Self.pageLength, app: FinanceEvent.journal, environment, on: $0)
            }
            entries += page
            if page.count < Self.pageLength { return entries }
        }
    }
}
