import Perennial
import Testing

/// The form of addresses for server notifications.
struct NotificationTermsTests {
    @Test(arguments: [
        ("https://example.com/notifications", true), ("HTTP://localhost:8080", true), ("http://a", true),
        ("http://", false), ("ftp://example.com", false), ("example.com", false), ("", false),
        ("https://example.com/a b", false), ("https://exämple.com", false), ("https://example.com/\n", false),
    ])
    func `an address is an http or https URL in ASCII without spaces`(text: String, isURL: Bool) {
        #expect(NotificationTerms.isURL(text) == isURL)
    }

    @Test(arguments: [(2048, true), (2049, false)])
    func `an address has at most 2048 bytes`(length: Int, isURL: Bool) {
        let scheme = "https://"
        let text = scheme + String(repeating: "a", count: length - scheme.utf8.count)
        #expect(NotificationTerms.isURL(text) == isURL)
    }
}
