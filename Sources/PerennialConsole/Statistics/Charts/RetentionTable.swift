import Perennial

/// Retention as a triangle: a row for each month of first payments, a column for each month since.
enum RetentionTable {
    /// The most months since the first payment: more columns don't fit a screen.
    private static let mostMonths = 12

    /// - Parameter path: Returns the path of a cell's explanation by its month of first payments and its column.
    static func table(
        _ statistic: StatisticTable, caption: Text, definition: Text,
        path: (_ period: String, _ column: String) -> String?
    ) -> Table {
        let months = min(max(statistic.columns.count - 1, 0), mostMonths + 1)
        var columns = [
            Table.Column(.phrase(ChartPhrases.month), .leading, .primary),
            Table.Column(.phrase(ChartPhrases.subscriptions), .trailing, .primary, definition: definition),
        ]
        columns += (0..<months).map { month in
            Table.Column(.phrase(ChartPhrases.afterMonths, .number(month)), .trailing, .secondary)
        }
        let rows = statistic.rows.reversed().map { row in
            Table.Row(
                row.values.prefix(months + 1).enumerated().reduce(into: [Cell(.month(named: row.period))]) {
                    cells, value in
                    var cell = Self.cell(value.element, month: value.offset - 1, of: row.period)
                    if value.element != nil { cell.path = path(row.period, statistic.columns[value.offset].name) }
                    cells.append(cell)
                })
        }
        return Table(caption: caption, columns: columns, rows: rows)
    }

    private static func cell(_ value: StatisticValue?, month: Int, of period: String) -> Cell {
        switch value {
        case nil: return Cell(.none)
        case .count(let count), .money(let count): return Cell(.number(count))
        case .percent(let hundredths):
            let share = Double(hundredths) / 10_000
            return Cell(
                .percent(share), heat: min(max(share, 0), 1),
                title: .phrase(ChartPhrases.stillPaid, .percent(share), .month(named: period), .number(month)))
        }
    }
}
