/// The seller's bank and the rules of payouts in one environment.
package struct FinanceSettings: Hashable, Sendable, Codable {
    /// The currency of the bank account.
    package var bankCurrency: Currency
    package var bankName: String?
    /// The last four digits of the account, for reports.
    package var accountEnding: String?
    /// The least amount that is paid; less is carried forward. `nil` for the bank currency's ``defaultThreshold``.
    package var threshold: Money?
    /// The share of the seller's proceeds that a region withholds as tax, in basis points: Japan's 20.42 % is 2042.
    package var withholding: [String: Int64]
    /// The tax on the store's commission in a region, which the seller bears, in basis points.
    package var inputTax: [String: Int64]

    /// The basis points of a tax: 0 to 100 %.
    package static let basisPoints: ClosedRange<Int64> = 0...10_000

    package init(
        bankCurrency: Currency = .usd, bankName: String? = nil, accountEnding: String? = nil, threshold: Money? = nil,
        withholding: [String: Int64] = [:], inputTax: [String: Int64] = [:]
    ) {
        self.bankCurrency = bankCurrency
        self.bankName = bankName
        self.accountEnding = accountEnding
        self.threshold = threshold
        self.withholding = withholding
        self.inputTax = inputTax
    }

    /// The threshold in force.
    package var effectiveThreshold: Money { threshold ?? Self.defaultThreshold(of: bankCurrency) }

    /// Returns Apple's threshold: 10 US dollars, for bank accounts in won 50.
    package static func defaultThreshold(of bankCurrency: Currency) -> Money {
        Money(milliunits: bankCurrency == Currency(rawValue: "KRW") ? 50_000 : 10_000, .usd)
    }
}

extension DecimalRate {
    /// Creates the rate of a tax.
    package init(basisPoints: Int64) {
        self.init(billionths: basisPoints * (DecimalRate.scale / 10_000))
    }
}
