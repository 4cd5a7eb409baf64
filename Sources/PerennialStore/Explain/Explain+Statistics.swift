import Perennial
import PerennialStorage

/// A statistic's amounts of one day.
package struct StatisticFigure: Sendable {
    package var bundleID: App.BundleID
    package var statistic: Statistic
    /// `2026-10-03`; `nil` for yesterday.
    package var date: String?

    package init(bundleID: App.BundleID, statistic: Statistic, date: String? = nil) {
        self.bundleID = bundleID
        self.statistic = statistic
        self.date = date
    }
}

extension Explain {
    /// Explains what a day adds to the amounts from which a statistic is computed, one explanation for each.
    ///
    /// A number that lasts, such as that of active subscriptions, is explained by its change on the day. An amount by the
    /// day of a start, such as that of converted trials, has entries of later days.
    ///
    /// - Throws: ``ExplainError``, ``StoreError`` `.appNotFound`.
    package func statistic(_ figure: StatisticFigure, _ page: Explanation.Page = .init()) async throws -> [Explanation]
    {
        let today = PacificDay(try await now())
        guard let day = figure.date.map({ PacificDay($0) }) ?? today.adding(-1) else {
            throw ExplainError(.malformed, "date", "a day such as 2026-10-03")
        }
        let (app, key) = try await upToDate(figure.bundleID)
        let measures = figure.statistic.measures
        let (rows, moment) = try await database.read { [self] connection in
            (
                try measures.map { measure in
                    try StatisticTotalsTable.rows(
                        of: measure, by: .all, .day, day.number...day.number, key, on: connection)
                }, try currentMoment(key, on: connection)
            )
        }
        guard rows.contains(where: { !$0.isEmpty }) else {
            throw ExplainError.notFound("\(figure.statistic.rawValue) of \(app.bundleID) on \(day)", there: [])
        }
        var replay = StatisticReplay(measures, on: day, in: app, page)
        try await stream(day...day, of: app, at: moment) { replay.collect($0) }
        if measures.allSatisfy(\.isOfSales) {
            try await stream(day...day, of: app, at: moment) { replay.add($0.entries) }
        } else {
            let positions = try await self.positions(
                of: replay.subscriptions, replay.accounts, in: app, from: 1, through: moment.position)
            try await stream(at: positions, of: app, key) { replay.add([$0]) }
        }
        return zip(measures, rows).map { measure, rows in
            var reported = ExplanationBuilder(page, counts: !measure.isMoney)
            for row in rows { reported.add(row.total, row.cell) }
            let change = measure.isStock ? "change of " : ""
            return replay.explanation(of: measure, "\(change)\(measure) of \(app.bundleID) on \(day)", reported.figure)
        }
    }
}

extension StatisticMeasure {
    /// True if the amounts of a day follow from the sales of that day alone.
    fileprivate var isOfSales: Bool { rawValue <= Self.refundedRevenue.rawValue }
}

extension ExplanationBuilder {
    fileprivate mutating func add(_ total: Int64, _ cell: StatisticCell) {
        if let currency = cell.currency {
            add(units: 0, Money(milliunits: total, currency))
        } else {
            add(units: total, nil)
        }
    }
}

/// Computes the amounts of one day again, as the roll-up of statistics does. It knows the subscriptions and customers of that
/// day only.
private struct StatisticReplay {
    private let measures: [StatisticMeasure]
    private let day: PacificDay
    private let app: App
    private let products: [Product.ID: Product]
    private let classifier: SalesClassifier
    private var builders: [StatisticMeasure: ExplanationBuilder]
    private(set) var subscriptions: Set<TransactionID> = []
    private(set) var accounts: Set<Account.ID> = []
    private var lifecycles: [TransactionID: SubscriptionLifecycle] = [:]
    private var customers: [Account.ID: StatisticCustomer] = [:]

    init(_ measures: [StatisticMeasure], on day: PacificDay, in app: App, _ page: Explanation.Page) {
        self.measures = measures
        self.day = day
        self.app = app
        products = Dictionary(app.reportedProducts.map { ($0.id, $0) }) { first, _ in first }
        classifier = SalesClassifier(app)
        builders = Dictionary(measures.map { ($0, ExplanationBuilder(page, counts: !$0.isMoney)) }) { first, _ in first
        }
    }

    /// Notes the subscriptions and customers of the day.
    mutating func collect(_ batch: RollUpBatch) {
        for entry in batch.entries {
            if let id = entry.subscriptionID { subscriptions.insert(id) }
            accounts.insert(entry.entry.accountID)
        }
    }

    mutating func add(_ entries: [RollUpBatch.Entry]) {
        for entry in entries {
            var changes = StatisticChanges()
            let totals = classifier.totals(of: entry.entry, entry.transaction, refunding: entry.sale?.facts)
            var version = entry.entry.facts?.appVersion
            if let id = entry.subscriptionID, subscriptions.contains(id),
                let step = SubscriptionLifecycle.Step(entry.entry, entry.transaction, after: lifecycles[id], products)
            {
                lifecycles[id] = step.lifecycle
                changes.add(step)
                version = version ?? step.lifecycle.appVersion
            }
            changes.add(
                totals, of: entry.entry, version: version, sale: entry.sale.map { (PacificDay($0.at), $0.facts) })
            addCustomer(of: entry, totals, to: &changes)
            for (key, total) in changes.totals where key.dimension == .all && key.day == day {
                builders[key.cell.measure]?.add(
                    Explanation.Contribution(
                        of: entry, in: app, units: key.cell.currency == nil ? total : 0,
                        amount: key.cell.currency.map { Money(milliunits: total, $0) }))
            }
        }
    }

    private mutating func addCustomer(
        of entry: RollUpBatch.Entry, _ totals: [SalesTotal], to changes: inout StatisticChanges
    ) {
        let account = entry.entry.accountID
        guard accounts.contains(account), entry.entry.kind != .finished else { return }
        let before = customers[account]
        guard var customer = before ?? StatisticCustomer(entry.entry, entry.transaction, totals) else { return }
        if before == nil { changes.add(1, .newCustomers, customer.place) }
        customer.apply(totals, at: entry.entry.at, to: &changes)
        customers[account] = customer
    }

    func explanation(of measure: StatisticMeasure, _ title: String, _ reported: Explanation.Figure) -> Explanation {
        let builder = builders[measure] ?? ExplanationBuilder(.init(), counts: !measure.isMoney)
        return builder.explanation(title, reported: reported)
    }
}
