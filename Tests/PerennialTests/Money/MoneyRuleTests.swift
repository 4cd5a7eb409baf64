import Foundation
import Testing

@testable import Perennial

/// The rules that `explain` names.
struct MoneyRuleTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
    private static let app = App(
        bundleID: App.BundleID(rawValue: "com.example.app"), appleID: 1, name: "App", products: [])

    @Test(arguments: MoneyRule.allCases)
    func `every rule has a heading in the documentation`(rule: MoneyRule) throws {
        let parts = rule.page.split(separator: "#")
        let page = try String(contentsOf: Self.root.appending(path: String(parts[0])), encoding: .utf8)
        let headings = page.split(separator: "\n").filter { $0.hasPrefix("#") }.map { heading in
            heading.drop { $0 == "#" || $0 == " " }.lowercased().replacing(" ", with: "-")
        }
        #expect(headings.contains(String(parts[1])), "\(rule.page)")
    }

    @Test func `the rules of an entry follow from its kind, postings and facts`() {
        let money = Money(milliunits: 990, .usd)
        func rules(
            _ kind: JournalEntry.Kind, _ postings: [Posting] = SaleTerms.standard.postings(forSaleAt: money),
            _ facts: SaleFacts? = nil, in app: App = Self.app
        ) -> [MoneyRule] {
            let entry = JournalEntry(
                kind, at: Instant(seconds: 0), accountID: Account.ID(rawValue: 1), postings: postings, facts: facts)
            return MoneyRule.rules(of: entry, nil, sale: nil, in: app)
        }
        #expect(rules(.purchased) == [.price, .commission, .rounding])
        #expect(rules(.purchased, []) == [.price])
        #expect(rules(.refunded) == [.refund, .commission, .rounding])
        #expect(rules(.subscription(.upgradeRefunded)).first == .proratedRefund)
        #expect(rules(.purchaseRefundReversed).first == .refundReversal)
        #expect(rules(.finished).isEmpty)
        #expect(rules(.appUpdated, []) == [.appDownload])
        let longTime = SaleFacts(proceedsReason: .rateAfterOneYear, isPricePreserved: true)
        #expect(
            rules(.subscription(.renewed), SaleTerms.standard.postings(forSaleAt: money), longTime)
                == [.price, .preservedPrice, .rateAfterOneYear, .rounding])
        var small = Self.app
        small.saleTerms.isSmallBusiness = true
        small.saleTerms.taxBasisPoints = 2000
        #expect(
            rules(.purchased, small.saleTerms.postings(forSaleAt: money), in: small)
                == [.price, .tax, .smallBusiness, .rounding])
    }

    @Test(arguments: [
        (21_262, "USD", 21_260), (21_265, "USD", 21_270), (-21_265, "USD", -21_270), (-4, "USD", 0),
        (499, "JPY", 0), (500, "JPY", 1000), (21_262, "KWD", 21_262), (0, "EUR", 0),
    ])
    func `an average is shown in whole coins`(milliunits: Int64, currency: String, whole: Int64) {
        let money = Money(milliunits: milliunits, Currency(rawValue: currency)).inWholeCoins
        #expect(money.milliunits == whole)
        #expect(Money(milliunits: .max, .usd).inWholeCoins.milliunits > 0)
        #expect(Money(milliunits: .min, .usd).inWholeCoins.milliunits < 0)
    }
}
