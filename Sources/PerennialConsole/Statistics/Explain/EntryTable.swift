import Perennial
import PerennialStore

/// The table of the journal entries behind a figure.
struct EntryTable: Sendable {
    let page: PageRequest
    var contributions: [Explanation.Contribution]
    /// True for a figure that counts.
    let counts: Bool

    var caption = ExplainPhrases.entries

    func table(next: String?, first: String?, empty: Text) -> Table {
        Table(
            caption: .phrase(caption),
            columns: [
                Table.Column(.phrase(Words.time), .leading, .secondary),
                Table.Column(.phrase(ExplainPhrases.event), .leading, .primary),
                Table.Column(.phrase(Words.product), .leading, .primary),
                Table.Column(.phrase(Words.transaction), .leading, .secondary),
                Table.Column(.phrase(counts ? Words.units : Words.amount), .trailing, .primary),
            ], rows: contributions.map(row), next: next, first: first, empty: EmptyState(text: empty))
    }

    private func row(_ contribution: Explanation.Contribution) -> Table.Row {
        let entry = contribution.entry
        let product = entry.productID?.rawValue
        // The journal of another app may be among those of a figure of all apps.
        func path(_ path: String) -> String {
            ConsolePath.page(path, environment: page.environment.name, app: contribution.app.rawValue)
        }
        return Table.Row(
            [
                Cell(.exact(entry.at)),
                Cell(.phrase(EventPhrases.name(entry.kind)), title: .data(entry.kind.rawValue)),
                Cell(
                    .data(product ?? contribution.app.rawValue),
                    path: product.map { path("products/\(ConsolePath.encoded($0))") }),
                (entry.transactionID ?? entry.originalID).map { id in
                    Cell.id("\(id)", path: page.allows(.support) ? path("transactions/\(id)") : nil)
                } ?? Cell(.none),
                Cell(contribution.amount.map { .money($0) } ?? .number(contribution.units)),
            ], details: details(contribution))
    }

    /// Returns the entry's postings and the rules that made them.
    private func details(_ contribution: Explanation.Contribution) -> [Block] {
        let postings = contribution.entry.postings.map { posting in
            Fact(.phrase(LedgerWords.name(of: posting.account)), Cell(.money(posting.amount)))
        }
        guard !postings.isEmpty else { return [] }
        let rules = Fact(
            .phrase(ExplainPhrases.rules), Cell(.list(contribution.rules.map { .phrase(LedgerWords.title(of: $0)) })))
        return [
            .section(
                .phrase(ExplainPhrases.postings), [.facts(postings + (contribution.rules.isEmpty ? [] : [rules]))])
        ]
    }
}

extension Explanation.Figure {
    /// The figure as a text: the count, or the amounts of each currency.
    func text(counts: Bool) -> Text { counts ? .number(units) : amounts.text }
}

extension Check {
    /// Compares a figure of a report with the journal.
    init(reported: Explanation.Figure, journal: Explanation.Figure, entries: Int, counts: Bool) {
        let agrees = counts ? reported.units == journal.units : reported.amounts == journal.amounts
        self.init(
            outcome: agrees ? .passed : .failed, name: .phrase(ExplainPhrases.agrees),
            reason: agrees
                ? .phrase(ExplainPhrases.counted, .number(entries), journal.text(counts: counts))
                : .phrase(ExplainPhrases.differs, reported.text(counts: counts), journal.text(counts: counts)))
    }
}
