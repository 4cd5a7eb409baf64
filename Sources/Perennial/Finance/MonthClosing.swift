/// The sales of one region and currency in a fiscal month, summed from the roll-ups.
package struct RegionSales: Hashable, Sendable {
    /// The region and the currency of proceeds: a region's storefronts may sell in several.
    package struct Key: Hashable, Comparable, Sendable {
        package var region: FinancialRegion
        package var currency: Currency

        package init(region: FinancialRegion, currency: Currency) {
            self.region = region
            self.currency = currency
        }

        package static func < (one: Key, other: Key) -> Bool {
            (one.region.rawValue, one.currency.rawValue) < (other.region.rawValue, other.currency.rawValue)
        }
    }

    /// Paid units less refunded ones, with those of late entries.
    package var units: Int64 = 0
    /// Proceeds in milliunits, without those of late entries.
    package var earned: Int64 = 0
    /// Commission in milliunits, with that of late entries.
    package var commission: Int64 = 0
    /// Proceeds of entries of months that were closed before the entries were appended.
    package var late: Int64 = 0
    /// The sum of manual adjustments.
    package var manual: Int64 = 0

    package init() {}

    /// Adds a row of the roll-ups. Rows of free units add nothing.
    package mutating func add(_ total: SalesTotal, isAdjustment: Bool) {
        guard total.key.isPaid else { return }
        units = units.clampedAdding(total.units)
        commission = commission.clampedAdding(total.key.commission.milliunits.clampedMultiplied(by: total.units))
        let proceeds = total.key.proceeds.milliunits.clampedMultiplied(by: total.units)
        if isAdjustment { late = late.clampedAdding(proceeds) } else { earned = earned.clampedAdding(proceeds) }
    }
}

extension SalesKey {
    /// True if money was collected for the row, which financial reports require.
    package var isPaid: Bool { customerPrice.milliunits != 0 || proceeds.milliunits != 0 }

    /// The line of the monthly closing to which the row belongs.
    package var region: RegionSales.Key {
        RegionSales.Key(region: FinancialRegion(storefront), currency: proceeds.currency)
    }
}

/// The closing of a fiscal month: the amounts of each region, and the payout.
package struct MonthClosing: Hashable, Sendable {
    /// One region and currency.
    package struct Line: Hashable, Sendable {
        package var key: RegionSales.Key
        package var units: Int64
        /// The sum of the month's own entries.
        package var earned: Money
        /// The tax on the commission: zero or negative.
        package var inputTax: Money
        /// Entries of closed months that came late.
        package var late: Money
        /// Manual adjustments.
        package var manual: Money
        /// Zero or negative.
        package var withholding: Money
        /// The rate from the line's currency to the bank's.
        package var rate: DecimalRate
        /// The amount owed, in the bank's currency.
        package var proceeds: Money

        package init(
            key: RegionSales.Key, units: Int64, earned: Money, inputTax: Money, late: Money, manual: Money,
            withholding: Money, rate: DecimalRate, proceeds: Money
        ) {
            self.key = key
            self.units = units
            self.earned = earned
            self.inputTax = inputTax
            self.late = late
            self.manual = manual
            self.withholding = withholding
            self.rate = rate
            self.proceeds = proceeds
        }

        /// The reports' column of that name: late entries and manual adjustments.
        package var adjustments: Money {
            Money(milliunits: late.milliunits.clampedAdding(manual.milliunits), key.currency)
        }

        /// The total in the line's currency.
        package var owed: Money {
            let total = earned.milliunits.clampedAdding(inputTax.milliunits).clampedAdding(adjustments.milliunits)
            return Money(milliunits: total.clampedAdding(withholding.milliunits), key.currency)
        }
    }

    /// Money that is paid to the seller's bank account.
    package struct Payout: Hashable, Sendable {
        /// The day of the payment: ``MonthClosing/daysUntilPayout`` after the fiscal month's end.
        package var day: PacificDay
        package var amount: Money
        /// Unique in an environment.
        package var reference: String

        package init(day: PacificDay, amount: Money, reference: String) {
            self.day = day
            self.amount = amount
            self.reference = reference
        }
    }

    package var month: FiscalMonth
    package var bankCurrency: Currency
    /// The lines in the order of their keys.
    package var lines: [Line]
    /// The balance of the month before; in another currency if the bank account has changed.
    package var carried: Money
    /// The rate from the carried balance's currency to the bank's.
    package var carriedRate: DecimalRate
    /// The carried balance in the bank's currency.
    package var carriedProceeds: Money
    /// The least payout, in the bank's currency.
    package var threshold: Money
    /// `nil` if the total is below the threshold.
    package var payout: Payout?

    /// The days from the end of a fiscal month to its payment.
    package static let daysUntilPayout: Int64 = 33

    package init(
        month: FiscalMonth, bankCurrency: Currency, lines: [Line], carried: Money, carriedRate: DecimalRate,
        carriedProceeds: Money, threshold: Money, payout: Payout? = nil
    ) {
        self.month = month
        self.bankCurrency = bankCurrency
        self.lines = lines
        self.carried = carried
        self.carriedRate = carriedRate
        self.carriedProceeds = carriedProceeds
        self.threshold = threshold
        self.payout = payout
    }

    /// The proceeds of all lines with the carried balance, in the bank's currency.
    package var total: Money {
        Money(
            milliunits: lines.reduce(carriedProceeds.milliunits) { $0.clampedAdding($1.proceeds.milliunits) },
            bankCurrency)
    }

    /// The amount that is carried to the next month.
    package var balance: Money {
        Money(milliunits: total.milliunits.clampedSubtracting(payout?.amount.milliunits ?? 0), bankCurrency)
    }
}
