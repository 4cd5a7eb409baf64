import Foundation
import Testing

@testable import Perennial

struct TermRulesTests {
    private static func term(_ id: String, _ rules: TermRules = TermRules()) -> String? {
        rules.term(of: Product.ID(rawValue: id))?.iso8601
    }

    private static func pattern(_ text: String) throws -> TermRules.Pattern {
        try #require(TermRules.Pattern(rawValue: text))
    }

    @Test(arguments: [
        ("com.example.archive.1week", "P1W"), ("com.example.archive_30days", "P30D"),
        ("com.example.archive.P3M", "P3M"),
        ("archive.6months", "P6M"), ("archive-1yr", "P1Y"), ("pass.6.months", "P6M"), ("pass.weekly", "P1W"),
        ("pass.monthly.premium", "P1M"), ("pass.quarterly", "P3M"), ("pass.annual", "P1Y"), ("x.2quarters", "P6M"),
        ("com.example.1year.then.2weeks", "P2W"), ("PASS.3MONTHS", "P3M"), ("pass.7d", "P7D"), ("pass_6m", "P6M"),
    ])
    func `a term in a product ID is parsed`(id: String, term: String) {
        #expect(Self.term(id) == term)
    }

    @Test(arguments: [
        ("com.e.pass6months", "P6M"), ("com.e.Pass30Days", "P30D"), ("pass1week", "P1W"),
        ("all.access12months", "P12M"),
        ("vip2quarters", "P6M"), ("v2pass1year", "P1Y"),
    ])
    func `a number with its unit may end a longer word`(id: String, term: String) {
        #expect(Self.term(id) == term)
    }

    @Test(arguments: [
        "com.example.archive", "season.2026", "pass.0days", "pass.99999days", "monthlymagazine", "v1.pass",
        "pass.weeks",
        // A number and a unit that don't form a term: they don't agree, aren't at the end, or the unit is a letter.
        "com.e.fun365", "covid19day", "apollo11day", "friends1weeks", "pass6months.gold", "my6monthsstory",
        "iphone5w", "top10m", "area51d", "summer2026days", "6months1",
        // Pictures, years and versions.
        "com.e.3d.filters", "com.e.filters.3d", "issues.2026.months", "pass.1999weeks", "v2.m", "archive.5w.gold",
    ])
    func `other product IDs have no term`(id: String) {
        #expect(Self.term(id) == nil)
    }

    @Test func `the seller's configuration precedes the term in the ID`() {
        let id = Product.ID(rawValue: "archive.1week")
        #expect(TermRules(configured: [id: Period(10, .day)]).term(of: id)?.iso8601 == "P10D")
    }

    @Test func `the ID comes first, then the longest pattern, then the term in the ID`() throws {
        var rules = TermRules(
            configured: [Product.ID(rawValue: "pass.gold.own"): Period(10, .day)],
            patterns: [
                try Self.pattern("pass.*"): .month, try Self.pattern("pass.gold.*"): .year,
                try Self.pattern("*_w"): .week,
            ])
        #expect(Self.term("pass.1week", rules) == "P1M")
        #expect(Self.term("pass.gold.own", rules) == "P10D")
        #expect(Self.term("pass.gold.more", rules) == "P1Y")
        #expect(Self.term("pass", rules) == nil)
        #expect(Self.term("any_w", rules) == "P1W")
        // The letters before the star and those behind it must not overlap.
        rules.patterns = [try Self.pattern("ab*bc"): .month]
        #expect(Self.term("abc", rules) == nil)
        #expect(Self.term("abbc", rules) == "P1M")
    }

    @Test(arguments: ["*", "pass", "a*b*", ""])
    func `a text without exactly one star is not a pattern`(text: String) {
        #expect(TermRules.Pattern(rawValue: text) == nil)
    }

    @Test func `a seller can turn off terms in product IDs`() throws {
        let id = Product.ID(rawValue: "archive.1week")
        #expect(TermRules(readsProductIDs: false).term(of: id) == nil)
        #expect(TermRules(configured: [id: .month], readsProductIDs: false).term(of: id) == .month)
    }

    @Test func `stored rules are decoded, also those without patterns`() throws {
        let rules = TermRules(
            configured: [Product.ID(rawValue: "a"): .week], patterns: [try Self.pattern("b.*"): .year],
            readsProductIDs: false)
        #expect(try JSONDecoder().decode(TermRules.self, from: JSONEncoder().encode(rules)) == rules)
        let old = Data(#"{"configured": ["a", {"count": 1, "unit": "W"}]}"#.utf8)
        let known = try JSONDecoder().decode(TermRules.self, from: old)
        #expect(known == TermRules(configured: [Product.ID(rawValue: "a"): .week]))
    }
}
