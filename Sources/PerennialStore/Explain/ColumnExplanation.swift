import Perennial
import PerennialStorage

/// A column of a statistic over days, as pages show it.
package struct StatisticColumnFigure: Hashable, Sendable {
    package var bundleID: App.BundleID
    package var statistic: Statistic
    package var column: String
    /// A number that lasts has its value at the end of the last one.
    package var days: ClosedRange<PacificDay>
    /// The currency of a column with money; `nil` for counts.
    package var currency: Currency?

    package init(
        bundleID: App.BundleID, statistic: Statistic, column: String, days: ClosedRange<PacificDay>,
        currency: Currency? = nil
    ) {
        self.bundleID = bundleID
        self.statistic = statistic
        self.column = column
        self.days = days
        self.currency = currency
    }

    /// Returns the figure of a term: of the same days, or of those before them.
    func term(_ term: StatisticComputation.Term) -> StatisticColumnFigure {
        var figure = self
        figure.statistic = term.statistic
        figure.column = term.column
        if term.isBefore { figure.days = daysBefore }
        if term.statistic.isMoney(term.column) == false { figure.currency = nil }
        return figure
    }

    /// The month before, for a whole month; otherwise as many days before.
    private var daysBefore: ClosedRange<PacificDay> {
        let (first, month) = (days.lowerBound, StatisticInterval.month)
        let last = first.adding(-1)
        let isMonth = month.start(of: first) == first && month.next(after: first).adding(-1) == days.upperBound
        return isMonth ? month.start(of: last)...last : first.adding(first.number - days.upperBound.number - 1)...last
    }

    /// A sentence that names the figure.
    var title: String {
        [
            "\(column) of \(statistic.rawValue) of \(bundleID)", currency.map { "in \($0)" },
            SalesFilter.words(for: days),
        ].compactMap { $0 }.joined(separator: " ")
    }
}

/// The computation of a column, and the journal entries that make it.
package struct ColumnExplanation: Sendable {
    /// A column from which another one is computed.
    package struct Term: Sendable {
        package var operation: StatisticComputation.Term.Operation
        package var figure: StatisticColumnFigure
        /// `nil` for the share of nothing.
        package var value: StatisticValue?
    }

    /// The meaning of the listed entries.
    package enum Listing: Sendable, Hashable {
        /// The entries that add to the column.
        case column
        /// The rows of its change in the days: the column is the sum of the term before and of them.
        case change
        /// The sales of the newest periods of the subscriptions that the column counts.
        case subscriptions
        /// The rows of the first term of a share.
        case numerator
    }

    package var figure: StatisticColumnFigure
    /// The column as statistics have it; `nil` for the share of nothing.
    package var value: StatisticValue?
    package var terms: [Term]
    package var listing: Listing
    /// The sum that all entries have, as the totals say.
    package var listed: Explanation.Figure
    package var entries: FigureEntries

    /// The same in the form of other figures.
    package var explanation: Explanation {
        var explanation = Explanation(
            title: figure.title, reported: listed, recomputed: entries.sum ?? listed, count: entries.count ?? 0,
            contributions: entries.contributions, next: entries.next, otherAmounts: [])
        explanation.value = value?.text(figure.currency) ?? "-"
        explanation.terms = terms.map { term in
            Explanation.Term(
                term.operation.general, term.figure.title, term.value?.text(term.figure.currency) ?? "-")
        }
        return explanation
    }
}

extension StatisticComputation.Term.Operation {
    /// The same operation of terms of any figure.
    package var general: Explanation.Term.Operation {
        switch self {
        case .plus: .plus
        case .minus: .minus
        case .dividedBy: .dividedBy
        }
    }
}

extension StatisticValue {
    /// Returns the value with its unit.
    fileprivate func text(_ currency: Currency?) -> String {
        switch self {
        case .count(let count): "\(count)"
        case .money(let amount): "\(Money(milliunits: amount, currency ?? .usd))"
        case .percent(let hundredths):
            "\(hundredths / 100).\((hundredths.magnitude % 100) < 10 ? "0" : "")\(hundredths.magnitude % 100) %"
        }
    }
}
