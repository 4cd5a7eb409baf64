import Perennial

/// A place on a chart's horizontal axis.
struct ChartStep: Sendable, Hashable {
    var name: Text
    /// True for Saturdays and Sundays, in charts of days.
    var isWeekend = false
}

/// Amounts of one colour, one for each step.
struct ChartSeries: Sendable {
    var name: Text
    /// The amounts in the chart's unit; `nil` where there is no figure.
    var amounts: [Int64?]
    /// The paths of the amounts' explanations; empty where they have none.
    var paths: [String?]

    init(_ name: Text, _ amounts: [Int64?], paths: [String?] = []) {
        self.name = name
        self.amounts = amounts
        self.paths = paths
    }

    /// Returns the cell of a step in the table behind the chart.
    func cell(_ step: Int, _ unit: ChartUnit) -> Cell {
        guard let amount = self[step] else { return Cell(.none) }
        return Cell(unit.text(amount), path: paths.indices.contains(step) ? paths[step] : nil)
    }

    subscript(step: Int) -> Int64? { amounts.indices.contains(step) ? amounts[step] : nil }

    var total: Int64 { amounts.reduce(0) { $0.clampedAdding($1 ?? 0) } }

    fileprivate var size: UInt64 {
        amounts.reduce(0) { sum, amount in
            let (added, overflow) = sum.addingReportingOverflow(amount?.magnitude ?? 0)
            return overflow ? .max : added
        }
    }

    /// The most series of a chart: as many colours can be told apart.
    static let most = 5

    /// Returns the greatest four, in their order, and the sum of the rest as "other"; all, if there are five or fewer.
    static func limited(_ series: [ChartSeries]) -> [ChartSeries] {
        guard series.count > most else { return series }
        let order = series.indices.sorted { (series[$0].size, $1) > (series[$1].size, $0) }
        let (kept, rest) = (order.prefix(most - 1).sorted(), order.dropFirst(most - 1))
        let steps = series.map(\.amounts.count).max() ?? 0
        let sums = (0..<steps).map { step -> Int64? in
            let amounts = rest.compactMap { series[$0][step] }
            return amounts.isEmpty ? nil : amounts.reduce(0) { $0.clampedAdding($1) }
        }
        return kept.map { series[$0] } + [ChartSeries(.phrase(ChartPhrases.other), sums)]
    }
}

/// The parts of a chart that lines and columns share: titles, the sentence and the table.
struct ChartFigures: Sendable {
    var title: Text
    var steps: [ChartStep]
    var unit: ChartUnit
    /// Limited to ``ChartSeries/most``.
    var series: [ChartSeries]
    /// The span before, step by step.
    var before: ChartSeries?
    /// True for numbers that last: the last one counts, not their sum.
    var isStock = false
    /// The heading of the steps' column.
    var heading: Text = .phrase(Words.date)
    /// The most rows of the table.
    static let mostRows = 400

    /// The sentence that says the trend.
    var summary: Text {
        guard let first = steps.first, let last = steps.last, let main = series.first,
            let highest = main.amounts.indices.max(by: { (main[$0] ?? .min, $1) < (main[$1] ?? .min, $0) }),
            steps.indices.contains(highest), series.contains(where: { $0.amounts.contains { $0 != nil } })
        else { return .phrase(ChartPhrases.nothing, title) }
        if isStock {
            return .phrase(
                ChartPhrases.stock, title, unit.text(main[0] ?? 0), first.name,
                unit.text(main[steps.count - 1] ?? 0), last.name)
        }
        let most = unit.text(main[highest] ?? 0)
        guard let change = before.flatMap({ Change.of(main.total, since: $0.total) }) else {
            return .phrase(
                ChartPhrases.total, title, first.name, last.name, unit.text(main.total), steps[highest].name, most)
        }
        return .phrase(
            ChartPhrases.totalWithChange, title, first.name, last.name, unit.text(main.total), .change(change),
            steps[highest].name, most)
    }

    /// The same figures as a table, the newest first.
    var table: Table {
        let all = series + (before.map { [$0] } ?? [])
        let rows = steps.indices.suffix(Self.mostRows).reversed().map { step in
            Table.Row(
                [Cell(steps[step].name)]
                    + all.map { $0.cell(step, unit) })
        }
        return Table(
            caption: title,
            columns: [Table.Column(heading, .leading, .primary)]
                + all.map { Table.Column($0.name, .trailing, .primary) }, rows: rows)
    }

    /// Returns the texts of a step: its name and values.
    func label(_ step: Int, _ text: (Text) -> String) -> String {
        let values = series.compactMap { series in
            series[step].map { (series.name, text(unit.text($0))) }
        }
        var label = text(steps[step].name) + ": "
        label +=
            values.count == 1 && series.count == 1
            ? values[0].1 : values.map { "\(text($0.0)) \($0.1)" }.joined(separator: ", ")
        if let before, let amount = before[step] { label += " (\(text(before.name)): \(text(unit.text(amount))))" }
        return label
    }
}

/// The change of an amount.
enum Change {
    /// Returns the change as a share of the amount before; `nil` if that was 0 or less.
    static func of(_ amount: Int64, since before: Int64) -> Double? {
        before > 0 ? (Double(amount) - Double(before)) / Double(before) : nil
    }
}
