import OpenStoreKit
import Testing

struct NonRenewingTermsTests {
    @Test func `a term is configured for an identifier or a family of them, or read from the identifier`() {
        let terms = NonRenewingTerms(configured: ["pass.1week": "P10D", "*.gold": "P1Y", "silver": "a year"])
        #expect(terms.term(of: "pass.1week") == "P10D")
        #expect(terms.term(of: "pass.gold") == "P1Y")
        #expect(terms.term(of: "pass6months") == "P6M")
        #expect(terms.term(of: "silver") == nil)
    }

    @Test func `where the seller turned the rule off, only what is configured counts`() {
        let terms = NonRenewingTerms(configured: ["*.gold": "P1Y"], readsIdentifiers: false)
        #expect(terms.term(of: "pass.1week") == nil)
        #expect(terms.term(of: "pass.gold") == "P1Y")
    }
}
