import Perennial
import PerennialStorage

/// The seller's own knowledge of the finances: what was acknowledged. Nothing of it is read from the database.
struct FinanceModel: Sendable {
    struct RateKey: Hashable {
        var month: FiscalMonth
        var currency: Currency
    }

    private(set) var rates: [RateKey: DecimalRate] = [:]
    private(set) var closings: [FiscalMonth: ClosedMonthsTable.Record] = [:]
    /// The adjustments by position in the seller's own journal.
    private(set) var adjustments: [Int64: FinanceAdjustmentsTable.Record] = [:]

    mutating func apply(_ answer: Answer) {
        switch answer {
        case .ratesLoaded(let loaded):
            for rate in loaded { rates[RateKey(month: rate.month, currency: rate.from)] = rate.rate }
        case .closed(let records):
            for record in records { closings[record.closing.month] = record }
        case .adjusted(let record): adjustments[record.position] = record
        default: break
        }
    }

    /// Returns the rate to the bank's currency.
    func rate(from currency: Currency, in month: FiscalMonth) -> DecimalRate? {
        currency == SimulatedFinance.settings.bankCurrency
            ? .one : rates[RateKey(month: month, currency: currency)]
    }
}
