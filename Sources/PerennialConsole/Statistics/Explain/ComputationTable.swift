import Perennial
import PerennialStore

/// The table of the terms from which a figure is computed, with the figure below them.
enum ComputationTable {
    /// A term: a number with its name and the path of its own explanation.
    struct Term: Sendable {
        var operation: Explanation.Term.Operation
        var name: Text
        /// The days or the month that it is of.
        var span: Text
        var value: Text
        var path: String?
    }

    /// - Returns: `nil` for a figure without terms: the sum of its entries.
    static func block(_ terms: [Term], result: Term) -> Block? {
        guard !terms.isEmpty else { return nil }
        let rows = terms.enumerated().map { index, term in
            let name = index == 0 && term.operation == .plus ? term.name : .joined([sign(term.operation), term.name])
            return Table.Row([Cell(name), Cell(term.span), Cell(term.value, path: term.path)])
        }
        let table = Table(
            caption: .phrase(ComputationPhrases.title),
            columns: [
                Table.Column(.phrase(ExplainPhrases.figure), .leading, .primary),
                Table.Column(.phrase(ExplainPhrases.days)),
                Table.Column(.phrase(ComputationPhrases.value), .trailing, .primary),
            ],
            rows: rows + [
                Table.Row([Cell(result.name), Cell(result.span), Cell(result.value)], isTotal: true)
            ])
        return .section(.phrase(ComputationPhrases.title), [.table(table)])
    }

    private static func sign(_ operation: Explanation.Term.Operation) -> Text {
        switch operation {
        case .plus: .data("+ ")
        case .minus: .data("− ")
        case .times: .data("× ")
        case .dividedBy: .data("÷ ")
        }
    }
}
