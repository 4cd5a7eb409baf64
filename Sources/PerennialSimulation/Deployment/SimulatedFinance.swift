import Perennial

/// The finances of the simulated seller: a bank in the United States, and taxes of two regions.
enum SimulatedFinance {
    static let settings = FinanceSettings(
        threshold: Money(milliunits: 40_000, .usd), withholding: ["JP": 2042], inputTax: ["US": 125, "EU": 90])

    /// The currencies of the storefronts that need a rate.
    static let currencies = [Currency.eur, .jpy]

    /// Returns the rate of a month that a number decides.
    static func rate(_ number: Int, from currency: Currency, _ month: FiscalMonth) -> ExchangeRate {
        // Digits up to the last one of a rate, so that products are rounded.
        let change = (Int64(number) * 7_919 + month.number * 104_729) % 100_000_007
        let least: Int64 = currency == .jpy ? 6_000_000 : 1_000_000_000
        return ExchangeRate(
            month: month, from: currency, to: settings.bankCurrency,
            rate: DecimalRate(billionths: least + change / (currency == .jpy ? 100 : 1)))
    }

    /// Returns the region and the amount of an adjustment that a number decides.
    static func adjustment(_ number: Int) -> (region: FinancialRegion, amount: Money) {
        let storefront = SimulatedCatalog.storefronts[number % SimulatedCatalog.storefronts.count]
        let coins = Int64(number * 37 % 100) - 50
        let currency = storefront.currency ?? .usd
        return (
            FinancialRegion(storefront), Money(milliunits: (coins == 0 ? 1 : coins) * currency.smallestAmount, currency)
        )
    }
}
