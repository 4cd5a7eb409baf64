import Perennial
import PerennialStorage

extension Explain {
    /// Explains a column of a statistic: the terms from which it is computed, and a page of the journal entries behind it.
    ///
    /// A page takes constant time: entries are found by their measure, subscriptions by their IDs.
    ///
    /// - Parameter addsUpAll: True to add up all entries; otherwise the sum is there where one page has them all.
    /// - Throws: ``ExplainError`` `.figureNotFound`, ``StoreError`` `.appNotFound`.
    package func column(
        _ figure: StatisticColumnFigure, _ page: Explanation.Page = .init(), addsUpAll: Bool = false
    ) async throws -> ColumnExplanation {
        if figure.statistic.isMoney(figure.column) == true, figure.currency == nil {
            throw ExplainError(
                .figureNotFound, figure.title, "money is explained in one currency, such as USD")
        }
        if let column = SalesFigure.Column(figure.statistic), figure.column == figure.statistic.rawValue {
            return try await salesColumn(figure, column, page, addsUpAll: addsUpAll)
        }
        guard let computation = figure.statistic.computation(of: figure.column) else {
            throw ExplainError.notFound(figure.title, there: [("columns", figure.statistic.listedColumns)])
        }
        let (app, key) = try await upToDate(figure.bundleID)
        return try await database.read { [clock] connection in
            let reader = ColumnReader(
                figure: figure, computation: computation, app: app, key: key,
                today: PacificDay(try clock.now(on: connection)), connection: connection)
            return try reader.explanation(page, addsUpAll: addsUpAll)
        }
    }

    /// Explains a statistic that is a sum of sales, by their entries.
    private func salesColumn(
        _ figure: StatisticColumnFigure, _ column: SalesFigure.Column, _ page: Explanation.Page, addsUpAll: Bool
    ) async throws -> ColumnExplanation {
        var sales = SalesFigure(
            bundleID: figure.bundleID, days: figure.days, currency: column.counts ? nil : figure.currency,
            column: column)
        sales.countsSalesOnly = true
        var entries = try await salesEntries(sales, days: figure.days, page)
        if addsUpAll {
            var (builder, count) = (ExplanationBuilder(page, counts: column.counts), 0)
            var part = Explanation.Page(limit: Explanation.Page.limits.upperBound)
            while true {
                try Task.checkCancellation()
                let read = try await salesEntries(sales, days: figure.days, part)
                for contribution in read.contributions { builder.add(units: contribution.units, contribution.amount) }
                count += read.contributions.count
                guard let next = read.next else { break }
                part.after = next
            }
            (entries.sum, entries.count) = (builder.figure, count)
        }
        if !column.counts { entries.sum?.units = 0 }
        let (_, key) = try await upToDate(figure.bundleID)
        let measure = figure.statistic.measures[0]
        let total = try await database.read { connection in
            try StatisticTotals(key: key, connection: connection).sum(of: measure, figure.days, figure.currency)
        }
        return ColumnExplanation(
            figure: figure, value: column.counts ? .count(total) : .money(total), terms: [], listing: .column,
            listed: Explanation.Figure(total, column.counts ? nil : figure.currency), entries: entries)
    }
}

extension Statistic {
    /// The columns whose entries are listed.
    fileprivate var listedColumns: Set<String> {
        var names = columnNames
        if self == .retention {
            names.append("subscriptions")
            names += (0...StatisticTable.longestRetention).map { "month-\($0)" }
        }
        let isSales = SalesFigure.Column(self) != nil
        return Set(names.filter { computation(of: $0) != nil || isSales && $0 == rawValue })
    }
}

extension SalesFigure.Column {
    /// Creates the column of sales that a statistic adds up; `nil` for other statistics.
    fileprivate init?(_ statistic: Statistic) {
        switch statistic {
        case .units: self = .units
        case .revenue: self = .sales
        case .proceeds: self = .proceeds
        case .refunds: self = .refunds
        default: return nil
        }
    }
}

extension Explanation.Figure {
    /// Creates the figure of a count, or of an amount in a currency.
    init(_ amount: Int64, _ currency: Currency?) {
        self.init(
            units: currency == nil ? amount : 0,
            amounts: ExplanationBuilder.list(currency.map { [$0: amount] } ?? [:]))
    }
}

/// Reads sums of a statistic's totals.
struct StatisticTotals {
    let key: RollUpKey
    let connection: any Connection

    /// Returns the sum of a measure over days; of a number that lasts its value at their end.
    func sum(
        of measure: StatisticMeasure, _ days: ClosedRange<PacificDay>, _ currency: Currency?
    ) throws -> Int64 {
        let (first, last) = (days.lowerBound, days.upperBound)
        let month = StatisticTotalsTable.Grain.month
        guard measure.isStock else {
            if StatisticInterval.month.start(of: first) == first,
                StatisticInterval.month.next(after: first).adding(-1) == last
            {
                return try sum(measure, month, month.period(of: first)...month.period(of: first), currency)
            }
            return try sum(measure, .day, first.number...last.number, currency)
        }
        let start = StatisticInterval.month.start(of: last)
        return try sum(measure, month, .min...(month.period(of: last) - 1), currency)
            + sum(measure, .day, start.number...last.number, currency)
    }

    private func sum(
        _ measure: StatisticMeasure, _ grain: StatisticTotalsTable.Grain, _ periods: ClosedRange<Int64>,
        _ currency: Currency?
    ) throws -> Int64 {
        try StatisticTotalsTable.sums(of: measure, by: .all, grain, periods, key, on: connection)
            .reduce(0) { sum, total in
                currency == nil || total.currency == currency ? sum.clampedAdding(total.total) : sum
            }
    }
}
