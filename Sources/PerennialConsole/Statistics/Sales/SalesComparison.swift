import Perennial

/// The rows of the span before, with which those of a span are compared.
struct SalesComparison: Sendable {
    private let rows: [SalesGrouping.Row.Key: SalesGrouping.Row]

    init(_ rows: [SalesGrouping.Row]) {
        self.rows = Dictionary(rows.map { ($0.key, $0) }) { first, _ in first }
    }

    /// - Parameter name: Of the amounts that are compared.
    static func column(of name: Phrase) -> Table.Column {
        Table.Column(
            .phrase(SalesPhrases.change), .trailing, .secondary,
            definition: .phrase(SalesPhrases.changeDefinition, .phrase(name)))
    }

    /// Returns the change of a row's amount in a currency since the span before; empty if there was none before.
    func cell(_ row: SalesGrouping.Row, _ money: Money) -> Cell {
        Self.cell(money, before: rows[row.key]?.amount(money.currency) ?? 0)
    }

    /// Returns the change of the sum of all rows.
    func total(_ money: Money) -> Cell {
        Self.cell(
            money, before: rows.values.reduce(0) { $0.clampedAdding($1.amount(money.currency)) })
    }

    private static func cell(_ money: Money, before: Int64) -> Cell {
        Cell(Change.of(money.milliunits, since: before).map { .change($0) } ?? .none)
    }
}
