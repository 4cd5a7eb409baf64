import Perennial
import PerennialStore

/// The explanation of a column of a statistic: in words, by the terms from which it is computed, and by the entries or the
/// subscriptions that make it, page by page.
struct ColumnFigurePage: Sendable {
    let page: PageRequest
    let figure: StatisticColumnFigure

    /// - Returns: `nil` for a query that names no column whose entries are listed.
    /// - Throws: ``ConsoleError`` `.appNeeded`.
    init?(_ page: PageRequest) throws {
        let query = page.query
        guard let statistic = query["statistic"].flatMap(Statistic.init(rawValue:)), let column = query["column"] else {
            return nil
        }
        let isOfSales = [.units, .revenue, .proceeds, .refunds].contains(statistic) && column == statistic.rawValue
        guard isOfSales || statistic.computation(of: column) != nil else { return nil }
        let currency = query["currency"].flatMap { $0.isEmpty ? nil : Currency(rawValue: $0) }
        let isMoney = statistic.isMoney(column) == true
        guard !isMoney || currency != nil else { return nil }
        self.page = page
        figure = StatisticColumnFigure(
            bundleID: try page.bundleID(), statistic: statistic, column: column, days: Self.days(of: page),
            currency: isMoney ? currency : nil)
    }

    /// Returns the days that a query names; today, if it names none.
    private static func days(of page: PageRequest) -> ClosedRange<PacificDay> {
        let today = PacificDay(page.now)
        guard let from = page.query["from"].flatMap({ PacificDay($0) }),
            let to = page.query["to"].flatMap({ PacificDay($0) }), from <= to, from.date.year > 1900,
            to.date.year < 9999
        else { return today...today }
        return from...to
    }

    func page() async throws -> Page {
        let place = page.query["after"].flatMap { Explanation.Place($0) }
        let explained = try await page.store.rolledUp.explain.column(
            figure,
            .init(after: place ?? .init(app: 0, position: 0), limit: SalesExplanation.pageLength))
        var blocks: [Block] = [
            .figures([
                Figure(label: name, value: text(explained.value, figure), definition: .phrase(definition))
            ]),
            .facts(facts), .paragraph(.phrase(definition)),
        ]
        let terms = terms(explained)
        let result = ComputationTable.Term(
            operation: .plus, name: name, span: figure.days.text, value: text(explained.value, figure))
        if let block = ComputationTable.block(terms, result: result) { blocks.append(block) }
        let status = try await page.store.rolledUp.status(of: figure.bundleID)
        blocks += list(explained, isFirst: place == nil, status)
        blocks += replay
        blocks.append(.same(same))
        return Page(
            .phrase(ExplainPhrases.title), isOfSales ? .sales : .subscriptions,
            trail: [
                isOfSales
                    ? Link(.phrase(SalesPhrases.title), page.path("sales"))
                    : Link(.phrase(Words.subscriptions), page.path("subscriptions"))
            ], blocks)
    }

    /// The link to the replay of a day's journal, which confirms the totals.
    private var replay: [Block] {
        guard !isOfSales, figure.days.lowerBound == figure.days.upperBound else { return [] }
        let path = page.path(
            "explain",
            ["figure": "statistic", "statistic": figure.statistic.rawValue, "date": "\(figure.days.upperBound)"])
        return [.links([Link(.phrase(ExplainPhrases.check), path)])]
    }

    private var isOfSales: Bool { figure.statistic.computation(of: figure.column) == nil }
    private var name: Text { ColumnPhrases.name(figure.statistic, figure.column) }
    private var definition: Phrase { ColumnPhrases.definition(figure.statistic, figure.column) }

    private var facts: [Fact] {
        var facts = [
            Fact(.phrase(ExplainPhrases.statistic), .id(figure.statistic.rawValue)),
            Fact(.phrase(ExplainPhrases.days), Cell(figure.days.text)),
        ]
        if let currency = figure.currency { facts.append(Fact(.phrase(SpanPhrases.currency), .id(currency.rawValue))) }
        return facts
    }

    private func text(_ value: StatisticValue?, _ figure: StatisticColumnFigure) -> Text {
        switch value {
        case .count(let count)?: .number(count)
        case .money(let amount)?: .money(Money(milliunits: amount, figure.currency ?? .usd))
        case .percent(let hundredths)?: SubscriptionsPage.share(hundredths)
        case nil: SubscriptionsPage.share(nil)
        }
    }

    private func terms(_ explained: ColumnExplanation) -> [ComputationTable.Term] {
        var terms = explained.terms.map { term in
            // Before the first subscription there is nothing to explain.
            let isBeforeAll = term.figure.days.upperBound < figure.days.lowerBound && term.value?.amount == 0
            return ComputationTable.Term(
                operation: term.operation.general,
                name: ColumnPhrases.name(term.figure.statistic, term.figure.column), span: term.figure.days.text,
                value: text(term.value, term.figure), path: isBeforeAll ? nil : page.explanation(of: term.figure))
        }
        // The first number of a share whose column has none of its own is the sum of its entries.
        if let first = explained.terms.first, first.operation == .dividedBy {
            terms.insert(
                ComputationTable.Term(
                    operation: .plus, name: .phrase(MeasurePhrases.name(.retainedSubscriptions)),
                    span: first.figure.days.text, value: explained.listed.text(counts: true)), at: 0)
        }
        return terms
    }

    // MARK: - Entries

    private func list(_ explained: ColumnExplanation, isFirst: Bool, _ status: RollUps.Status?) -> [Block] {
        let (entries, counts) = (explained.entries, figure.currency == nil)
        var table = EntryTable(page: page, contributions: entries.contributions, counts: counts)
        table.caption = Self.caption(explained.listing)
        var blocks: [Block] = []
        if let status, let read = status.rebuilt, entries.sum.map({ $0 != explained.listed }) ?? false {
            // Lists are made by a rebuild where an earlier version made the totals.
            let text = Text.phrase(ComputationPhrases.isRead, .number(read), .number(status.journal))
            blocks.append(.notice(Notice(status: .neutral, text: text)))
        } else if let sum = entries.sum {
            blocks.append(
                .checks([Check(reported: explained.listed, journal: sum, entries: entries.count ?? 0, counts: counts)]))
        }
        let list = table.table(
            next: entries.next.map { page.explanation(of: figure, after: $0) },
            first: isFirst ? nil : page.explanation(of: figure),
            empty: .phrase(entries.next == nil ? ExplainPhrases.noEntries : ExplainPhrases.noneHere))
        return blocks + [.section(.phrase(table.caption), [.table(list)])]
    }

    private static func caption(_ listing: ColumnExplanation.Listing) -> Phrase {
        switch listing {
        case .column: ExplainPhrases.entries
        case .change: ComputationPhrases.entriesOfChange
        case .subscriptions: ComputationPhrases.subscriptions
        case .numerator: ComputationPhrases.entriesOfFirst
        }
    }

    private var same: SameCommand {
        let (days, app) = (figure.days, figure.bundleID)
        let currency = figure.currency.map { (" --currency \($0)", "&currency=\($0)") } ?? ("", "")
        return SameCommand(
            "explain statistics \(figure.statistic.rawValue) --column \(shellQuoted(figure.column)) --app \(app) "
                + "--from \(days.lowerBound) --to \(days.upperBound)\(currency.0) --environment \(page.environment.name)",
            .init(
                "GET",
                "control/v1/explain/statistics?bundleId=\(app)&statistic=\(figure.statistic.rawValue)"
                    + "&column=\(ConsolePath.encoded(figure.column))&from=\(days.lowerBound)&to=\(days.upperBound)"
                    + currency.1))
    }
}
