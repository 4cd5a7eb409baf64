import AppStoreFormats
import Foundation
import TestRandomness
import Testing

struct CatalogFileTests {
    static let full = """
        bundleId: com.example.magazine
        appleId: 1600000009
        name: Magazine
        version: 1.10
        newsstand: true
        defaultStorefront: DEU
        defaultLocale: de-DE
        sharedSecret: 0123456789ABCDEF0123456789abcdef
        storekit: Magazine.storekit
        commissionBasisPoints: 1500
        taxBasisPoints: 1900
        nonRenewing: {overlap: extend, terms: {pass: P3M}}
        notifications:
          production: {url: "https://example.com/hook", version: 1, retries: none, timeoutMilliseconds: 2500}
          sandbox: {url: "HTTP://127.0.0.1:9000"}
        products:
          - id: coins
            appleId: 1600000010
            type: consumable
            referenceName: Coins
            state: in-review
            clearedForSale: false
            familyShareable: true
            price: 0.10
            currency: USD
            prices: {USA: 0.99, DEU: 1.09 EUR, JPN: 160}
            localizations:
              en_US: {name: Coins, description: A handful}
              de: {name: Münzen}
            codeOffers:
              - {id: gift, referenceName: A gift, price: 0, prices: {DEU: 0.49}, eligibility: [nonSpender, churnedSpender]}
            content: {id: chest, file: chest.bin, version: 2.0, filename: Chest.bin}
          - id: monthly
            type: auto-renewable
            price: 4.99 USD
            subscription:
              group: main
              level: 2
              period: P1M
              introductoryOffer: {paymentMode: freeTrial, period: P1W}
              promotionalOffers:
                - {id: half, paymentMode: payAsYouGo, period: P1M, periods: 3, price: 2.49, prices: {DEU: 2.99}}
              codeOffers:
                - {id: SPRING, paymentMode: payUpFront, period: P6M, price: 10, eligibility: [new, expired], stackable: true}
              winBackOffers:
                - {id: return, paymentMode: freeTrial, period: P1M, eligible: {monthsPaid: 3, monthsSinceEndAtMost: 12}}
        contents:
          - id: issue-1
            file: issues/1.txt
            published: 2026-01-01
            products: [coins]
            subscriptions: monthly
            requires: [chest]
        """

    @Test func `every key is read`() throws {
        let app = try #require(try CatalogFile(parsing: Self.full.utf8).apps.first)
        #expect(app.bundleID == "com.example.magazine")
        #expect(app.appleID == 1_600_000_009)
        #expect(app.version == "1.10", "a version is text, not a number")
        #expect(app.isNewsstand == true)
        #expect(app.defaultStorefront == "DEU")
        #expect(app.defaultLocale == "de_DE")
        #expect(app.sharedSecret?.value == "0123456789abcdef0123456789abcdef")
        #expect(app.storeKitFile == "Magazine.storekit")
        #expect(app.commissionBasisPoints == 1500)
        let production = try #require(app.notifications?.production)
        #expect((production.url, production.version) == ("https://example.com/hook", 1))
        #expect((production.retries, production.timeoutMilliseconds) == ("none", 2500))
        let sandbox = try #require(app.notifications?.sandbox)
        #expect((sandbox.url, sandbox.version) == ("HTTP://127.0.0.1:9000", nil))
        #expect((sandbox.retries, sandbox.timeoutMilliseconds) == (nil, nil))
        #expect(app.taxBasisPoints == 1900)
        #expect(app.nonRenewing == .init(overlap: "extend", terms: ["pass": "P3M"]))
        let coins = app.products[0]
        #expect(coins.price == .init(amount: "0.10", currency: "USD"))
        #expect(coins.prices["DEU"] == .init(amount: "1.09", currency: "EUR"))
        #expect(coins.localizations?.map(\.name) == ["Coins", "Münzen"])
        #expect(coins.isClearedForSale == false)
        #expect(coins.state == "in-review")
        #expect(coins.contents.map(\.products) == [["coins"]])
        #expect(coins.position.description == "17:5")
        let gift = try #require(coins.codeOffers?.first)
        #expect((gift.id, gift.referenceName, gift.price) == ("gift", "A gift", .init(amount: "0")))
        #expect(gift.prices["DEU"] == .init(amount: "0.49"))
        #expect(gift.eligibility == ["nonSpender", "churnedSpender"])
        #expect(app.products[1].codeOffers == nil)
        let subscription = try #require(app.products[1].subscription)
        #expect(subscription.level == 2)
        #expect(subscription.introductoryOffer?.paymentMode == "freeTrial")
        #expect(subscription.promotionalOffers?.first?.periodCount == 3)
        #expect(subscription.codeOffers?.first?.eligibility == ["new", "expired"])
        #expect(subscription.winBackOffers?.first?.eligible?.paid == 3)
        #expect(subscription.winBackOffers?.first?.eligible?.sinceEnd == nil)
        #expect(subscription.winBackOffers?.first?.eligible?.sinceEndAtMost == 12)
        #expect(app.contents[0].published == "2026-01-01T00:00:00Z")
        #expect(app.contents[0].subscriptions == ["monthly"])
    }

    @Test func `a file may describe several apps`() throws {
        let file = try CatalogFile(parsing: "apps:\n  - bundleId: a\n  - bundleId: b\n    name: B".utf8)
        #expect(file.apps.map(\.bundleID) == ["a", "b"])
        #expect(file.apps[1].position.line == 3)
    }

    @Test(arguments: [
        ("", "expected a catalog, found an empty file"),
        (
            "products: [",
            "line 2, column 1: expected YAML, found an error of syntax: did not find expected node content"
        ),
        ("name: \"a", "line 1, column 9: expected YAML, found an error of syntax: found unexpected end of stream"),
        ("name: a\n\tversion: 1", "line 2, column 1: expected YAML, found an error of syntax: "),
        ("just text", "line 1, column 1: expected keys with values, found 'just text'"),
        ("name: \"a\\0b\"", "line 1, column 7: expected a text without NUL, found one with it"),
        ("name: a\nbundelId: x", "line 2, column 1: expected 'bundleId', found the unknown key 'bundelId'"),
        ("newstand: true", "line 1, column 1: expected 'newsstand', found the unknown key 'newstand'"),
        ("bundleId: a b", "line 1, column 11: expected a bundle ID such as com.example.magazine, found 'a b'"),
        ("newsstand: yes", "line 1, column 12: expected true or false, found 'yes'"),
        ("name: a\nname: b", "line 1, column 1: expected each key once, found 'name' again"),
        (
            "defaultStorefront: XYZ",
            "line 1, column 20: expected a storefront of the App Store such as USA or DEU, found 'XYZ'"
        ),
        ("sharedSecret: hunter2", "line 1, column 15: expected 32 hexadecimal digits, found other text"),
        (
            "notifications:\n  sandbox:\n    url: example.com/hook",
            "line 3, column 10: expected as url a URL that begins with http:// or https:// and has at most 2048 bytes, "
                + "found 'example.com/hook'"
        ),
        ("notifications: {production: {url: 'https://'}}", "line 1, column 35: expected as url a URL that begins"),
        ("notifications: {production: {url: 'http://a b'}}", "line 1, column 35: expected as url a URL that begins"),
        ("notifications: {production: {version: 2}}", "line 1, column 29: expected the key url, found none"),
        ("notifications: {production: {url: 'http://a', version: 3}}", "line 1, column 56: expected 1, 2, found '3'"),
        (
            "notifications: {sandbox: {url: 'http://a', retries: often}}",
            "line 1, column 53: expected app-store, full, none, found 'often'"
        ),
        (
            "notifications: {sandbox: {url: 'http://a', timeoutMilliseconds: 0}}",
            "line 1, column 65: expected a whole number from 1 to 300000, found '0'"
        ),
        (
            "notifications: {url: 'http://a'}",
            "line 1, column 17: expected one of production, sandbox, found the unknown key 'url'"
        ),
        ("notifications: http://a", "line 1, column 16: expected keys with values, found 'http://a'"),
        ("nonRenewing: {overlap: ignore}", "line 1, column 24: expected refuse, extend, found 'ignore'"),
        (
            "nonRenewing:\n  terms:\n    pass: 3 months",
            "line 3, column 11: expected a period such as P1W, P3M or P1Y, found '3 months'"
        ),
        ("products:\n- type: consumable", "line 2, column 3: expected the key id, found none"),
        ("products:\n- id: .a", "line 2, column 7: expected a product ID: letters, digits"),
        (
            "products:\n- id: a\n- id: b\n- id: a",
            "line 4, column 3: expected each product ID once, found 'a', which is also in line 2"
        ),
        (
            "products:\n- {id: a, type: gift}",
            "line 2, column 17: expected consumable, non-consumable, auto-renewable, free, non-renewing, found 'gift'"
        ),
        (
            "products:\n- {id: a, price: 1.2345}",
            "line 2, column 18: expected an amount such as 4.99 or 4.99 EUR, found '1.2345'"
        ),
        (
            "products:\n- {id: a, price: -1}",
            "line 2, column 18: expected an amount such as 4.99 or 4.99 EUR, found '-1'"
        ),
        ("products:\n- {id: a, currency: EUR}", "line 2, column 21: expected a price beside the currency, found none"),
        (
            "products:\n- {id: a, prices: {Germany: 1}}",
            "line 2, column 20: expected a storefront of the App Store such as USA or DEU, found 'Germany'"
        ),
        (
            "products:\n- {id: a, subscription: {level: 0}}",
            "line 2, column 33: expected a whole number from 1 to 1000, found '0'"
        ),
        (
            "products:\n- {id: a, subscription: {introductoryOffer: {paymentMode: payUpFront, period: P1M}}}",
            "line 2, column 45: expected a price, or paymentMode: freeTrial, found none"
        ),
        (
            "products:\n- {id: a, localizations: {en: Coins}}",
            "line 2, column 31: expected keys with values, found 'Coins'"
        ),
        (
            "contents:\n- {id: a, file: b, published: yesterday}",
            "line 2, column 31: expected a date such as 2026-01-31, or an RFC 3339 time, found 'yesterday'"
        ),
        ("? [a, b]\n: c", "line 1, column 1: expected keys that are words, found another"),
    ])
    func `an error says line, column and what was expected`(yaml: String, message: String) {
        let found = Self.message(of: yaml)
        #expect(found.hasPrefix(message), "found: \(found)")
    }

    @Test func `a wrong secret is not shown, and a right one is not printed`() throws {
        let error = try #require(throws: CatalogFileError.self) {
            try CatalogFile(parsing: "sharedSecret: [hunter2-hunter2]".utf8)
        }
        #expect(!"\(error)".contains("hunter2"))
        var dumped = ""
        dump(try CatalogFile(parsing: Self.full.utf8), to: &dumped)
        #expect(dumped.contains("Magazine"))
        #expect(!dumped.lowercased().contains("0123456789abcdef"))
    }

    /// Made in the test: an argument is printed, and one of them has 64 MiB.
    enum Filling: CaseIterable {
        case aliases, brackets, dashes, length, nesting

        var yaml: String {
            switch self {
            case .aliases:
                "a: &a [x, x, x, x, x, x, x, x, x]\n"
                    + zip("bcdefgh", "abcdefg")
                    .map { "\($0): &\($0) [*\($1), *\($1), *\($1), *\($1), *\($1), *\($1)]\n" }.joined()
            case .brackets: String(repeating: "[", count: 5_000)
            case .dashes: String(repeating: "- ", count: 900) + "a"
            case .length: "name: " + String(repeating: "a", count: CatalogFile.maximumByteCount)
            case .nesting: "products: " + String(repeating: "[", count: 100) + String(repeating: "]", count: 100)
            }
        }
    }

    @Test(arguments: Filling.allCases)
    func `what would fill the memory is refused`(filling: Filling) {
        #expect(throws: CatalogFileError.self) { try CatalogFile(parsing: filling.yaml.utf8) }
    }

    @Test func `a few aliases are welcome`() throws {
        let yaml = """
            products:
              - {id: a, prices: &prices {USA: 1, DEU: 2}}
              - {id: b, prices: *prices}
            """
        #expect(try CatalogFile(parsing: yaml.utf8).apps[0].products[1].prices["DEU"]?.amount == "2")
    }

    /// Five hundred mutations of one seed; two thousand of two where there is time: `make test-long`.
    private static let isLong = ProcessInfo.processInfo.environment["PERENNIAL_LONG"] != nil
    private static let seeds: [UInt64] = isLong ? [1, 2] : [1]

    @Test(arguments: seeds)
    func `no mutation of a catalog crashes the reader`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let original = Array(Self.full.utf8)
        let syntax = [
            "{", "}", "[", "]", "\"", ",", ": ", "- ", "*a", "&a ", "!!binary ", "|\n", "? ", "\t", "---\n", "%YAML",
        ]
        var readable = 0
        for _ in 0..<(Self.isLong ? 2_000 : 500) {
            if (try? CatalogFile(parsing: random.mutated(original, syntax: syntax))) != nil { readable += 1 }
        }
        #expect(readable > 2)
    }

    private static func message(of yaml: String) -> String {
        do {
            return "read as \(try CatalogFile(parsing: yaml.utf8))"
        } catch {
            return "\(error)"
        }
    }
}
