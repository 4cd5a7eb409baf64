import Testing

@testable import Perennial

struct ShortCodeTests {
    @Test(arguments: ["", "USD", "EURO", "12345678", "Ü"])
    func `a code reads as it was written`(code: String) {
        #expect(Currency(rawValue: code).rawValue == code)
        #expect(Storefront(rawValue: code).rawValue == code)
    }

    @Test(arguments: ["USD\0", "\0USD", "USDUSDUSD", "USA\0", "usd"])
    func `a text that only begins like a code is none`(text: String) {
        #expect(Currency(rawValue: text) != .usd)
        #expect(Storefront(rawValue: text) != .usa)
    }
}
