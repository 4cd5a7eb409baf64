import Perennial
import TestRandomness
import Testing

/// The postings of a refund: the reverse of the sale's.
struct RefundPostingsTests {
    private static func milliunits(_ postings: [Posting]) -> [Posting.Account: Int64] {
        postings.reduce(into: [:]) { $0[$1.account, default: 0] += $1.amount.milliunits }
    }

    /// Sold at 4.99 with 19 % of tax and 30 % of commission: 4.19 net, 1.25 commission, 2.94 proceeds, 0.80 tax.
    private static let sale = SaleTerms(commissionBasisPoints: 3000, taxBasisPoints: 1900)
        .postings(forSaleAt: Money(milliunits: 4990, .usd))

    @Test(arguments: [
        (Int64(4990), Int64(0), [4990, -2940, -1250, -800] as [Int64]), (2490, 0, [2490, -1480, -620, -390]),
        // The rest after a part, and both together.
        (2500, 2490, [2500, -1460, -630, -410]), (10, 0, [10, -10, 0, 0]), (0, 0, []),
        // No more than was paid.
        (9990, 0, [4990, -2940, -1250, -800]), (9990, 4980, [10, 10, -10, -10]),
    ])
    func `a partial refund takes its share of commission and tax`(
        amount: Int64, before: Int64, moved: [Int64]
    ) {
        let postings = Self.sale.refunding(Money(milliunits: amount, .usd), after: before)
        #expect(postings.map(\.amount.milliunits) == moved)
        #expect(postings.map(\.account) == (moved.isEmpty ? [] : Self.sale.map(\.account)))
        #expect(postings.balances)
    }

    @Test func `a refund of a free sale moves nothing`() {
        #expect([Posting]().refunding(Money(milliunits: 990, .usd)).isEmpty)
    }

    /// Prices, terms and parts at random, from a seed.
    @Test func `partial refunds of one sale add up to the sale in every account`() {
        var random = SeededGenerator(seed: 7)
        for _ in 0..<2_000 {
            let price = Int64(random.next() % 1_000_000_000_000) + 1
            let terms = SaleTerms(
                commissionBasisPoints: Int64(random.next() % 10_001), taxBasisPoints: Int64(random.next() % 3_000))
            let sale = terms.postings(forSaleAt: Money(milliunits: price, .usd))
            var (given, moved) = (Int64(0), [Posting]())
            while given < price {
                let part = random.next() % 4 == 0 ? price - given : Int64(random.next() % UInt64(price - given)) + 1
                let postings = sale.refunding(Money(milliunits: part, .usd), after: given)
                #expect(postings.balances)
                #expect(Self.milliunits(postings)[.customer] == part)
                for (account, amount) in Self.milliunits(postings) where account != .customer && account != .proceeds {
                    #expect(amount <= 0, "\(account.rawValue)")
                }
                (given, moved) = (given + part, moved + postings)
            }
            #expect(Self.milliunits(moved) == Self.milliunits(sale.reversed), "\(price) \(terms)")
        }
    }

    @Test func `a sale posted in finer amounts than coins is refunded exactly`() {
        // As version 0 posted 0.99 with 19 % of tax: to thousandths.
        let sale: [Posting] = [
            Posting(.customer, Money(milliunits: -990, .usd)), Posting(.proceeds, Money(milliunits: 583, .usd)),
            Posting(.commission, Money(milliunits: 249, .usd)), Posting(.tax, Money(milliunits: 158, .usd)),
        ]
        #expect(sale.refunding(Money(milliunits: 990, .usd)) == sale.reversed)
        let parts =
            sale.refunding(Money(milliunits: 330, .usd)) + sale.refunding(Money(milliunits: 660, .usd), after: 330)
        #expect(Self.milliunits(parts) == Self.milliunits(sale.reversed))
    }

    @Test(arguments: [
        // A price of 10.00 with 8.25 % of tax on top.
        (Int64(10_000), Int64(0), Int64(10_830)), (5_000, 0, 5_410), (5_000, 5_000, 5_420), (3_330, 6_670, 3_610),
    ])
    func `the customer receives the tax on top of a refunded price`(amount: Int64, before: Int64, customer: Int64) {
        let price = Money(milliunits: 10_000, .usd)
        let sale = SaleRates(commissionBasisPoints: 3000, tax: SalesTax(basisPoints: 825, isIncluded: false))
            .postings(forSaleAt: price)
        let postings = sale.refunding(Money(milliunits: amount, .usd), of: price, after: before)
        #expect(Self.milliunits(postings)[.customer] == customer)
        #expect(postings.balances)
    }

    /// Prices, rates, quantities and parts at random, from a seed, with taxes in and on top of prices.
    @Test func `refunds in parts of several units give back the whole sale in coins`() {
        var random = SeededGenerator(seed: 15)
        for _ in 0..<2_000 {
            let currency = Currency(rawValue: ["USD", "EUR", "JPY", "KWD"][Int(random.next() % 4)])
            let coin = currency.smallestAmount
            let quantity = Int(random.next() % 10) + 1
            let unit = Money(milliunits: (Int64(random.next() % 100_000) + 1) * coin, currency)
            let rates = SaleRates(
                commissionBasisPoints: Int64(random.next() % 10_001),
                tax: SalesTax(basisPoints: Int64(random.next() % 3_000), isIncluded: random.next() % 2 == 0))
            let (sale, price) = (rates.postings(forSaleAt: unit, quantity: quantity), unit * quantity)
            var (given, moved) = (Int64(0), [Posting]())
            while given < price.milliunits {
                let rest = (price.milliunits - given) / coin
                let part = random.next() % 3 == 0 ? rest : Int64(random.next() % UInt64(rest)) + 1
                let postings = sale.refunding(Money(milliunits: part * coin, currency), of: price, after: given)
                #expect(postings.balances)
                #expect(postings.allSatisfy { $0.amount.milliunits % coin == 0 }, "\(unit) \(rates)")
                #expect(Self.milliunits(postings)[.customer] ?? 0 >= part * coin)
                (given, moved) = (given + part * coin, moved + postings)
            }
            #expect(Self.milliunits(moved) == Self.milliunits(sale.reversed), "\(unit) × \(quantity) \(rates)")
        }
    }
}
