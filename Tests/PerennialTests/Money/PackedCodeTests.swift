import Testing

@testable import Perennial

struct PackedCodeTests {
    @Test(arguments: ["", "USD", "EURO", "12345678", "Ü"])
    func `a packed code returns its text`(code: String) {
        #expect(Currency(rawValue: code).rawValue == code)
        #expect(Storefront(rawValue: code).rawValue == code)
    }

    @Test(arguments: ["USD\0", "\0USD", "USDUSDUSD", "USA\0", "usd"])
    func `a longer text with the same beginning is another code`(text: String) {
        #expect(Currency(rawValue: text) != .usd)
        #expect(Storefront(rawValue: text) != .usa)
    }
}
