import Perennial
import TestRandomness
import Testing

/// The postings of a refund: the reverse of the sale's.
struct RefundPostingsTests {
    private static func milliunits(_ postings: [Posting]) -> [Posting.Account: Int64] {
        postings.reduce(into: [:]) { $0[$1.account, default: 0] += $1.amount.milliunits }
    }

    /// Sold at 4.99 with 19 % of tax and 30 % of commission: 4193 net, 1257 commission, 2936 proceeds, 797 tax.
    private static let sale = SaleTerms(commissionBasisPoints: 3000, taxBasisPoints: 1900)
        .postings(forSaleAt: Money(milliunits: 4990, .usd))

    @Test(arguments: [
        (Int64(4990), Int64(0), [4990, -2936, -1257, -797] as [Int64]), (2490, 0, [2490, -1466, -627, -397]),
        // The rest after a part, and both together.
        (2500, 2490, [2500, -1470, -630, -400]), (10, 0, [10, -7, -2, -1]), (0, 0, []),
        // No more than was paid.
        (9990, 0, [4990, -2936, -1257, -797]), (9990, 4980, [10, -5, -3, -2]),
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
}
