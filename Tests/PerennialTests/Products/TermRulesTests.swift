import Testing

@testable import Perennial

struct TermRulesTests {
    @Test(arguments: [
        ("com.example.archive.1week", "P1W"), ("com.example.archive_30days", "P30D"),
        ("com.example.archive.P3M", "P3M"),
        ("archive.6months", "P6M"), ("archive-1yr", "P1Y"), ("pass.6.months", "P6M"), ("pass.weekly", "P1W"),
        ("pass.monthly.premium", "P1M"), ("pass.quarterly", "P3M"), ("pass.annual", "P1Y"), ("x.2quarters", "P6M"),
        ("com.example.1year.then.2weeks", "P2W"), ("PASS.3MONTHS", "P3M"),
    ])
    func `a product ID says its term`(id: String, term: String) {
        #expect(TermRules().term(of: Product.ID(rawValue: id))?.iso8601 == term)
    }

    @Test(arguments: [
        "com.example.archive", "season.2026", "pass.0days", "pass.99999days", "monthlymagazine", "v1.pass",
        "pass.weeks",
    ])
    func `most IDs say nothing`(id: String) {
        #expect(TermRules().term(of: Product.ID(rawValue: id)) == nil)
    }

    @Test func `the seller's configuration comes first`() {
        let id = Product.ID(rawValue: "archive.1week")
        #expect(TermRules(configured: [id: Period(10, .day)]).term(of: id)?.iso8601 == "P10D")
    }
}
