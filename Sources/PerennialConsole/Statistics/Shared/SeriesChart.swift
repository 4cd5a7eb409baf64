import Perennial
import PerennialStore

extension FigureRequest {
    /// Returns the steps of a chart of days or months.
    func steps(_ periods: StatisticPeriods) -> [ChartStep] {
        (0..<periods.count).map { index in
            let day = periods.days(index).lowerBound
            return periods.interval == .day
                ? ChartStep(name: day.text, isWeekend: day.isWeekend)
                : ChartStep(name: .month(named: periods.name(index)))
        }
    }

    /// Draws a column of a statistic over the span, with the span before in grey.
    ///
    /// - Parameters:
    ///   - currency: Of money; there is a chart for one currency at a time.
    ///   - path: Returns the path of the explanation of some days' amount.
    func chart(
        _ title: Text, _ statistic: Statistic, _ column: String, _ currency: Currency?, isStock: Bool = false,
        path: (ClosedRange<PacificDay>) -> String
    ) async throws -> (chart: Chart, amounts: [Int64]) {
        let table = try await self.table(statistic, span.days, span.interval)
        let before = isStock ? nil : try await self.table(statistic, span.before, span.interval)
        let unit: ChartUnit = currency.map { .money($0) } ?? .count
        guard let periods = StatisticPeriods(span.days, by: span.interval) else { return (Self.empty(title, unit), []) }
        let amounts = Self.filled(table.amounts(column, currency).map(\.amount), periods.count)
        var earlier = before.map { Self.filled($0.amounts(column, currency).map(\.amount), periods.count) }
        if earlier != nil, let last = try await partOfLastMonth(statistic, currency) {
            earlier?[periods.count - 1] = last
        }
        let figures = ChartFigures(
            title: title, steps: steps(periods), unit: unit,
            series: [ChartSeries(title, amounts, paths: (0..<periods.count).map { path(periods.days($0)) })],
            before: earlier.map { ChartSeries(.phrase(ChartPhrases.before), $0) }, isStock: isStock,
            heading: .phrase(span.interval == .day ? Words.date : ChartPhrases.month))
        return (LineChart(figures).chart, amounts)
    }

    /// Returns the amount of the last month of the span before, up to the day on which that ends; `nil` where it has whole
    /// months or days.
    private func partOfLastMonth(_ statistic: Statistic, _ currency: Currency?) async throws -> Int64? {
        let (end, month) = (span.before.upperBound, StatisticInterval.month)
        guard span.interval == .month, month.start(of: end.next) != end.next, statistic.measures.count == 1 else {
            return nil
        }
        let sums = try await statistics.sums(of: statistic.measures, month.start(of: end)...end, in: app.bundleID)
        return sums[statistic.measures[0], "", currency]
    }

    private static func empty(_ title: Text, _ unit: ChartUnit) -> Chart {
        LineChart(ChartFigures(title: title, steps: [], unit: unit, series: [])).chart
    }

    /// Returns so many amounts, with 0 where a currency has no row.
    private static func filled(_ amounts: [Int64?], _ count: Int) -> [Int64] {
        (0..<count).map { $0 < amounts.count ? amounts[$0] ?? 0 : 0 }
    }
}
