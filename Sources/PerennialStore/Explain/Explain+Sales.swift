import Perennial
import PerennialStorage

extension SalesTotal {
    /// The part of a column, with the sign of the units; `nil` for the units themselves.
    package func amount(_ column: SalesFigure.Column) -> Money? {
        let each: Money
        switch column {
        case .units, .refunds: return nil
        case .sales:
            let price = key.customerPrice
            each = price.milliunits < 0 ? Money(milliunits: -price.milliunits, price.currency) : price
        case .proceeds: each = key.proceeds
        case .tax: each = key.tax
        case .commission: each = key.commission
        }
        return Money(milliunits: each.milliunits.clampedMultiplied(by: units), each.currency)
    }
}

extension Explain {
    /// Explains a sum of rows of Sales and Trends.
    ///
    /// - Parameter hasRead: Called with the number of entries of each batch that was read.
    /// - Throws: ``ExplainError``, ``StoreError`` `.appNotFound`.
    package func sales(
        _ figure: SalesFigure, _ page: Explanation.Page = .init(), hasRead: @Sendable (Int) -> Void = { _ in }
    ) async throws -> Explanation {
        let (app, key) = try await upToDate(figure.bundleID)
        let filter = try SalesFilter(figure, in: app)
        let days = try await days(of: figure, key)
        let (rows, moment) = try await database.read { [self] connection in
            (
                try SalesRollUpTable.rows(
                    .day, days.lowerBound.number...days.upperBound.number, key, on: connection
                ).map(\.total),
                try currentMoment(key, on: connection)
            )
        }
        let matching = rows.filter(filter.matches)
        guard !matching.isEmpty else { throw try await notFound(figure, days, rows, app, key) }
        var reported = ExplanationBuilder(page, counts: figure.column.counts)
        for row in matching { reported.add(units: figure.column.units(row.units), row.amount(figure.column)) }
        var builder = ExplanationBuilder(page, counts: figure.column.counts)
        let classifier = SalesClassifier(app)
        try await stream(days, of: app, at: moment) { batch in
            hasRead(batch.entries.count)
            for entry in batch.entries {
                let totals = classifier.totals(of: entry.entry, entry.transaction, refunding: entry.sale?.facts)
                    .filter(filter.matches)
                guard !totals.isEmpty else { continue }
                builder.add(Explanation.Contribution(entry, totals, figure.column, in: app))
            }
        }
        return builder.explanation(filter.title(figure, days), reported: reported.figure)
    }

    /// - Throws: ``ExplainError`` `.malformed`, `.figureNotFound` for an app without sales in the last year.
    func days(of figure: SalesFigure, _ key: RollUpKey) async throws -> ClosedRange<PacificDay> {
        if let days = figure.days { return days }
        if let date = figure.date {
            guard let period = ReportPeriod(figure.frequency, reportDate: date) else {
                throw ExplainError(.malformed, "date", Self.dateForm(figure.frequency))
            }
            return period.firstDay...period.lastDay
        }
        let newest = try await database.read { [clock] connection -> PacificDay? in
            let today = PacificDay(try clock.now(on: connection))
            return try (0...Self.searchedDays).lazy.map { today.adding(-$0) }.first { day in
                try !SalesRollUpTable.rows(.day, day.number...day.number, key, on: connection).isEmpty
            }
        }
        guard let newest else {
            throw ExplainError.notFound("sales of \(figure.bundleID)", there: [])
        }
        let period = ReportPeriod(figure.frequency, containing: newest)
        return period.firstDay...period.lastDay
    }

    /// The days before today that are searched for sales: as long as Apple keeps daily reports.
    private static let searchedDays: Int64 = 366

    private static func dateForm(_ frequency: ReportPeriod.Frequency) -> String {
        switch frequency {
        case .daily: "a day such as 2026-10-03"
        case .weekly: "the Sunday that ends a week, such as 2026-10-04"
        case .monthly: "a month such as 2026-10"
        case .yearly: "a year such as 2026"
        }
    }

    private func notFound(
        _ figure: SalesFigure, _ days: ClosedRange<PacificDay>, _ rows: [SalesTotal], _ app: App, _ key: RollUpKey
    ) async throws -> ExplainError {
        let name =
            "\(figure.column.rawValue) of \(figure.product ?? figure.bundleID.rawValue) \(SalesFilter.words(for: days))"
        if rows.isEmpty {
            let days = try await database.read { connection in
                try SalesRollUpTable.rows(.month, 0...Int64(Int32.max), key, on: connection).map(\.period)
            }
            let months = Set(days.map { "\($0 / 12)-\($0 % 12 < 9 ? "0" : "")\($0 % 12 + 1)" })
            return .notFound(name, there: [("sales in the months", months)])
        }
        return .notFound(
            name,
            there: [
                ("products", Set(rows.map { $0.key.product?.rawValue ?? app.bundleID.rawValue })),
                ("countries", Set(rows.map(\.key.storefront.alpha2))),
                ("devices", Set(rows.compactMap { $0.key.device?.rawValue })),
                ("types", Set(rows.map(\.key.type.rawValue))),
            ])
    }
}

extension Explanation.Contribution {
    /// Creates the contribution of an entry's rows to a column of sales.
    init(_ entry: RollUpBatch.Entry, _ totals: [SalesTotal], _ column: SalesFigure.Column, in app: App) {
        let amounts = totals.compactMap { $0.amount(column) }
        self.init(
            of: entry, in: app,
            units: totals.reduce(0) { $0.clampedAdding(column.units($1.units)) },
            amount: amounts.first.map { first in
                Money(milliunits: amounts.reduce(0) { $0.clampedAdding($1.milliunits) }, first.currency)
            })
    }
}
