import Perennial
import PerennialStorage

/// A figure of Payments and Financial Reports.
package struct PaymentFigure: Hashable, Sendable {
    package enum Column: String, Sendable, CaseIterable {
        /// The total of a region in its currency.
        case owed
        /// Proceeds of sales, late entries included.
        case proceeds
        case units
        /// Proceeds of the month's own entries.
        case earned
        /// Proceeds of entries of closed months that came late.
        case late
        /// The operator's adjustments.
        case manual
        /// Late entries and the operator's adjustments.
        case adjustments
        case commission
        case inputTax = "input-tax"
        case withholding
        /// The exchange rate to the bank's currency.
        case rate
        /// The total of a region in the bank's currency.
        case exchanged
        case carried
        case total
        case payout
        case balance

        /// True for the columns of a whole closing, which has no region.
        package var isOfClosing: Bool { [.carried, .total, .payout, .balance].contains(self) }
    }

    /// `nil` for all months that aren't closed.
    package var month: FiscalMonth?
    package var column: Column
    /// `nil` for all.
    package var region: FinancialRegion?
    /// `nil` for all.
    package var currency: Currency?
    /// The sales of one app; `nil` for all apps, with taxes and adjustments.
    package var bundleID: App.BundleID?

    package init(
        month: FiscalMonth?, column: Column = .owed, region: FinancialRegion? = nil, currency: Currency? = nil,
        bundleID: App.BundleID? = nil
    ) {
        self.month = month
        self.column = column
        self.region = region
        self.currency = currency
        self.bundleID = bundleID
    }

    func matches(_ key: RegionSales.Key) -> Bool {
        (region == nil || key.region == region) && (currency == nil || key.currency == currency)
    }

    /// A sentence that names the figure.
    package var title: String {
        [
            column.rawValue, bundleID.map { "of \($0)" }, region.map { "for the region \($0)" },
            currency.map { "in \($0)" }, month.map { "in fiscal month \($0)" } ?? "in open fiscal months",
        ].compactMap { $0 }.joined(separator: " ")
    }
}

/// The computation of a figure of payments, and the journal entries behind it.
package struct PaymentExplanation: Sendable {
    package enum Value: Hashable, Sendable {
        case count(Int64)
        /// The amounts by currency, in the order of their codes.
        case money([Money])
        /// A tax: 0.125 is 12.5 %.
        case tax(DecimalRate)
        case exchange(DecimalRate)
    }

    package struct Term: Sendable {
        package enum Name: Hashable, Sendable {
            case column
            /// A line of the month.
            case region
            case taxRate
            case exchangeRate
            /// The balance of the month before.
            case balanceBefore
        }

        package var operation: Explanation.Term.Operation
        package var name: Name
        /// The figure that the term is; of the rate the one that has it.
        package var figure: PaymentFigure
        package var value: Value
    }

    package var figure: PaymentFigure
    package var value: Value
    package var terms: [Term]
    /// The sum that all entries have, as the roll-ups or the closing say; `nil` for a figure without entries.
    package var listed: Explanation.Figure?
    /// The column of the listed amounts.
    package var listedColumn: SalesFigure.Column
    package var entries: FigureEntries
    /// The operator's adjustments among its parts.
    package var adjustments: [FinanceAdjustmentsTable.Record]
    /// `nil` for months that aren't closed.
    package var closing: ClosedMonthsTable.Record?

    /// The same in the form of other figures.
    package var explanation: Explanation {
        let listed = listed ?? Explanation.Figure()
        var explanation = Explanation(
            title: figure.title, reported: listed, recomputed: entries.sum ?? listed, count: entries.count ?? 0,
            contributions: entries.contributions, next: entries.next,
            otherAmounts: adjustments.map { (name: "manual adjustment in \($0.region): \($0.note)", amount: $0.amount) }
        )
        explanation.value = value.text
        explanation.terms = terms.map { Explanation.Term($0.operation, $0.title, $0.value.text) }
        return explanation
    }
}

extension PaymentExplanation.Term {
    fileprivate var title: String {
        switch name {
        case .column, .region: figure.title
        case .taxRate: "tax rate"
        case .exchangeRate: "exchange rate"
        case .balanceBefore: "balance of the month before"
        }
    }
}

extension PaymentExplanation.Value {
    fileprivate var text: String {
        switch self {
        case .count(let count): "\(count)"
        case .money(let amounts): amounts.isEmpty ? "0" : amounts.map(\.description).joined(separator: ", ")
        case .tax(let rate): "\(Double(rate.billionths) / 10_000_000) %"
        case .exchange(let rate): rate.description
        }
    }
}
