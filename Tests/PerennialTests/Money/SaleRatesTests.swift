import Perennial
import TestRandomness
import Testing

/// The amounts of a sale: tax, commission and proceeds, in whole coins.
struct SaleRatesTests {
    private static func milliunits(_ postings: [Posting]) -> [Posting.Account: Int64] {
        postings.reduce(into: [:]) { $0[$1.account, default: 0] += $1.amount.milliunits }
    }

    /// Apple's published proceeds: price points of the App Store Connect API, and the Summary Sales report's examples.
    @Test(arguments: [
        ("USA", Int64(290), Int64(0), Int64(210), Int64(250)), ("USA", 990, 0, 700, 840), ("USA", 2990, 0, 2100, 2540),
        ("CAN", 1390, 0, 970, 1180),
        // With the British rate of then, 15 %, in the price.
        ("GBR", 690, 1500, 420, 510), ("GBR", 1190, 1500, 720, 880),
    ])
    func `proceeds are those that Apple publishes`(
        storefront: String, price: Int64, tax: Int64, standard: Int64, afterOneYear: Int64
    ) throws {
        let storefront = Storefront(rawValue: storefront)
        var terms = SaleTerms.standard
        if tax > 0 { terms.storefrontTaxes = [storefront: SalesTax(basisPoints: tax)] }
        let money = Money(milliunits: price, try #require(storefront.currency))
        let proceeds = terms.proceeds(of: money, in: storefront)
        #expect(proceeds.standard.milliunits == standard)
        #expect(proceeds.afterOneYear.milliunits == afterOneYear)
    }

    @Test(arguments: [
        // customer, proceeds, commission, tax
        ("DEU", Int64(9_990), [9_990, 5_870, 2_520, 1_600] as [Int64]), ("FRA", 9_990, [9_990, 5_820, 2_500, 1_670]),
        ("CHE", 5_000, [5_000, 3_240, 1_390, 370]), ("JPN", 300_000, [300_000, 191_000, 82_000, 27_000]),
        ("HKG", 8_000, [8_000, 5_600, 2_400, 0]), ("USA", 9_990, [9_990, 7_000, 2_990, 0]),
    ])
    func `a storefront's standard tax is in the price`(code: String, price: Int64, amounts: [Int64]) throws {
        let storefront = Storefront(rawValue: code)
        let unit = SaleTerms.standard.rates(in: storefront).amounts(
            ofUnitAt: Money(milliunits: price, try #require(storefront.currency)))
        #expect([unit.customer, unit.proceeds, unit.commission, unit.tax].map(\.milliunits) == amounts)
    }

    @Test func `tax on top of the price is paid in addition`() {
        var terms = SaleTerms.standard
        terms.storefrontTaxes = [.usa: SalesTax(basisPoints: 825, isIncluded: false)]
        let postings = terms.postings(forSaleAt: Money(milliunits: 9_990, .usd), quantity: 2, in: .usa)
        #expect(
            Self.milliunits(postings) == [.customer: -21_620, .proceeds: 14_000, .commission: 5_980, .tax: 1_640])
    }

    @Test func `a storefront's own tax precedes the app's, which precedes the table's`() {
        let germany = Storefront(rawValue: "DEU")
        #expect(SaleTerms.standard.tax(in: germany) == SalesTax(basisPoints: 1900))
        #expect(SaleTerms(taxBasisPoints: 0).tax(in: germany) == SalesTax(basisPoints: 0))
        let own = SaleTerms(taxBasisPoints: 700, storefrontTaxes: [germany: SalesTax(basisPoints: 500)])
        #expect(own.tax(in: germany) == SalesTax(basisPoints: 500))
        #expect(own.tax(in: .usa) == SalesTax(basisPoints: 700))
        #expect(SaleTerms.standard.tax(in: .usa) == SalesTax(basisPoints: 0, isIncluded: false))
        #expect(SaleTerms.standard.tax(in: nil) == .untaxed)
    }

    static let reductions: [(SaleTerms, ProceedsReason?, Int64)] = [
        (.standard, nil, 3000), (.standard, .rateAfterOneYear, 1500),
        (SaleTerms(isSmallBusiness: true), nil, 1500), (SaleTerms(isSmallBusiness: true), .rateAfterOneYear, 1500),
        (SaleTerms(commissionBasisPoints: 1000, isSmallBusiness: true), nil, 1000),
        (SaleTerms(commissionBasisPoints: 1000), .rateAfterOneYear, 1000),
    ]

    @Test(arguments: reductions)
    func `the reduced commission is never more than the app's own`(
        terms: SaleTerms, reason: ProceedsReason?, commission: Int64
    ) {
        #expect(terms.rates(in: .usa, reason).commissionBasisPoints == commission)
    }

    @Test func `every storefront of the tax table exists and has a rate below 30 percent`() {
        #expect(Storefront.standardTaxes.count > 80)
        for (storefront, tax) in Storefront.standardTaxes {
            #expect(storefront.info != nil, "\(storefront)")
            #expect((0..<3000).contains(tax.basisPoints), "\(storefront)")
            #expect(tax.isIncluded != ["USA", "CAN"].contains(storefront.rawValue), "\(storefront)")
        }
    }

    /// Prices, rates and quantities at random, from a seed, in currencies with each size of coin.
    @Test func `the postings of a sale balance, in whole coins, as often as units`() {
        var random = SeededGenerator(seed: 14)
        for _ in 0..<5_000 {
            let currency = Currency(rawValue: ["USD", "EUR", "JPY", "KWD"][Int(random.next() % 4)])
            let coin = currency.smallestAmount
            let price = Money(milliunits: Int64(random.next() % 100_000_000) / coin * coin, currency)
            let rates = SaleRates(
                commissionBasisPoints: Int64(random.next() % 10_001),
                tax: SalesTax(basisPoints: Int64(random.next() % 10_001), isIncluded: random.next() % 2 == 0))
            let quantity = Int(random.next() % 10) + 1
            let postings = rates.postings(forSaleAt: price, quantity: quantity)
            #expect(postings.balances)
            let unit = rates.amounts(ofUnitAt: price)
            let amounts = Self.milliunits(postings)
            #expect(amounts[.customer] ?? 0 == -unit.customer.milliunits * Int64(quantity))
            #expect(amounts[.proceeds] ?? 0 == unit.proceeds.milliunits * Int64(quantity))
            for posting in postings {
                #expect(posting.amount.milliunits % (coin * Int64(quantity)) == 0)
                #expect(posting.account == .customer || posting.amount.milliunits >= 0, "\(rates) \(price)")
            }
            // No rounding is off by more than a coin.
            let net = unit.proceeds.milliunits + unit.commission.milliunits
            let exact = Double(net) * Double(rates.commissionBasisPoints) / 10_000
            #expect((Double(unit.commission.milliunits) - exact).magnitude <= Double(coin))
        }
    }

    @Test(arguments: [Int64.min, .min + 1, -990, -1, 0, 1, 995, .max - 1, .max], [-3, 0, 1, 10, Int.max, Int.min])
    func `extreme prices and quantities balance without a trap`(price: Int64, quantity: Int) {
        for currency in ["USD", "JPY", "KWD", "???"].map(Currency.init(rawValue:)) {
            for isIncluded in [true, false] {
                for rate in [Int64.min, 0, 1900, 10_000, .max] {
                    let rates = SaleRates(
                        commissionBasisPoints: rate, tax: SalesTax(basisPoints: rate, isIncluded: isIncluded))
                    let postings = rates.postings(forSaleAt: Money(milliunits: price, currency), quantity: quantity)
                    #expect(postings.balances)
                    #expect(postings.refunding(Money(milliunits: .max, currency)).balances)
                }
            }
        }
    }
}
