import Perennial
import PerennialStorage
import PerennialStore

/// A fiscal month: its closing with a line for each region, and the downloads; or what it has earned so far.
struct MonthPage: Sendable {
    let request: PageRequest
    let month: FiscalMonth

    /// - Throws: ``ConsoleError`` `.notFound` for a path that names no fiscal month.
    init(_ request: PageRequest) throws {
        guard let month = FiscalMonth(request.parameter("month")) else {
            throw ConsoleError.notFound(.phrase(PaymentPhrases.noMonth))
        }
        (self.request, self.month) = (request, month)
    }

    func page(error: Text? = nil) async throws -> Page {
        do {
            let record = try await request.store.finance.closedMonth(month)
            return page(closed(record))
        } catch let error as FinanceError where error.code == .monthNotClosed {}
        return page(try await open(error), status: error == nil ? 200 : 422)
    }

    private func page(_ blocks: [Block], status: Int = 200) -> Page {
        Page(
            .joined([.phrase(PaymentPhrases.fiscalMonth), .data(" "), .data("\(month)")]), .payments,
            trail: [Link(.phrase(PaymentPhrases.title), request.path("payments"))], status: status, blocks)
    }

    // MARK: - A closed month

    private func closed(_ record: ClosedMonthsTable.Record) -> [Block] {
        let closing = record.closing
        var facts = [
            Fact(.phrase(PaymentPhrases.days), Cell((month.firstDay...month.lastDay).text)),
            Fact(.phrase(PaymentPhrases.closedOn), Cell(.exact(record.closed))),
            Fact(
                .phrase(PaymentPhrases.carried),
                Cell(.money(closing.carriedProceeds), path: explanation(.carried))),
            Fact(.phrase(PaymentPhrases.threshold), Cell(.money(closing.threshold))),
        ]
        if let payout = closing.payout {
            facts.append(Fact(.phrase(PaymentPhrases.paidOn), Cell(payout.day.text)))
            facts.append(Fact(.phrase(PaymentPhrases.reference), .id(payout.reference)))
        }
        if let bank = record.bankName {
            let ending = record.accountEnding.map { " ····\($0)" } ?? ""
            facts.append(Fact(.phrase(PaymentPhrases.bank), Cell(.data(bank + ending))))
        }
        return [
            .figures([
                Figure(
                    label: .phrase(PaymentPhrases.paid), value: closing.payout.map { .money($0.amount) } ?? .number(0),
                    definition: .phrase(PaymentPhrases.payoutDefinition), path: explanation(.payout)),
                Figure(
                    label: .phrase(PaymentPhrases.balance), value: .money(closing.balance),
                    definition: .phrase(PaymentPhrases.balanceDefinition), path: explanation(.balance)),
            ]),
            .facts(facts), .section(.phrase(PaymentPhrases.byRegion), [.table(table(closing))]),
            .actions([
                .download(
                    Link(
                        .phrase(PaymentPhrases.allRegions),
                        MonthDownloads.path(month, FinancialRegion.consolidated, request))),
                .download(
                    Link(.phrase(PaymentPhrases.details), MonthDownloads.path(month, FinancialRegion.detail, request))),
                .download(
                    Link(.phrase(PaymentPhrases.summary), request.path("payments/\(month)/summary"))),
            ]),
            .form(MonthReconciliation.form(month, request)),
        ]
    }

    private func table(_ closing: MonthClosing) -> Table {
        let headings: [(Phrase, Table.Column.Place)] = [
            (Words.units, .secondary), (PaymentPhrases.earned, .secondary), (PaymentPhrases.inputTax, .wideOnly),
            (PaymentPhrases.adjustments, .wideOnly), (PaymentPhrases.withholding, .wideOnly),
            (PaymentPhrases.owedColumn, .secondary), (PaymentPhrases.rate, .wideOnly),
        ]
        var rows = closing.lines.map { line in
            func cell(_ money: Money, _ column: PaymentFigure.Column) -> Cell {
                Cell(.money(money), path: explanation(column, line.key))
            }
            return Table.Row(
                [
                    Cell(.region(line.key.region, request.language)),
                    Cell(.number(line.units), path: explanation(.units, line.key)), cell(line.earned, .earned),
                    cell(line.inputTax, .inputTax), cell(line.adjustments, .adjustments),
                    cell(line.withholding, .withholding), cell(line.owed, .owed),
                    Cell(.data("\(line.rate)"), path: explanation(.rate, line.key)), cell(line.proceeds, .exchanged),
                ],
                actions: [
                    .download(Link(.phrase(Words.download), MonthDownloads.path(month, line.key.region, request)))
                ])
        }
        let blank = Array(repeating: Cell(.none), count: headings.count)
        rows.append(
            Table.Row(
                [Cell(.phrase(Words.total))] + blank + [Cell(.money(closing.total), path: explanation(.total))],
                isTotal: true))
        return Table(
            caption: .phrase(PaymentPhrases.byRegion),
            columns: [Table.Column(.phrase(ExplainPhrases.region), .leading, .primary)]
                + headings.map { Table.Column(.phrase($0.0), .trailing, $0.1) }
                + [
                    Table.Column(
                        .phrase(PaymentPhrases.inBankCurrency, .data(closing.bankCurrency.rawValue)), .trailing,
                        .primary)
                ], rows: rows)
    }

    /// Returns the path of a figure's explanation: of the closing, or of a line of it.
    private func explanation(_ column: PaymentFigure.Column, _ line: RegionSales.Key? = nil) -> String {
        request.explanation(
            of: PaymentFigure(month: month, column: column, region: line?.region, currency: line?.currency))
    }

    // MARK: - An open month

    private func open(_ error: Text?) async throws -> [Block] {
        let owed = try await request.store.rolledUp.finance.owed()
        let found = owed.months.first { $0.month == month }
        var blocks: [Block] = [
            .figures([
                Figure(
                    label: .phrase(Words.proceeds), value: (found?.proceeds ?? []).text,
                    definition: .phrase(FigurePhrases.proceedsDefinition),
                    path: explanation(.proceeds))
            ]),
            .facts([
                Fact(.phrase(PaymentPhrases.days), Cell((month.firstDay...month.lastDay).text)),
                Fact(.phrase(Words.units), Cell(.number(found?.units ?? 0), path: explanation(.units))),
            ]),
        ]
        if request.now < month.lastDay.end {
            blocks.append(.paragraph(.phrase(PaymentPhrases.notOver, month.lastDay.text)))
        } else if request.allows(.administer) {
            blocks.append(.form(closingForm(error)))
        }
        return blocks
    }

    private func closingForm(_ error: Text?) -> Form {
        Form(
            request.path("payments/\(month)/close"), submit: .phrase(PaymentPhrases.close, .data("\(month)")),
            error: error, warning: .phrase(PaymentPhrases.closeWarning), confirmation: "\(month)", isDangerous: true,
            same: SameCommand(
                "finance close \(month) --environment \(request.environment.name)",
                .init("POST", "control/v1/finance/months/\(month)/close")), [])
    }

    /// Closes the month, if its name was typed.
    func close(_ values: FormValues) async throws -> FormAnswer {
        guard values["confirmation"] == "\(month)" else {
            return .page(try await page(error: .phrase(PaymentPhrases.closeWarning)))
        }
        do {
            try await request.store.finance.close(month)
            return .redirect(
                request.path("payments/\(month)"), .phrase(PaymentPhrases.wasClosed, .data("\(month)")))
        } catch let error as FinanceError {
            return .page(try await page(error: RefusalText.text(error.reason, otherwise: error.code.phrase)))
        }
    }
}
