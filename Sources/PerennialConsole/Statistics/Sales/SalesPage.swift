import Perennial
import PerennialStore

/// Sales and Trends: amounts and units of a span, as a line beside the span before, and by product, storefront, type or device.
struct SalesPage: Sendable {
    let request: FigureRequest
    let grouping: SalesGrouping
    /// Proceeds, or what customers paid.
    let column: SalesFigure.Column

    private var measure: StatisticMeasure { column == .proceeds ? .proceeds : .revenue }
    private var statistic: Statistic { column == .proceeds ? .proceeds : .revenue }
    private var name: Phrase { column == .proceeds ? Words.proceeds : FigurePhrases.sales }

    init(_ page: PageRequest) async throws {
        request = try await FigureRequest(page)
        grouping = page.query["by"].flatMap(SalesGrouping.init(rawValue:)) ?? .product
        column = page.query["amounts"] == SalesFigure.Column.sales.rawValue ? .sales : .proceeds
    }

    func page() async throws -> Page {
        if let refused = request.refused(SalesPhrases.title, .sales) { return refused }
        let (span, bundleID) = (request.span, request.app.bundleID)
        let measures: [StatisticMeasure] = [.units, .refunds, measure]
        let totals = try await request.statistics.sums(of: measures, span.days, in: bundleID)
        let before = try await request.statistics.sums(of: measures, span.before, in: bundleID)
        let currencies = Set((totals.money(measure) + before.money(measure)).map(\.currency))
        let currency = request.currency(of: currencies)
        let chart = try await request.chart(
            .phrase(FigurePhrases.inCurrency, .phrase(name), .data(currency.rawValue)), statistic, statistic.rawValue,
            currency
        ) { request.explanation(column, currency: currency, days: $0) }
        var blocks = request.notice
        blocks.append(.filter(request.filter(.sales, choices, currencies, currency)))
        let label = request.label(name, currency, of: currencies)
        blocks.append(.figures(figures(totals, before, currency, label, chart.amounts)))
        blocks.append(.chart(chart.chart))
        func rows(_ days: ClosedRange<PacificDay>, _ totals: StatisticSums) async throws -> [SalesGrouping.Row] {
            let values = try await request.statistics.sums(of: measures, by: grouping.dimension, days, in: bundleID)
            return grouping.rows(values, totals, measures: measures, in: request.app, request.page.language)
        }
        let comparison = SalesComparison(try await rows(span.before, before))
        let table = self.table(
            try await rows(span.days, totals), comparison, currency, totals: currencies.count > 1 ? totals : nil)
        blocks.append(
            .section(.phrase(SalesPhrases.byValue, .phrase(grouping.phrase)), [.table(table)]))
        if currencies.count > 1 { blocks.append(.section(byCurrency, [.table(currencyTable(totals, before))])) }
        // Apple's files are of all apps.
        if request.page.visitor.seesAllApps { blocks.append(SalesDownloads.section(request)) }
        blocks.append(.same(request.same(statistic, group: grouping.dimension)))
        blocks.append(.paragraph(.phrase(SpanPhrases.pacificDays)))
        return Page(.phrase(SalesPhrases.title), .sales, blocks)
    }

    private var byCurrency: Text { .phrase(SalesPhrases.byCurrency, .phrase(name)) }

    private var choices: [Filter.Choice] {
        [
            Filter.Choice(
                label: .phrase(SalesPhrases.by), parameter: "by",
                options: SalesGrouping.allCases.map { (value: $0.rawValue, text: .phrase($0.phrase)) },
                selected: grouping.rawValue),
            Filter.Choice(
                label: .phrase(SalesPhrases.show), parameter: "amounts",
                options: [
                    (value: SalesFigure.Column.proceeds.rawValue, text: .phrase(Words.proceeds)),
                    (value: SalesFigure.Column.sales.rawValue, text: .phrase(FigurePhrases.sales)),
                ], selected: column.rawValue),
        ]
    }

    private func figures(
        _ totals: StatisticSums, _ before: StatisticSums, _ currency: Currency, _ label: Text, _ amounts: [Int64]
    ) -> [Figure] {
        let amount = totals[measure, "", currency]
        func count(_ measure: StatisticMeasure) -> (now: Int64, change: Double?) {
            let now = totals[measure, "", nil]
            return (now, Change.of(now, since: before[measure, "", nil]))
        }
        let (units, refunds) = (count(.units), count(.refunds))
        return [
            Figure(
                label: label, value: .money(Money(milliunits: amount, currency)),
                others: FigureRequest.others(totals.money(measure), than: currency),
                change: Change.of(amount, since: before[measure, "", currency]),
                definition: .phrase(
                    column == .proceeds ? FigurePhrases.proceedsDefinition : FigurePhrases.salesDefinition),
                path: request.explanation(column, currency: currency), sparkline: amounts.map { Double($0) }),
            Figure(
                label: .phrase(Words.units), value: .number(units.now), change: units.change,
                definition: .phrase(FigurePhrases.unitsDefinition), path: request.explanation(.units)),
            Figure(
                label: .phrase(Words.refunds), value: .number(refunds.now), change: refunds.change,
                isBetterLower: true, definition: .phrase(FigurePhrases.refundsDefinition),
                path: request.explanation(.refunds)),
        ]
    }

    // MARK: - Tables

    /// - Parameter totals: Of amounts in several currencies.
    private func table(
        _ rows: [SalesGrouping.Row], _ comparison: SalesComparison, _ currency: Currency, totals: StatisticSums?
    ) -> Table {
        let first = Int(request.page.query["row"] ?? "") ?? 0
        let shown = rows.dropFirst(max(first, 0)).prefix(Self.rowsOfPage)
        var cells = shown.map { row(of: $0, comparison, currency) }
        if rows.count > 1 { cells.append(total(of: rows, comparison, currency, totals)) }
        return Table(
            caption: .phrase(SalesPhrases.byValue, .phrase(grouping.phrase)),
            columns: [
                Table.Column(.phrase(grouping.phrase), .leading, .primary),
                Table.Column(.phrase(Words.units), .trailing, definition: .phrase(FigurePhrases.unitsDefinition)),
                Table.Column(.phrase(Words.refunds), .trailing, definition: .phrase(FigurePhrases.refundsDefinition)),
                Table.Column(
                    .phrase(name), .trailing, .primary,
                    definition: .phrase(
                        column == .proceeds ? FigurePhrases.proceedsDefinition : FigurePhrases.salesDefinition)),
                SalesComparison.column(of: name),
            ], rows: rows.isEmpty ? [] : cells, next: next(after: first + shown.count, of: rows.count),
            first: first > 0 ? path(row: 0) : nil,
            empty: EmptyState(
                text: .phrase(SalesPhrases.noSales, request.span.days.text),
                same: SameCommand(
                    "buy \(request.app.products.first?.id.rawValue ?? "PRODUCT") --app \(request.app.bundleID) "
                        + "--account ann@example.com --environment \(request.page.environment.name)")))
    }

    /// The rows of one page.
    private static let rowsOfPage = 50

    private func next(after end: Int, of count: Int) -> String? { end < count ? path(row: end) : nil }

    private func path(row: Int) -> String {
        let span = request.span.query
        return request.page.path(
            "sales",
            [
                "span": span["span"] ?? "", "from": span["from"] ?? "", "to": span["to"] ?? "",
                "by": grouping.rawValue, "amounts": column.rawValue,
                "currency": request.page.query["currency"] ?? "", "row": row > 0 ? "\(row)" : "",
            ])
    }

    private func row(
        of row: SalesGrouping.Row, _ comparison: SalesComparison, _ currency: Currency
    ) -> Table.Row {
        // A row with sales in one currency has that one; otherwise the chosen one, with the others below it.
        let shown = row.money.count == 1 ? row.money.first : row.money.first { $0.currency == currency }
        let money = shown ?? .zero(currency)
        func path(
            _ column: SalesFigure.Column, _ currency: Currency? = nil, days: ClosedRange<PacificDay>? = nil
        ) -> String? {
            guard row.isExplained else { return nil }
            return request.explanation(
                column, product: row.product, country: row.country, device: row.device, kind: row.kind,
                currency: currency, days: days)
        }
        var change = comparison.cell(row, money)
        if change.text != .none { change.path = path(column, money.currency, days: request.span.before) }
        return Table.Row(
            [
                Cell(row.name, path: productPath(row)),
                Cell(.number(row.units), path: path(.units)), Cell(.number(row.refunds), path: path(.refunds)),
                Cell(.money(money), path: path(column, money.currency)), change,
            ],
            details: row.money.count > 1 ? [facts(of: row.money) { path(column, $0) }] : [])
    }

    /// Returns amounts by currency, with the path of each one's explanation.
    private func facts(of amounts: [Money], path: (Currency) -> String?) -> Block {
        .facts(
            amounts.map { money in
                Fact(.data(money.currency.rawValue), Cell(.money(money), path: path(money.currency)))
            })
    }

    private func productPath(_ row: SalesGrouping.Row) -> String? {
        guard let product = row.product, product != request.app.bundleID.rawValue else { return nil }
        return request.page.path("products/\(ConsolePath.encoded(product))")
    }

    private func total(
        of rows: [SalesGrouping.Row], _ comparison: SalesComparison, _ currency: Currency, _ totals: StatisticSums?
    ) -> Table.Row {
        let amounts = rows.flatMap(\.money).filter { $0.currency == currency }.map(\.milliunits)
        let amount = Money(milliunits: amounts.reduce(0) { $0.clampedAdding($1) }, currency)
        return Table.Row(
            [
                Cell(
                    totals == nil
                        ? .phrase(Words.total)
                        : .phrase(FigurePhrases.inCurrency, .phrase(Words.total), .data(currency.rawValue))),
                Cell(
                    .number(rows.reduce(Int64(0)) { $0.clampedAdding($1.units) }), path: request.explanation(.units)),
                Cell(
                    .number(rows.reduce(Int64(0)) { $0.clampedAdding($1.refunds) }),
                    path: request.explanation(.refunds)),
                Cell(.money(amount), path: request.explanation(column, currency: currency)), comparison.total(amount),
            ],
            details: totals.map { [facts(of: $0.money(measure)) { request.explanation(column, currency: $0) }] } ?? [],
            isTotal: true)
    }

    private func currencyTable(_ totals: StatisticSums, _ before: StatisticSums) -> Table {
        Table(
            caption: byCurrency,
            columns: [
                Table.Column(.phrase(SpanPhrases.currency), .leading, .primary),
                Table.Column(.phrase(name), .trailing, .primary),
                Table.Column(.phrase(ChartPhrases.before), .trailing),
            ],
            rows: totals.money(measure).map { money in
                Table.Row([
                    Cell(.data(money.currency.rawValue)),
                    Cell(.money(money), path: request.explanation(column, currency: money.currency)),
                    Cell(
                        .money(Money(milliunits: before[measure, "", money.currency], money.currency)),
                        path: request.explanation(column, currency: money.currency, days: request.span.before)),
                ])
            })
    }
}
