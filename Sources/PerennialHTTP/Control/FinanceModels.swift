import HTTPTypes
import Perennial
import PerennialStorage
import PerennialStore

/// A tax of a region, in a request and in an answer.
struct RegionTaxModel: Model, Encodable {
    var region: String
    var basisPoints: Int64

    static let constraints: [String: Constraint] = [
        "region": .region, "basisPoints": .range(FinanceSettings.basisPoints),
    ]

    static func taxes(_ rates: [String: Int64]) -> [RegionTaxModel] {
        rates.sorted { $0.key < $1.key }.map { RegionTaxModel(region: $0.key, basisPoints: $0.value) }
    }

    static func rates(_ taxes: [RegionTaxModel]?) -> [String: Int64] {
        // A region that is named twice has its last tax.
        Dictionary((taxes ?? []).map { ($0.region, $0.basisPoints) }) { $1 }
    }
}

/// The bank and the rules of payouts.
struct FinanceSettingsModel: AnswerModel {
    var bankCurrency: String
    var bankName: String?
    var accountEnding: String?
    /// The threshold in thousandths of ``thresholdCurrency``'s unit.
    var threshold: Int64
    var thresholdCurrency: String
    var withholding: [RegionTaxModel]
    var inputTax: [RegionTaxModel]

    static let constraints: [String: Constraint] = ["threshold": .milliunits]

    init(_ settings: FinanceSettings) {
        bankCurrency = settings.bankCurrency.rawValue
        bankName = settings.bankName
        accountEnding = settings.accountEnding
        threshold = settings.effectiveThreshold.milliunits
        thresholdCurrency = settings.effectiveThreshold.currency.rawValue
        withholding = RegionTaxModel.taxes(settings.withholding)
        inputTax = RegionTaxModel.taxes(settings.inputTax)
    }
}

/// The settings as a request says them; those that it leaves out have their standard values.
struct FinanceSettingsBody: RequestModel {
    var bankCurrency: String?
    var bankName: String?
    var accountEnding: String?
    var threshold: Int64?
    var thresholdCurrency: String?
    var withholding: [RegionTaxModel]?
    var inputTax: [RegionTaxModel]?

    static let constraints: [String: Constraint] = [
        "bankCurrency": .currency, "bankName": .text(bytes: 1...Finance.maximumTextLength),
        "accountEnding": .pattern("^[0-9]{4}$", "The last four digits of the account"),
        "threshold": .range(0...Finance.maximumAdjustment).and(.milliunits), "thresholdCurrency": .currency,
        "withholding": .items(count: 0...100), "inputTax": .items(count: 0...100),
    ]

    func settings() -> FinanceSettings {
        let bank = bankCurrency.map(Currency.init(rawValue:)) ?? .usd
        let currency = thresholdCurrency.map(Currency.init(rawValue:)) ?? bank
        return FinanceSettings(
            bankCurrency: bank, bankName: bankName, accountEnding: accountEnding,
            threshold: threshold.map { Money(milliunits: $0, currency) },
            withholding: RegionTaxModel.rates(withholding), inputTax: RegionTaxModel.rates(inputTax))
    }
}

/// An exchange rate.
struct ExchangeRateModel: Model, Encodable {
    var month: String
    var from: String
    var to: String
    /// A decimal number, because JSON's numbers aren't exact.
    var rate: String

    static let constraints: [String: Constraint] = [
        "month": .fiscalMonth, "from": .currency, "to": .currency,
        "rate": .pattern(
            #"^(?:[1-9][0-9]{0,8}(?:\.[0-9]{1,9})?|0\.(?:\#(fractions)))$"#,
            "The value of one unit, such as 0.00817: more than 0, with up to nine digits before and after the point"),
    ]

    /// Fractions of up to nine digits that aren't 0, one form for each number of zeros at the start. Zeros at the end are
    /// among them, because answers have at least five digits.
    private static let fractions = (0...8).map { "0{\($0)}[1-9][0-9]{0,\(8 - $0)}" }.joined(separator: "|")

    init(_ rate: ExchangeRate) {
        (month, from, to) = (rate.month.description, rate.from.rawValue, rate.to.rawValue)
        self.rate = rate.rate.description
    }

    /// - Throws: ``APIError`` `malformedRequest`.
    func value(at index: Int) throws -> ExchangeRate {
        guard let rate = DecimalRate(rate) else {
            throw APIError(
                .badRequest, "malformedRequest", "a rate is a decimal number such as 0.00817",
                field: "rates[\(index)].rate")
        }
        return ExchangeRate(
            month: try ControlFields.fiscalMonth(month, field: "rates[\(index)].month"),
            from: Currency(rawValue: from), to: Currency(rawValue: to), rate: rate)
    }
}

/// A closed month.
struct ClosedMonthModel: AnswerModel {
    struct Line: Model, Encodable {
        var region: String
        var currency: String
        var units: Int64
        var earned: Int64
        var inputTax: Int64
        var lateAdjustments: Int64
        var manualAdjustments: Int64
        var withholdingTax: Int64
        var totalOwed: Int64
        var exchangeRate: String
        var proceeds: Int64

        static let constraints: [String: Constraint] = Dictionary(
            uniqueKeysWithValues: [
                "earned", "inputTax", "lateAdjustments", "manualAdjustments", "withholdingTax", "totalOwed", "proceeds",
            ].map { ($0, Constraint.milliunits) })

        init(_ line: MonthClosing.Line) {
            (region, currency) = (line.key.region.rawValue, line.key.currency.rawValue)
            (units, earned, inputTax) = (line.units, line.earned.milliunits, line.inputTax.milliunits)
            (lateAdjustments, manualAdjustments) = (line.late.milliunits, line.manual.milliunits)
            (withholdingTax, totalOwed) = (line.withholding.milliunits, line.owed.milliunits)
            (exchangeRate, proceeds) = (line.rate.description, line.proceeds.milliunits)
        }
    }

    var month: String
    var firstDay: String
    var lastDay: String
    var closed: String
    var lines: [Line]
    var bankCurrency: String
    /// The balance of the month before, in the bank's currency.
    var carried: Int64
    var total: Int64
    var threshold: Int64
    var payout: PayoutModel?
    /// The balance that is carried to the next month.
    var balance: Int64

    static let constraints: [String: Constraint] = [
        "closed": .time, "carried": .milliunits, "total": .milliunits, "threshold": .milliunits, "balance": .milliunits,
    ]

    init(_ record: ClosedMonthsTable.Record) {
        let closing = record.closing
        month = closing.month.description
        (firstDay, lastDay) = (closing.month.firstDay.description, closing.month.lastDay.description)
        closed = record.closed.rfc3339()
        lines = closing.lines.map(Line.init)
        bankCurrency = closing.bankCurrency.rawValue
        (carried, total) = (closing.carriedProceeds.milliunits, closing.total.milliunits)
        (threshold, balance) = (closing.threshold.milliunits, closing.balance.milliunits)
        payout = closing.payout.map { PayoutModel($0, of: closing.month) }
    }
}

/// A payout.
struct PayoutModel: Model, Encodable {
    var month: String
    var date: String
    var amount: Int64
    var currency: String
    var reference: String

    static let constraints: [String: Constraint] = ["amount": .milliunits]

    init(_ payout: MonthClosing.Payout, of month: FiscalMonth) {
        self.month = month.description
        date = payout.day.description
        (amount, currency) = (payout.amount.milliunits, payout.amount.currency.rawValue)
        reference = payout.reference
    }
}

extension Constraint {
    static let currency = pattern("^[A-Z]{3}$", "An ISO 4217 code")
    static let fiscalMonth = pattern(
        "^(?:19[7-9][0-9]|[2-9][0-9]{3})-(?:0[1-9]|1[0-2])$", "A fiscal month: 2027-01 begins in September 2026")
    static let region = Constraint.pattern(
        "^(?:" + FinancialRegion.all.map(\.region.rawValue).joined(separator: "|") + ")$",
        "The code of a region of financial reports")
}

extension ControlFields {
    /// - Throws: ``APIError`` `malformedRequest`.
    static func fiscalMonth(_ text: String, field: String) throws -> FiscalMonth {
        guard let month = FiscalMonth(text) else {
            throw APIError(
                .badRequest, "malformedRequest", "\(field) is a fiscal month such as 2027-01", field: field)
        }
        return month
    }
}
