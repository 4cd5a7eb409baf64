import Perennial
import PerennialStorage
import PerennialStore

/// Payments and Financial Reports: what is owed, what was paid, by fiscal month. It is of all apps of the environment.
struct PaymentsPage: Sendable {
    let request: PageRequest
    private static let monthsOfPage = 24

    func page() async throws -> Page {
        let finance = request.store.rolledUp.finance
        let owed = try await finance.owed()
        let before = request.query["before"].flatMap { FiscalMonth($0) }
        let closings = try await finance.newestClosings(Self.monthsOfPage + 1, before: before)
        var blocks: [Block] = [.figures(figures(owed, closings.first))]
        let paid = closings.prefix(Self.monthsOfPage).reversed()
        if paid.count > 1 { blocks.append(.chart(chart(paid.map(\.closing)))) }
        blocks.append(.section(.phrase(PaymentPhrases.openMonths), id: "open", [.table(openMonths(owed))]))
        if !owed.open.isEmpty {
            blocks.append(.section(.phrase(PaymentPhrases.byRegion), [.table(regions(owed))]))
        }
        blocks.append(
            .section(
                .phrase(PaymentPhrases.closedMonths), id: "closed", [.table(closedMonths(closings, owed, before))]))
        blocks.append(
            .same(
                SameCommand(
                    "finance owed show --environment \(request.environment.name)",
                    .init("GET", "control/v1/finance/owed"))))
        return Page(.phrase(PaymentPhrases.title), .payments, blocks)
    }

    private func figures(_ owed: OwedStatement, _ last: ClosedMonthsTable.Record?) -> [Figure] {
        var amounts: [Currency: Int64] = [:]
        for open in owed.open {
            amounts[open.key.currency] = (amounts[open.key.currency] ?? 0).clampedAdding(open.amount.milliunits)
        }
        let money = amounts.filter { $0.value != 0 }.sorted { $0.key.rawValue < $1.key.rawValue }
            .map { Money(milliunits: $0.value, $0.key) }
        var figures = [
            Figure(
                label: .phrase(PaymentPhrases.owed), value: money.text,
                definition: .phrase(PaymentPhrases.owedDefinition),
                path: request.explanation(of: PaymentFigure(month: nil)))
        ]
        if let next = owed.scheduled.first {
            figures.append(payout(next.payout, of: next.month, PaymentPhrases.nextPayout))
        } else if let last, let paid = last.closing.payout {
            figures.append(payout(paid, of: last.closing.month, PaymentPhrases.lastPayout))
        }
        if let balance = owed.balance {
            figures.append(
                Figure(
                    label: .phrase(PaymentPhrases.balance), value: .money(balance),
                    definition: .phrase(PaymentPhrases.balanceDefinition),
                    path: owed.closed.map { explanation(.balance, $0) }))
        }
        return figures
    }

    private func payout(_ payout: MonthClosing.Payout, of month: FiscalMonth, _ name: Phrase) -> Figure {
        Figure(
            label: .joined([.phrase(name), .data(", "), payout.day.text]), value: .money(payout.amount),
            definition: .phrase(PaymentPhrases.payoutDefinition), path: explanation(.payout, month))
    }

    /// Draws the payouts of closed months, in the currency of the newest.
    private func chart(_ closings: [MonthClosing]) -> Chart {
        let currency = closings.last?.bankCurrency ?? .usd
        let figures = ChartFigures(
            title: .joined([.phrase(PaymentPhrases.payouts), .data(", "), .data(currency.rawValue)]),
            steps: closings.map { ChartStep(name: .data("\($0.month)")) }, unit: .money(currency),
            series: [
                ChartSeries(
                    .phrase(PaymentPhrases.paid),
                    closings.map { closing in
                        closing.bankCurrency == currency ? closing.payout?.amount.milliunits ?? 0 : nil
                    }, paths: closings.map { explanation(.payout, $0.month) })
            ], heading: .phrase(PaymentPhrases.fiscalMonth))
        return ColumnChart(figures, hasNet: false).chart
    }

    // MARK: - Tables

    private func openMonths(_ owed: OwedStatement) -> Table {
        Table(
            caption: .phrase(PaymentPhrases.openMonths),
            columns: [
                Table.Column(.phrase(PaymentPhrases.fiscalMonth), .leading, .primary),
                Table.Column(.phrase(PaymentPhrases.days)),
                Table.Column(.phrase(Words.units), .trailing),
                Table.Column(.phrase(Words.proceeds), .trailing, .primary),
            ],
            rows: owed.months.reversed().map { month in
                Table.Row(
                    [
                        .id("\(month.month)", path: request.path("payments/\(month.month)")),
                        Cell((month.month.firstDay...month.month.lastDay).text),
                        Cell(.number(month.units), path: explanation(.units, month.month)),
                        Cell(month.proceeds.text, path: explanation(.proceeds, month.month)),
                    ])
            }, empty: EmptyState(text: .phrase(PaymentPhrases.nothingOwed)))
    }

    /// Returns the path of a figure's explanation.
    ///
    /// - Parameter month: `nil` for all open months.
    private func explanation(
        _ column: PaymentFigure.Column, _ month: FiscalMonth?, _ key: RegionSales.Key? = nil
    ) -> String {
        request.explanation(
            of: PaymentFigure(month: month, column: column, region: key?.region, currency: key?.currency))
    }

    private func regions(_ owed: OwedStatement) -> Table {
        Table(
            caption: .phrase(PaymentPhrases.byRegion),
            columns: [
                Table.Column(.phrase(ExplainPhrases.region), .leading, .primary),
                Table.Column(.phrase(Words.units), .trailing),
                Table.Column(.phrase(PaymentPhrases.earned), .trailing),
                Table.Column(.phrase(PaymentPhrases.adjustments), .trailing),
                Table.Column(.phrase(PaymentPhrases.owedColumn), .trailing, .primary),
            ],
            rows: owed.open.map { open in
                func cell(_ milliunits: Int64, _ column: PaymentFigure.Column) -> Cell {
                    Cell(
                        .money(Money(milliunits: milliunits, open.key.currency)),
                        path: explanation(column, nil, open.key))
                }
                return Table.Row([
                    Cell(.region(open.key.region, request.language)),
                    Cell(.number(open.sales.units), path: explanation(.units, nil, open.key)),
                    cell(open.sales.earned, .earned),
                    cell(open.sales.late.clampedAdding(open.sales.manual), .adjustments),
                    cell(open.amount.milliunits, .owed),
                ])
            })
    }

    private func closedMonths(
        _ closings: [ClosedMonthsTable.Record], _ owed: OwedStatement, _ before: FiscalMonth?
    ) -> Table {
        let shown = closings.prefix(Self.monthsOfPage)
        let today = PacificDay(owed.now)
        return Table(
            caption: .phrase(PaymentPhrases.closedMonths),
            columns: [
                Table.Column(.phrase(PaymentPhrases.fiscalMonth), .leading, .primary),
                Table.Column(.phrase(PaymentPhrases.days)),
                Table.Column(.phrase(Words.total), .trailing),
                Table.Column(.phrase(PaymentPhrases.paid), .trailing, .primary),
                Table.Column(.phrase(PaymentPhrases.paidOn)),
                Table.Column(.phrase(PaymentPhrases.balance), .trailing, .wideOnly),
            ],
            rows: shown.map { record in
                let closing = record.closing
                let payout = closing.payout
                return Table.Row(
                    [
                        .id("\(closing.month)", path: request.path("payments/\(closing.month)")),
                        Cell((closing.month.firstDay...closing.month.lastDay).text),
                        Cell(.money(closing.total), path: explanation(.total, closing.month)),
                        Cell(
                            payout.map { .money($0.amount) } ?? .none,
                            path: payout.map { _ in explanation(.payout, closing.month) },
                            status: payout.map { $0.day > today ? .neutral : .good }),
                        Cell(payout?.day.text ?? .none),
                        Cell(.money(closing.balance), path: explanation(.balance, closing.month)),
                    ],
                    actions: [
                        .download(
                            Link(
                                .phrase(PaymentPhrases.allRegions),
                                MonthDownloads.path(closing.month, FinancialRegion.consolidated, request)))
                    ])
            },
            next: closings.count > shown.count
                ? shown.last.map { request.path("payments", ["before": "\($0.closing.month)"]) } : nil,
            first: before == nil ? nil : request.path("payments"),
            empty: EmptyState(
                text: .phrase(PaymentPhrases.noClosedMonths),
                same: SameCommand("finance close \(nextToClose(owed)) --environment \(request.environment.name)")))
    }

    private func nextToClose(_ owed: OwedStatement) -> FiscalMonth {
        owed.closed?.next ?? owed.months.first?.month ?? FiscalMonth(containing: PacificDay(owed.now))
    }
}
