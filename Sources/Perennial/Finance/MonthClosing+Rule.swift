extension MonthClosing {
    /// Exchange rates that a closing needs and the table doesn't have, or an amount that no currency holds.
    package struct Failure: Error, Hashable, Sendable {
        package var month: FiscalMonth
        /// The currencies without a rate to the bank's currency.
        package var missing: [Currency]
        package var to: Currency
    }

    /// Closes a fiscal month.
    ///
    /// In each region's currency: what was earned, less tax on the commission, with adjustments, less withheld tax. The
    /// totals are exchanged to the bank's currency and added to the carried balance, which is paid if it reaches the
    /// threshold. Tax is withheld from positive amounts only.
    ///
    /// - Parameters:
    ///   - carried: The balance of the month before; `nil` for the first closing.
    ///   - rates: The month's rates to the bank's currency, by the currency they convert from.
    ///   - reference: The reference of a payout.
    /// - Throws: ``Failure`` with every rate that is missing.
    package init(
        of month: FiscalMonth, sales: [RegionSales.Key: RegionSales], carried: Money?, settings: FinanceSettings,
        rates: [Currency: DecimalRate], reference: String
    ) throws(Failure) {
        let bank = settings.bankCurrency
        let carried = carried ?? .zero(bank)
        let threshold = settings.effectiveThreshold
        var missing: Set<Currency> = []
        func rate(from currency: Currency) -> DecimalRate {
            if currency == bank { return .one }
            guard let rate = rates[currency] else {
                missing.insert(currency)
                return .zero
            }
            return rate
        }
        var lines: [Line] = []
        var isTooMuch = false
        func scaled(_ money: Money, by rate: DecimalRate, in currency: Currency) -> Money {
            guard let result = money.multiplied(by: rate, in: currency) else {
                isTooMuch = true
                return .zero(currency)
            }
            return result
        }
        for (key, sales) in sales.sorted(by: { $0.key < $1.key }) {
            func money(_ milliunits: Int64) -> Money { Money(milliunits: milliunits, key.currency) }
            let commission = money(sales.commission)
            let inputTax = scaled(
                commission, by: DecimalRate(basisPoints: -(settings.inputTax[key.region.rawValue] ?? 0)),
                in: key.currency)
            let taxed = max(0, sales.earned.clampedAdding(sales.late).clampedAdding(sales.manual))
            let withholding = scaled(
                money(taxed), by: DecimalRate(basisPoints: -(settings.withholding[key.region.rawValue] ?? 0)),
                in: key.currency)
            var line = Line(
                key: key, units: sales.units, earned: money(sales.earned), inputTax: inputTax,
                late: money(sales.late), manual: money(sales.manual), withholding: withholding,
                rate: rate(from: key.currency), proceeds: .zero(bank))
            line.proceeds = scaled(line.owed, by: line.rate, in: bank)
            lines.append(line)
        }
        let carriedRate = carried.milliunits == 0 ? .one : rate(from: carried.currency)
        let thresholdRate = rate(from: threshold.currency)
        guard missing.isEmpty, !isTooMuch else {
            throw Failure(month: month, missing: missing.sorted { $0.rawValue < $1.rawValue }, to: bank)
        }
        self.init(
            month: month, bankCurrency: bank, lines: lines, carried: carried, carriedRate: carriedRate,
            carriedProceeds: scaled(carried, by: carriedRate, in: bank),
            threshold: scaled(threshold, by: thresholdRate, in: bank))
        let sum = total
        guard sum.milliunits > 0, sum.milliunits >= self.threshold.milliunits else { return }
        payout = Payout(day: month.lastDay.adding(Self.daysUntilPayout), amount: sum, reference: reference)
    }
}
