import Perennial
import Testing

/// The arithmetic of a monthly closing (docs/reference/financial-reports.md).
struct MonthClosingTests {
    private static let jpy = Currency.jpy
    private static let month = FiscalMonth(number: 2027 * 12)

    private static func key(_ region: String, _ currency: Currency) -> RegionSales.Key {
        RegionSales.Key(region: FinancialRegion(rawValue: region), currency: currency)
    }

    private static func sales(_ earned: Int64, units: Int64 = 1, late: Int64 = 0, manual: Int64 = 0) -> RegionSales {
        var sales = RegionSales()
        (sales.units, sales.earned, sales.late, sales.manual) = (units, earned, late, manual)
        return sales
    }

    private static func close(
        _ sales: [RegionSales.Key: RegionSales], carried: Money? = nil, _ settings: FinanceSettings,
        rates: [Currency: String] = [:]
    ) throws(MonthClosing.Failure) -> MonthClosing {
        try MonthClosing(
            of: month, sales: sales, carried: carried, settings: settings,
            rates: rates.compactMapValues { DecimalRate($0) }, reference: "80000001-\(month)")
    }

    private static func money(_ text: String, _ currency: Currency) throws -> Money {
        let isNegative = text.hasPrefix("-")
        let amount = try #require(Money(decimal: isNegative ? String(text.dropFirst()) : text, currency))
        return isNegative ? Money(milliunits: -amount.milliunits, currency) : amount
    }

    // MARK: - A line

    @Test func `179 JPY less withheld tax are 142 JPY, and 1.16 EUR`() throws {
        let settings = FinanceSettings(
            bankCurrency: .eur, threshold: Money(milliunits: 0, .eur), withholding: ["JP": 2042])
        let closing = try Self.close(
            [Self.key("JP", .jpy): Self.sales(179_000)], settings, rates: [.jpy: "0.00817"])
        let line = try #require(closing.lines.first)
        #expect(line.earned == (try Self.money("179", .jpy)))
        #expect(line.withholding == (try Self.money("-37", .jpy)))
        #expect(line.owed == (try Self.money("142", .jpy)))
        #expect(line.rate.description == "0.00817")
        #expect(line.proceeds == (try Self.money("1.16", .eur)))
        #expect(closing.payout?.amount == line.proceeds)
    }

    @Test(arguments: [
        // Half of a coin is rounded away from zero, once, in the bank's currency.
        (earned: "100", rate: "0.00005", proceeds: "0.01"), ("100", "0.000049999", "0.00"),
        ("-100", "0.00005", "-0.01"), ("300", "1.5", "450.00"), ("1", "0.123456789", "0.12"),
        ("1000000", "0.006666666", "6666.67"),
    ])
    func `an amount is exchanged with one rounding`(earned: String, rate: String, proceeds: String) throws {
        let earned = try Self.money(earned, .jpy).milliunits
        let closing = try Self.close(
            [Self.key("JP", .jpy): Self.sales(earned)], FinanceSettings(threshold: .zero(.usd)), rates: [.jpy: rate])
        #expect(closing.lines.first?.proceeds == (try Self.money(proceeds, .usd)))
    }

    @Test func `late entries and manual adjustments are adjustments`() throws {
        let closing = try Self.close(
            [Self.key("US", .usd): Self.sales(10_000, late: -2500, manual: 500)], FinanceSettings())
        let line = try #require(closing.lines.first)
        #expect(line.adjustments == (try Self.money("-2.00", .usd)))
        #expect(line.owed == (try Self.money("8.00", .usd)))
    }

    @Test func `nothing is withheld from a negative amount`() throws {
        let closing = try Self.close(
            [Self.key("JP", .jpy): Self.sales(-1_000_000)], FinanceSettings(withholding: ["JP": 2042]),
            rates: [.jpy: "0.0067"])
        #expect(closing.lines.first?.withholding == .zero(.jpy))
        #expect(closing.payout == nil)
        #expect(closing.balance == (try Self.money("-6.70", .usd)))
    }

    @Test func `input tax is a share of the commission`() throws {
        var sales = Self.sales(70_000)
        sales.commission = 30_000
        let closing = try Self.close(
            [Self.key("CA", Currency(rawValue: "CAD")): sales], FinanceSettings(inputTax: ["CA": 500]),
            rates: [Currency(rawValue: "CAD"): "0.72"])
        #expect(closing.lines.first?.inputTax == (try Self.money("-1.50", Currency(rawValue: "CAD"))))
        #expect(closing.lines.first?.owed == (try Self.money("68.50", Currency(rawValue: "CAD"))))
    }

    // MARK: - Payouts

    @Test(arguments: [
        ("9.99", nil, nil, "9.99"), ("10.00", nil, "10.00", "0.00"), ("4.00", "6.00", "10.00", "0.00"),
        ("4.00", "5.99", nil, "9.99"), ("-4.00", "10.00", nil, "6.00"), ("0.00", "12.00", "12.00", "0.00"),
    ])
    func `a total that reaches the threshold is paid`(
        earned: String, carried: String?, paid: String?, balance: String
    ) throws {
        let closing = try Self.close(
            [Self.key("US", .usd): Self.sales(try Self.money(earned, .usd).milliunits)],
            carried: try carried.map { try Self.money($0, .usd) }, FinanceSettings())
        #expect(closing.payout?.amount == (try paid.map { try Self.money($0, .usd) }))
        #expect(closing.balance == (try Self.money(balance, .usd)))
    }

    @Test func `regions are summed in the bank's currency before the threshold`() throws {
        let settings = FinanceSettings(bankCurrency: .eur, threshold: Money(milliunits: 10_000, .eur))
        let closing = try Self.close(
            [
                Self.key("US", .usd): Self.sales(6000), Self.key("JP", .jpy): Self.sales(600_000),
                Self.key("EU", .eur): Self.sales(3000),
            ], settings, rates: [.usd: "0.9", .jpy: "0.006"])
        #expect(closing.total == (try Self.money("12.00", .eur)))
        #expect(closing.payout?.amount == closing.total)
    }

    @Test func `a payout is made 33 days after the month, on a Thursday`() throws {
        let closing = try Self.close([Self.key("US", .usd): Self.sales(90_000)], FinanceSettings())
        // Fiscal October 2026 ends on 31 October.
        #expect(closing.payout?.day.description == "2026-12-03")
        #expect(closing.payout?.day.date.weekday == 4)
    }

    @Test func `the threshold is worth 10 US dollars, for accounts in won 50`() throws {
        let won = Currency(rawValue: "KRW")
        let closing = try Self.close(
            [:], FinanceSettings(bankCurrency: won), rates: [.usd: "1400"])
        #expect(closing.threshold == Money(milliunits: 70_000_000, won))
        #expect(FinanceSettings(bankCurrency: .eur).effectiveThreshold == Money(milliunits: 10_000, .usd))
    }

    @Test func `a balance follows the bank to another currency`() throws {
        let closing = try Self.close(
            [:], carried: Money(milliunits: 8000, .usd),
            FinanceSettings(bankCurrency: .eur, threshold: Money(milliunits: 10_000, .eur)), rates: [.usd: "0.9"])
        #expect(closing.balance == (try Self.money("7.20", .eur)))
    }

    // MARK: - Failures

    @Test func `every missing exchange rate is named`() throws {
        let sales = [
            Self.key("JP", .jpy): Self.sales(1000), Self.key("GB", Currency(rawValue: "GBP")): Self.sales(1000),
            Self.key("US", .usd): Self.sales(1000),
        ]
        let failure = #expect(throws: MonthClosing.Failure.self) {
            try Self.close(sales, FinanceSettings(bankCurrency: .eur), rates: [.jpy: "0.006"])
        }
        #expect(failure?.missing.map(\.rawValue) == ["GBP", "USD"])
        #expect(failure?.to == .eur)
        #expect(failure?.month == Self.month)
    }

    @Test func `an amount beyond 64 bits is no closing`() throws {
        #expect(throws: MonthClosing.Failure.self) {
            try Self.close(
                [Self.key("JP", .jpy): Self.sales(.max)], FinanceSettings(threshold: .zero(.usd)),
                rates: [.jpy: "999999999"])
        }
    }

    // MARK: - Postings

    @Test func `the entries of a closing sum to zero and leave the balance`() throws {
        let settings = FinanceSettings(
            bankCurrency: .eur, threshold: Money(milliunits: 5000, .eur), withholding: ["JP": 2042],
            inputTax: ["US": 500])
        var sales = [
            Self.key("US", .usd): Self.sales(6000, late: -10), Self.key("JP", .jpy): Self.sales(600_000),
            Self.key("EU", .eur): Self.sales(3000, manual: 40),
        ]
        sales[Self.key("US", .usd)]?.commission = 2000
        for carried in [Money(milliunits: 900, .usd), Money(milliunits: 900, .eur), nil] {
            for threshold in [Int64(5000), 50_000] {
                var settings = settings
                settings.threshold = Money(milliunits: threshold, .eur)
                let closing = try Self.close(sales, carried: carried, settings, rates: [.usd: "0.9", .jpy: "0.006"])
                let entries = closing.entries(at: Instant(seconds: 0)).map(\.entry)
                let isBalanced = entries.map(\.postings).allSatisfy { $0.balances }
                #expect(isBalanced)
                var balances: [Posting.Account: [Currency: Int64]] = [:]
                if let carried { balances[.payable] = [carried.currency: carried.milliunits] }
                for posting in entries.flatMap(\.postings) {
                    balances[posting.account, default: [:]][posting.amount.currency, default: 0] +=
                        posting.amount.milliunits
                }
                let payable = (balances[.payable] ?? [:]).filter { $0.value != 0 }
                #expect(payable == [.eur: closing.balance.milliunits].filter { $0.value != 0 })
                #expect(balances[.bank]?[.eur] == closing.payout?.amount.milliunits)
                let yen = try #require(closing.lines.first { $0.key.currency == .jpy })
                #expect(balances[.withholding]?[.jpy] == -yen.withholding.milliunits)
                #expect(balances[.proceeds]?[.usd] == -5990)
            }
        }
    }
}
