import Perennial
import TestRandomness
import Testing

struct MoneyShareTests {
    @Test(arguments: [
        (Int64(4990), "USD", Int64(1), Int64(3), Int64(1660)), (4990, "USD", 3, 3, 4990), (4990, "USD", 0, 3, 0),
        (300_000, "JPY", 1, 7, 42_000), (1_234, "KWD", 1, 2, 617), (1_995, "USD", 5, 5, 1_995),
        (1_995, "USD", 9, 5, 1_995),
    ])
    func `a share is rounded down to the smallest coin`(
        amount: Int64, currency: String, part: Int64, whole: Int64, expected: Int64
    ) {
        let money = Money(milliunits: amount, Currency(rawValue: currency))
        #expect(money.share(of: part, in: whole).milliunits == expected)
    }

    @Test func `a share of a large amount over a long time doesn't overflow`() {
        let money = Money(milliunits: 900_000_000_000, .usd)
        #expect(money.share(of: .days(183), in: .days(366)).milliunits == 450_000_000_000)
    }

    @Test func `shares of a whole never add up to more`() {
        var random = SeededGenerator(seed: 9)
        for _ in 0..<1000 {
            let money = Money(milliunits: Int64(random.next() % 100_000), .usd)
            let whole = Int64(random.next() % 1_000_000) + 1
            let part = Int64(random.next() % UInt64(whole))
            let sum = money.share(of: part, in: whole).milliunits + money.share(of: whole - part, in: whole).milliunits
            #expect(sum <= money.milliunits)
        }
    }

    @Test func `refunds at any share balance`() {
        var random = SeededGenerator(seed: 10)
        for _ in 0..<200 {
            let terms = SaleTerms(
                commissionBasisPoints: Int64(random.next() % 3000), taxBasisPoints: Int64(random.next() % 2700))
            let money = Money(milliunits: Int64(random.next() % 1_000_000), .eur)
            #expect(terms.postings(forSaleAt: money.share(of: 2, in: 7)).reversed.balances)
        }
    }
}
