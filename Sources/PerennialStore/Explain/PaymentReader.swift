import Perennial
import PerennialStorage

/// The amounts of a month, or of all open months, by region and currency, and the figures that are computed from them.
struct PaymentReader: Sendable {
    /// An app's journal with its roll-ups.
    struct Journal: Sendable {
        var app: App
        var key: RollUpKey
    }

    let figure: PaymentFigure
    let journals: [Journal]
    let months: ClosedRange<FiscalMonth>
    private let closing: ClosedMonthsTable.Record?
    private let adjustments: [FinanceAdjustmentsTable.Record]
    /// The rates as they are now. A closed month keeps its amounts, not its rates.
    private let settings: FinanceSettings
    /// The lines that the figure is about, in the order of their keys.
    private let lines: [Line]

    /// A region and currency, with amounts in milliunits.
    private struct Line: Sendable {
        var key: RegionSales.Key
        var sales = RegionSales()
        /// The line of a closed month.
        var closed: MonthClosing.Line?

        func amount(_ column: PaymentFigure.Column) -> Int64 {
            switch column {
            case .owed: closed?.owed.milliunits ?? amount(.proceeds).clampedAdding(sales.manual)
            case .proceeds: sales.earned.clampedAdding(sales.late)
            case .earned: sales.earned
            case .late: sales.late
            case .manual: sales.manual
            case .adjustments: sales.late.clampedAdding(sales.manual)
            case .commission: sales.commission
            case .inputTax: closed?.inputTax.milliunits ?? 0
            case .withholding: closed?.withholding.milliunits ?? 0
            case .units, .rate, .exchanged, .carried, .total, .payout, .balance: 0
            }
        }
    }

    init(
        _ figure: PaymentFigure, _ journals: [Journal], _ environment: StoreEnvironment.ID, now: Instant,
        on connection: any Connection
    ) throws {
        self.figure = figure
        self.journals = journals
        settings = try FinanceSettingsTable.settings(environment, on: connection)
        let isOfAllApps = figure.bundleID == nil
        let last = try ClosedMonthsTable.last(environment, on: connection)
        closing =
            try isOfAllApps
            ? figure.month.flatMap { try ClosedMonthsTable.record($0, environment, on: connection) } : nil
        let numbers = figure.month.map { $0.number...$0.number } ?? (last?.next.number ?? 0)...Int64.max
        let sums = try journals.flatMap { try SalesRollUpTable.fiscalSums(numbers, $0.key, on: connection) }
        if let month = figure.month {
            months = month...month
        } else {
            let known = sums.map(\.month)
            let current = FiscalMonth(containing: PacificDay(now))
            months = (known.min() ?? current)...(known.max() ?? current)
        }
        if !isOfAllApps {
            adjustments = []
        } else if let month = figure.month {
            adjustments = try FinanceAdjustmentsTable.included(in: month, environment, on: connection)
                .filter { figure.matches($0.key) }
        } else {
            adjustments = try FinanceAdjustmentsTable.open(environment, on: connection)
                .filter { figure.matches($0.key) }
        }
        var lines: [RegionSales.Key: Line] = [:]
        for sum in sums where figure.matches(sum.region) {
            lines[sum.region, default: Line(key: sum.region)].sales.add(sum)
        }
        for adjustment in adjustments {
            lines[adjustment.key, default: Line(key: adjustment.key)].sales.manual += adjustment.amount.milliunits
        }
        for line in closing?.closing.lines ?? [] where figure.matches(line.key) {
            var known = lines[line.key] ?? Line(key: line.key)
            known.closed = line
            (known.sales.units, known.sales.earned) = (line.units, line.earned.milliunits)
            (known.sales.late, known.sales.manual) = (line.late.milliunits, line.manual.milliunits)
            lines[line.key] = known
        }
        self.lines = lines.values.sorted { $0.key < $1.key }
    }

    // MARK: - Figures

    /// - Throws: ``ExplainError`` `.figureNotFound`.
    func explanation() throws -> PaymentExplanation {
        PaymentExplanation(
            figure: figure, value: try value, terms: try terms, listed: listed,
            listedColumn: figure.column.listedPart?.column ?? .proceeds, entries: FigureEntries(contributions: []),
            adjustments: [.owed, .manual, .adjustments, .exchanged, .withholding].contains(figure.column)
                ? adjustments : [],
            closing: closing)
    }

    private var value: PaymentExplanation.Value {
        get throws {
            switch figure.column {
            case .units: return .count(lines.reduce(0) { $0.clampedAdding($1.sales.units) })
            case .rate:
                guard lines.count == 1, let line = lines.first?.closed else { throw notFound }
                return .exchange(line.rate)
            case .exchanged:
                guard let closing = closing?.closing else { throw notFound }
                let amounts = lines.compactMap { $0.closed?.proceeds.milliunits }
                return .money([Money(milliunits: amounts.reduce(0) { $0.clampedAdding($1) }, closing.bankCurrency)])
            case .carried, .total, .payout, .balance:
                guard let closing = closing?.closing else { throw notFound }
                return .money([amount(of: figure.column, in: closing)])
            default: return .money(amounts(figure.column))
            }
        }
    }

    private var notFound: ExplainError { .notFound(figure.title, there: []) }

    private func amount(of column: PaymentFigure.Column, in closing: MonthClosing) -> Money {
        switch column {
        case .carried: closing.carriedProceeds
        case .total: closing.total
        case .payout: closing.payout?.amount ?? .zero(closing.bankCurrency)
        default: closing.balance
        }
    }

    /// Returns the amounts of a column of all lines, by currency.
    private func amounts(_ column: PaymentFigure.Column) -> [Money] {
        var sums: [Currency: Int64] = [:]
        for line in lines {
            sums[line.key.currency] = (sums[line.key.currency] ?? 0).clampedAdding(line.amount(column))
        }
        return ExplanationBuilder.list(sums)
    }

    /// The sum of the listed entries.
    private var listed: Explanation.Figure? {
        guard let part = figure.column.listedPart else { return nil }
        switch (part.column, part.entries) {
        case (.units, _): return Explanation.Figure(units: lines.reduce(0) { $0.clampedAdding($1.sales.units) })
        case (.commission, _): return Explanation.Figure(amounts: amounts(.commission))
        case (_, .own): return Explanation.Figure(amounts: amounts(.earned))
        case (_, .late): return Explanation.Figure(amounts: amounts(.late))
        case (_, .all): return Explanation.Figure(amounts: amounts(.proceeds))
        }
    }

    // MARK: - Terms

    private var terms: [PaymentExplanation.Term] {
        get throws {
            switch figure.column {
            case .proceeds: return [plus(.earned), plus(.late)].filter { !$0.isZero }
            case .adjustments: return [plus(.late), plus(.manual)]
            case .owed:
                return [plus(.earned)]
                    + [.late, .manual, .inputTax, .withholding].map { plus($0) }.filter { !$0.isZero }
            case .inputTax: return perLine { tax($0, onCommission: true, amount: $0.amount(.inputTax)) }
            case .withholding: return perLine { tax($0, onCommission: false, amount: $0.amount(.withholding)) }
            case .exchanged: return perLine(exchange)
            case .carried, .total, .payout, .balance: return try closingTerms
            case .units, .earned, .late, .manual, .commission, .rate: return []
            }
        }
    }

    private func plus(_ column: PaymentFigure.Column) -> PaymentExplanation.Term {
        var part = figure
        part.column = column
        return PaymentExplanation.Term(operation: .plus, name: .column, figure: part, value: .money(amounts(column)))
    }

    private func figure(_ column: PaymentFigure.Column, of line: Line) -> PaymentFigure {
        var part = figure
        (part.column, part.region, part.currency) = (column, line.key.region, line.key.currency)
        return part
    }

    /// Returns the terms of one line, or the lines as terms where there are several.
    private func perLine(_ terms: (Line) -> [PaymentExplanation.Term]) -> [PaymentExplanation.Term] {
        if lines.count == 1, figure.region != nil { return terms(lines[0]) }
        return lines.map { line in
            let amount =
                figure.column == .exchanged
                ? line.closed?.proceeds : Money(milliunits: line.amount(figure.column), line.key.currency)
            return PaymentExplanation.Term(
                operation: .plus, name: .region, figure: figure(figure.column, of: line),
                value: .money(amount.map { [$0] } ?? []))
        }
    }

    /// Returns a tax as the amounts that it is on and its rate: the set one if it gives the tax, otherwise the quotient.
    private func tax(_ line: Line, onCommission: Bool, amount: Int64) -> [PaymentExplanation.Term] {
        let income = line.amount(.proceeds).clampedAdding(line.sales.manual)
        let base = Money(milliunits: onCommission ? line.sales.commission : income, line.key.currency)
        let set = (onCommission ? settings.inputTax : settings.withholding)[line.key.region.rawValue] ?? 0
        var rate = DecimalRate(basisPoints: -set)
        if base.multiplied(by: rate, in: base.currency)?.milliunits != amount {
            let quotient = base.milliunits == 0 ? 0 : Double(amount) / Double(base.milliunits)
            rate = DecimalRate(billionths: Int64(nearest: quotient * Double(DecimalRate.scale)))
        }
        let rest: [PaymentFigure.Column] = [.late, .manual]
        let amounts = onCommission ? [plus(.commission)] : [plus(.earned)] + rest.map(plus).filter { !$0.isZero }
        return amounts + [
            PaymentExplanation.Term(operation: .times, name: .taxRate, figure: figure, value: .tax(rate))
        ]
    }

    private func exchange(_ line: Line) -> [PaymentExplanation.Term] {
        guard let closed = line.closed else { return [] }
        return [
            PaymentExplanation.Term(
                operation: .plus, name: .column, figure: figure(.owed, of: line), value: .money([closed.owed])),
            PaymentExplanation.Term(
                operation: .times, name: .exchangeRate, figure: figure(.rate, of: line),
                value: .exchange(closed.rate)),
        ]
    }

    /// The terms of a column of the whole closing.
    private var closingTerms: [PaymentExplanation.Term] {
        get throws {
            guard let closing = closing?.closing else { throw notFound }
            func column(_ column: PaymentFigure.Column, _ operation: Explanation.Term.Operation)
                -> PaymentExplanation.Term
            {
                PaymentExplanation.Term(
                    operation: operation, name: .column, figure: PaymentFigure(month: closing.month, column: column),
                    value: .money([amount(of: column, in: closing)]))
            }
            switch figure.column {
            case .carried:
                let before = PaymentFigure(month: closing.month.previous, column: .balance)
                return [
                    PaymentExplanation.Term(
                        operation: .plus, name: .balanceBefore, figure: before, value: .money([closing.carried])),
                    PaymentExplanation.Term(
                        operation: .times, name: .exchangeRate, figure: figure, value: .exchange(closing.carriedRate)),
                ]
            case .total:
                return [column(.carried, .plus)]
                    + closing.lines.map { line in
                        let part = PaymentFigure(
                            month: closing.month, column: .exchanged, region: line.key.region,
                            currency: line.key.currency)
                        return PaymentExplanation.Term(
                            operation: .plus, name: .region, figure: part, value: .money([line.proceeds]))
                    }
            case .payout: return closing.payout == nil ? [] : [column(.total, .plus)]
            default: return [column(.total, .plus), column(.payout, .minus)]
            }
        }
    }
}

extension PaymentExplanation.Term {
    fileprivate var isZero: Bool { value == .money([]) }
}
