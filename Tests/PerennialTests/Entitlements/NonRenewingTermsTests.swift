import Perennial
import Testing

struct NonRenewingTermsTests {
    /// Purchases as `DAY[ x DAY[ o DAY]]` with the days of refund and reversal; terms as `DAY/DAY`, or a word for a
    /// refusal.
    struct Case: CustomTestStringConvertible {
        let rule: String
        let product: String
        let overlap: NonRenewingPolicy.Overlap
        let bought: [String]
        let expected: [String]

        var testDescription: String { rule }
    }

    static let cases: [Case] = [
        Case(
            rule: "one month from the last of January", product: "pass.1month", overlap: .refuse,
            bought: ["2026-01-31"],
            expected: ["2026-01-31/2026-02-28"]),
        Case(
            rule: "a leap day counts", product: "pass.1month", overlap: .refuse, bought: ["2028-01-31"],
            expected: ["2028-01-31/2028-02-29"]),
        Case(
            rule: "a year from a leap day", product: "pass.1year", overlap: .refuse, bought: ["2028-02-29"],
            expected: ["2028-02-29/2029-02-28"]),
        Case(
            rule: "a queue counts from its anchor and doesn't drift", product: "pass.1month", overlap: .extend,
            bought: ["2026-01-31", "2026-02-01", "2026-02-02"],
            expected: ["2026-01-31/2026-02-28", "2026-02-28/2026-03-31", "2026-03-31/2026-04-30"]),
        Case(
            rule: "after a gap a queue begins anew", product: "pass.1month", overlap: .extend,
            bought: ["2026-01-31", "2026-03-15"], expected: ["2026-01-31/2026-02-28", "2026-03-15/2026-04-15"]),
        Case(
            rule: "bought as the term ends is no overlap", product: "pass.1week", overlap: .refuse,
            bought: ["2026-01-01", "2026-01-08"], expected: ["2026-01-01/2026-01-08", "2026-01-08/2026-01-15"]),
        Case(
            rule: "refused while a term runs", product: "pass.1week", overlap: .refuse,
            bought: ["2026-01-01", "2026-01-07", "2026-01-08"],
            expected: ["2026-01-01/2026-01-08", "overlaps", "2026-01-08/2026-01-15"]),
        Case(
            rule: "a refunded term blocks no other", product: "pass.1week", overlap: .refuse,
            bought: ["2026-01-01 x 2026-01-05", "2026-01-03"], expected: ["revoked", "2026-01-03/2026-01-10"]),
        Case(
            rule: "terms behind a refunded one move up to the refund", product: "pass.1month", overlap: .extend,
            bought: ["2026-01-01 x 2026-01-20", "2026-01-10"], expected: ["revoked", "2026-01-20/2026-02-20"]),
        Case(
            rule: "a term refunded before it began takes no time", product: "pass.1month", overlap: .extend,
            bought: ["2026-01-31", "2026-02-01 x 2026-02-02", "2026-02-03"],
            expected: ["2026-01-31/2026-02-28", "revoked", "2026-02-28/2026-03-31"]),
        Case(
            rule: "bought while the one before was refunded, which was reversed: it follows", product: "pass.1month",
            overlap: .refuse, bought: ["2026-01-31 x 2026-02-03 o 2026-02-10", "2026-02-05"],
            expected: ["2026-01-31/2026-02-28", "2026-02-28/2026-03-31"]),
        Case(
            rule: "bought before that refund, or after its reversal, it overlaps", product: "pass.1month",
            overlap: .refuse, bought: ["2026-01-31 x 2026-02-03 o 2026-02-10", "2026-02-02", "2026-02-10"],
            expected: ["2026-01-31/2026-02-28", "overlaps", "overlaps"]),
        Case(
            rule: "several that were refunded one after the other follow each other", product: "pass.1month",
            overlap: .refuse,
            bought: ["2026-01-01 x 2026-01-05 o 2026-01-13", "2026-01-10 x 2026-01-11 o 2026-01-13", "2026-01-12"],
            expected: ["2026-01-01/2026-02-01", "2026-02-01/2026-03-01", "2026-03-01/2026-04-01"]),
        Case(
            rule: "what overlapped another one that ran still overlaps", product: "pass.1month", overlap: .refuse,
            bought: ["2026-01-01 x 2026-01-05 o 2026-01-20", "2026-01-10", "2026-01-12"],
            expected: ["2026-01-01/2026-02-01", "2026-02-01/2026-03-01", "overlaps"]),
        Case(
            rule: "an ID that says no term is refused by name", product: "pass.gold", overlap: .extend,
            bought: ["2026-01-01", "2026-01-02 x 2026-01-03"], expected: ["termUnknown", "revoked"]),
    ]

    @Test(arguments: cases)
    func `terms follow purchases and the seller's policy`(_ row: Case) throws {
        let purchases = try row.bought.enumerated().map { index, text in
            let days = text.split { " xo".contains($0) }.map(String.init)
            var purchase = VerifiedPurchase(
                productID: Product.ID(rawValue: row.product), transactionID: TransactionID(rawValue: Int64(index)),
                purchaseDate: try day(days[0]), cancellationDate: try days.dropFirst().first.map(day),
                type: .nonRenewing)
            if days.count > 2, let refunded = purchase.cancellationDate {
                purchase.reversedRefund = ReversedRefund(refundDate: refunded, reversalDate: try day(days[2]))
                purchase.cancellationDate = nil
            }
            return purchase
        }
        let policy = NonRenewingPolicy(overlap: row.overlap)
        // The order in which purchases come doesn't matter.
        for order in [purchases, purchases.reversed()] {
            let result = NonRenewingTerms(of: order, policy: policy)
            let rendered = purchases.map { purchase in
                if let term = result.terms.first(where: { $0.transactionID == purchase.transactionID }) {
                    return "\(term.start.rfc3339().prefix(10))/\(term.end.rfc3339().prefix(10))"
                }
                return result.refused.first { $0.transactionID == purchase.transactionID }?.code.rawValue ?? "lost"
            }
            #expect(rendered == row.expected)
            #expect(result.terms.count + result.refused.count == purchases.count)
        }
    }

    @Test func `configuring an unknown term grants it from the purchase date`() throws {
        let product = Product.ID(rawValue: "pass.gold")
        let purchase = VerifiedPurchase(
            productID: product, transactionID: TransactionID(rawValue: 1), purchaseDate: try day("2026-01-01"))
        let before = NonRenewingTerms(of: [purchase], policy: NonRenewingPolicy())
        #expect(before.terms.isEmpty)
        #expect(before.refused.first?.reason.contains("pass.gold") == true)
        let configured = NonRenewingPolicy(terms: TermRules(configured: [product: Period(3, .month)]))
        let after = NonRenewingTerms(of: [purchase], policy: configured)
        #expect(after.refused.isEmpty)
        #expect(
            after.terms == [
                NonRenewingTerm(
                    productID: product, transactionID: TransactionID(rawValue: 1), start: try day("2026-01-01"),
                    end: try day("2026-04-01"))
            ])
    }

    @Test func `terms of different products are independent`() throws {
        let bought = try day("2026-01-01")
        let purchases = ["a.1week", "b.1week"].enumerated().map { index, product in
            VerifiedPurchase(
                productID: Product.ID(rawValue: product), transactionID: TransactionID(rawValue: Int64(index)),
                purchaseDate: bought)
        }
        #expect(NonRenewingTerms(of: purchases, policy: NonRenewingPolicy()).terms.count == 2)
    }

    @Test func `purchases beyond the limit of queued terms are refused`() throws {
        let product = Product.ID(rawValue: "pass.9999years")
        let bought = try day("2026-01-01")
        let purchases = (0..<150).map { index in
            VerifiedPurchase(
                productID: product, transactionID: TransactionID(rawValue: index), purchaseDate: bought,
                quantity: 1_000_000)
        }
        let result = NonRenewingTerms(of: purchases, policy: NonRenewingPolicy(overlap: .extend))
        #expect(result.terms.count == 100)
        #expect(result.refused.count == 50)
    }
}
