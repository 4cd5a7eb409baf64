import Perennial
import PerennialStorage
import PerennialStore

/// The explanation of a figure of payments: in words, by the terms from which it is computed, and by the sales that make it.
struct PaymentFigurePage: Sendable {
    let page: PageRequest
    let figure: PaymentFigure
    /// Stands for a month in the path of a figure of all open months.
    static let openMonths = Explain.openMonths

    /// Creates the explanation of a figure of all apps.
    ///
    /// - Throws: ``ConsoleError`` `.notFound` for a path that names no month.
    init(ofAllApps page: PageRequest) throws {
        let name = page.parameter("month")
        let month = FiscalMonth(name)
        guard month != nil || name == Self.openMonths else {
            throw ConsoleError.notFound(.phrase(PaymentPhrases.noMonth))
        }
        self.page = page
        figure = Self.figure(page.query, month, usual: .owed, in: nil)
    }

    /// Creates the explanation of a figure of the page's app.
    ///
    /// - Returns: `nil` for a query that names no month.
    /// - Throws: ``ConsoleError`` `.appNeeded`.
    init?(ofApp page: PageRequest) throws {
        guard let month = page.query["month"].flatMap({ FiscalMonth($0) }) else { return nil }
        self.page = page
        figure = Self.figure(page.query, month, usual: .proceeds, in: try page.bundleID())
    }

    private static func figure(
        _ query: [String: String], _ month: FiscalMonth?, usual: PaymentFigure.Column, in bundleID: App.BundleID?
    ) -> PaymentFigure {
        func value(_ name: String) -> String? { query[name].flatMap { $0.isEmpty ? nil : $0 } }
        let region = value("region").map { FinancialRegion(rawValue: $0) }
        return PaymentFigure(
            month: month, column: value("column").flatMap(PaymentFigure.Column.init(rawValue:)) ?? usual,
            region: region?.info == nil ? nil : region, currency: value("currency").map { Currency(rawValue: $0) },
            bundleID: bundleID)
    }

    /// - Throws: ``ConsoleError`` `.notFound` for a column that the month doesn't have.
    func page() async throws -> Page {
        let place = page.query["after"].flatMap { Explanation.Place($0) }
        let listing = Explanation.Page(after: place ?? .init(app: 0, position: 0), limit: SalesExplanation.pageLength)
        let explained: PaymentExplanation
        do {
            explained = try await page.store.rolledUp.explain.payment(figure, listing)
        } catch let error as ExplainError where error.code == .figureNotFound {
            throw ConsoleError.notFound(.phrase(ExplainPhrases.unknownFigure))
        }
        let definition = PaymentColumns.definition(figure.column)
        var blocks: [Block] = [
            .figures([
                Figure(label: .phrase(name), value: text(explained.value), definition: .phrase(definition))
            ]),
            .facts(facts), .paragraph(.phrase(definition)),
        ]
        let result = ComputationTable.Term(
            operation: .plus, name: .phrase(name), span: span, value: text(explained.value))
        if let block = ComputationTable.block(explained.terms.map(term), result: result) { blocks.append(block) }
        if !explained.adjustments.isEmpty { blocks.append(adjustments(explained.adjustments)) }
        if let listed = explained.listed { blocks += list(explained, listed, isFirst: place == nil) }
        blocks.append(.same(same))
        return Page(.phrase(ExplainPhrases.title), .payments, trail: trail, blocks)
    }

    private var name: Phrase { PaymentColumns.name(figure.column) }

    private var span: Text {
        figure.month.map { .data("\($0)") } ?? .phrase(PaymentPhrases.openMonths)
    }

    private var trail: [Link] {
        [Link(.phrase(PaymentPhrases.title), page.path("payments"))]
            + (figure.month.map { [Link(.data("\($0)"), page.path("payments/\($0)"))] } ?? [])
    }

    private var facts: [Fact] {
        var facts: [Fact] = []
        if let month = figure.month {
            facts.append(
                Fact(.phrase(PaymentPhrases.fiscalMonth), .id("\(month)", path: page.path("payments/\(month)"))))
            facts.append(Fact(.phrase(ExplainPhrases.days), Cell((month.firstDay...month.lastDay).text)))
        } else {
            facts.append(Fact(.phrase(PaymentPhrases.fiscalMonth), Cell(span)))
        }
        if !figure.column.isOfClosing {
            let region = figure.region.map { Text.region($0, page.language) }
            facts.append(Fact(.phrase(ExplainPhrases.region), Cell(region ?? .phrase(Words.all))))
        }
        if let currency = figure.currency { facts.append(Fact(.phrase(SpanPhrases.currency), .id(currency.rawValue))) }
        let app = figure.bundleID.map { Text.data($0.rawValue) }
        facts.append(Fact(.phrase(Words.app), Cell(app ?? .phrase(Words.all))))
        return facts
    }

    private func text(_ value: PaymentExplanation.Value) -> Text {
        switch value {
        case .count(let count): .number(count)
        case .money(let amounts): amounts.text
        case .tax(let rate): .percent(Double(rate.billionths) / Double(DecimalRate.scale))
        case .exchange(let rate): .data("\(rate)")
        }
    }

    private func term(_ term: PaymentExplanation.Term) -> ComputationTable.Term {
        let name: Text
        var path: String? = page.explanation(of: term.figure)
        switch term.name {
        case .column: name = .phrase(PaymentColumns.name(term.figure.column))
        case .region: name = term.figure.region.map { .region($0, page.language) } ?? .phrase(Words.all)
        case .taxRate: (name, path) = (.phrase(ComputationPhrases.taxRate), nil)
        case .exchangeRate:
            name = .phrase(PaymentPhrases.rate)
            // The rate of a balance has no page of its own.
            if term.figure.column != .rate { path = nil }
        case .balanceBefore:
            name = .phrase(ComputationPhrases.balanceBefore)
            // The first closing carries nothing, and has none before it.
            if term.value == .money([]) || isZero(term.value) { path = nil }
        }
        return ComputationTable.Term(
            operation: term.operation, name: name,
            span: term.figure.month.map { .data("\($0)") } ?? .phrase(PaymentPhrases.openMonths),
            value: text(term.value), path: path)
    }

    private func isZero(_ value: PaymentExplanation.Value) -> Bool {
        if case .money(let amounts) = value { amounts.allSatisfy { $0.milliunits == 0 } } else { false }
    }

    // MARK: - Parts

    private func adjustments(_ records: [FinanceAdjustmentsTable.Record]) -> Block {
        let table = Table(
            caption: .phrase(ComputationPhrases.manual),
            columns: [
                Table.Column(.phrase(ComputationPhrases.note), .leading, .primary),
                Table.Column(.phrase(Words.time)), Table.Column(.phrase(ExplainPhrases.region)),
                Table.Column(.phrase(Words.amount), .trailing, .primary),
            ],
            rows: records.map { record in
                Table.Row([
                    Cell(.data(record.note)), Cell(.exact(record.at)), Cell(.region(record.region, page.language)),
                    Cell(.money(record.amount)),
                ])
            })
        return .section(.phrase(ComputationPhrases.manual), [.table(table)])
    }

    private func list(
        _ explained: PaymentExplanation, _ listed: Explanation.Figure, isFirst: Bool
    ) -> [Block] {
        let (entries, counts) = (explained.entries, explained.listedColumn.counts)
        var blocks: [Block] = []
        if let sum = entries.sum {
            blocks.append(
                .checks([Check(reported: listed, journal: sum, entries: entries.count ?? 0, counts: counts)]))
        }
        let table = EntryTable(page: page, contributions: entries.contributions, counts: counts).table(
            next: entries.next.map { page.explanation(of: figure, after: $0) },
            first: isFirst ? nil : page.explanation(of: figure),
            empty: .phrase(entries.next == nil ? ExplainPhrases.noEntries : ExplainPhrases.noneHere))
        return blocks + [.section(.phrase(ExplainPhrases.entries), [.table(table)])]
    }

    private var same: SameCommand {
        let parameters: [(option: String, field: String, value: String?)] = [
            ("month", "month", figure.month?.description ?? Self.openMonths),
            ("column", "column", figure.column.rawValue), ("region", "region", figure.region?.rawValue),
            ("currency", "currency", figure.currency?.rawValue), ("app", "bundleId", figure.bundleID?.rawValue),
        ]
        let options = parameters.compactMap { part in part.value.map { " --\(part.option) \(shellQuoted($0))" } }
        let query = parameters.compactMap { part in part.value.map { "\(part.field)=\(ConsolePath.encoded($0))" } }
        return SameCommand(
            "explain financial\(options.joined()) --environment \(page.environment.name)",
            .init("GET", "control/v1/explain/financial?\(query.joined(separator: "&"))"))
    }
}

/// The columns of payments in words: their names, and how each is computed.
enum PaymentColumns {
    static func name(_ column: PaymentFigure.Column) -> Phrase {
        switch column {
        case .owed: PaymentPhrases.owedColumn
        case .proceeds: Words.proceeds
        case .units: Words.units
        case .earned: PaymentPhrases.earned
        case .late: ComputationPhrases.late
        case .manual: ComputationPhrases.manual
        case .adjustments: PaymentPhrases.adjustments
        case .commission: PaymentPhrases.commission
        case .inputTax: PaymentPhrases.inputTax
        case .withholding: PaymentPhrases.withholding
        case .rate: PaymentPhrases.rate
        case .exchanged: ComputationPhrases.exchanged
        case .carried: PaymentPhrases.carried
        case .total: Words.total
        case .payout: PaymentPhrases.paid
        case .balance: PaymentPhrases.balance
        }
    }

    static func definition(_ column: PaymentFigure.Column) -> Phrase {
        switch column {
        case .owed: ComputationPhrases.owedDefinition
        case .proceeds: ComputationPhrases.proceedsDefinition
        case .units: ComputationPhrases.unitsDefinition
        case .earned: ComputationPhrases.earnedDefinition
        case .late: ComputationPhrases.lateDefinition
        case .manual: ComputationPhrases.manualDefinition
        case .adjustments: ComputationPhrases.adjustmentsDefinition
        case .commission: ComputationPhrases.commissionDefinition
        case .inputTax: ComputationPhrases.inputTaxDefinition
        case .withholding: ComputationPhrases.withholdingDefinition
        case .rate: ComputationPhrases.rateDefinition
        case .exchanged: ComputationPhrases.exchangedDefinition
        case .carried: ComputationPhrases.carriedDefinition
        case .total: ComputationPhrases.totalDefinition
        case .payout: PaymentPhrases.payoutDefinition
        case .balance: PaymentPhrases.balanceDefinition
        }
    }
}
