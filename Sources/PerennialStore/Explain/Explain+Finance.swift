import Perennial
import PerennialStorage

extension Explain {
    /// Explains what is owed for a fiscal month in a region: the proceeds of its entries, and of late ones of earlier
    /// months. A closed month has its adjustments, withholding and taxes beside them.
    ///
    /// - Parameters:
    ///   - region: Apple's code of a region such as `US` or `EU`; `nil` for all.
    ///   - bundleID: The app whose proceeds are explained; `nil` for all apps, with taxes and adjustments.
    /// - Throws: ``ExplainError``, ``StoreError`` `.appNotFound`.
    package func financial(
        month text: String, region: String?, in bundleID: App.BundleID? = nil, _ page: Explanation.Page = .init()
    ) async throws -> Explanation {
        let (month, region) = try Self.monthAndRegion(text, region)
        let record = try await database.read { [environment] in
            try bundleID == nil ? ClosedMonthsTable.record(month, environment.id, on: $0) : nil
        }
        let apps = try await database.read { [self] connection in
            if let bundleID { return [try app(bundleID, on: connection).app] }
            return try catalog.all(on: connection).map(\.app)
        }
        var (reported, builder) = (ExplanationBuilder(page, counts: false), ExplanationBuilder(page, counts: false))
        var known: Set<String> = []
        for app in apps.sorted(by: { $0.appleID < $1.appleID }) {
            let key = try await rollUps.bringUpToDate(app)
            let (rows, moment) = try await database.read { [self] connection in
                (
                    try SalesRollUpTable.rows(.fiscalMonth, month.number...month.number, key, on: connection),
                    try currentMoment(key, on: connection)
                )
            }
            let assignment = try await database.read { [self] in try fiscalAssignment(of: app, on: $0) }
            for row in rows where row.total.key.isPaid {
                known.insert(row.total.key.region.region.rawValue)
                guard region == nil || row.total.key.region.region == region, record == nil else { continue }
                reported.add(units: row.total.units, row.total.amount(.proceeds))
            }
            let wanted = FinancialFilter(app, region, month, assignment)
            try await rollUps.entries(of: month...month, assignment, through: moment.position, app) {
                wanted.add($0, to: &builder)
            }
        }
        let lines = (record?.closing.lines ?? []).filter { region == nil || $0.key.region == region }
        for line in lines { reported.add(units: line.units, line.owed) }
        let place = "\(region.map { "for the region \($0)" } ?? "for all regions") in fiscal month \(month)"
        let title = bundleID.map { "proceeds of \($0) \(place)" } ?? "proceeds owed \(place)"
        guard reported.figure != Explanation.Figure() || !lines.isEmpty else {
            known.formUnion(record?.closing.lines.map(\.key.region.rawValue) ?? [])
            throw ExplainError.notFound("\(title)", there: [("regions", known)])
        }
        return builder.explanation(title, reported: reported.figure, others: lines.flatMap(\.otherAmounts))
    }

    /// Explains a column of payments of a month, in a region or in all.
    ///
    /// - Parameter month: A fiscal month, or ``openMonths`` for all that aren't closed.
    /// - Throws: ``ExplainError``, ``StoreError`` `.appNotFound`.
    package func financial(
        _ column: PaymentFigure.Column, month text: String, region: String?, currency: Currency? = nil,
        in bundleID: App.BundleID? = nil, _ page: Explanation.Page = .init()
    ) async throws -> Explanation {
        let isOpen = text == Self.openMonths
        let (month, region) = try Self.monthAndRegion(isOpen ? "2000-01" : text, region)
        let figure = PaymentFigure(
            month: isOpen ? nil : month, column: column, region: region, currency: currency, bundleID: bundleID)
        return try await payment(figure, page, addsUpAll: true).explanation
    }

    /// Names all fiscal months that aren't closed.
    package static let openMonths = "open"

    private static func monthAndRegion(
        _ text: String, _ region: String?
    ) throws(ExplainError) -> (FiscalMonth, FinancialRegion?) {
        guard let month = FiscalMonth(text) else {
            throw ExplainError(.malformed, "month", "a fiscal month such as 2027-01, which is October 2026")
        }
        let region = region.map { FinancialRegion(rawValue: $0.uppercased()) }
        if let region, region.info == nil {
            throw ExplainError(.malformed, "region", "there is no region \(region): say a code such as US or EU")
        }
        return (month, region)
    }
}

extension MonthClosing.Line {
    /// The amounts that aren't proceeds of the store's sales.
    fileprivate var otherAmounts: [(name: String, amount: Money)] {
        [
            ("tax on the commission in \(key.region)", inputTax), ("manual adjustments in \(key.region)", manual),
            ("withholding tax in \(key.region)", withholding),
        ].filter { $0.1.milliunits != 0 }.map { (name: $0.0, amount: $0.1) }
    }
}

/// The entries of a fiscal month and a region.
private struct FinancialFilter {
    let app: App
    let region: FinancialRegion?
    let month: FiscalMonth
    let assignment: FiscalAssignment
    let classifier: SalesClassifier

    init(_ app: App, _ region: FinancialRegion?, _ month: FiscalMonth, _ assignment: FiscalAssignment) {
        (self.app, self.region, self.month, self.assignment) = (app, region, month, assignment)
        classifier = SalesClassifier(app)
    }

    func add(_ batch: RollUpBatch, to builder: inout ExplanationBuilder) {
        for entry in batch.entries
        where assignment.month(of: PacificDay(entry.entry.at), at: entry.position).month == month {
            let totals = classifier.totals(of: entry.entry, entry.transaction, refunding: entry.sale?.facts).filter {
                $0.key.isPaid && (region == nil || $0.key.region.region == region)
            }
            guard !totals.isEmpty else { continue }
            builder.add(Explanation.Contribution(entry, totals, .proceeds, in: app))
        }
    }
}
