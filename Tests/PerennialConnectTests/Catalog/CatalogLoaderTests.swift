import AppStoreFormats
import Foundation
import Perennial
import PerennialConnect
import Testing

struct CatalogLoaderTests {
    private static let shop = """
        {"products": [{"productID": "coins", "type": "Consumable", "displayPrice": "0.99", "referenceName": "Coins",
                       "localizations": [{"locale": "en_US", "displayName": "Coins", "description": "Old"}]}],
         "nonRenewingSubscriptions": [{"productID": "pass", "type": "NonRenewingSubscription", "displayPrice": "",
                       "referenceName": "Pass"}]}
        """

    @Test func `an incomplete product is reported with the line that cures it`() throws {
        let bare = try CatalogFixture.loaded(storekit: Self.shop)
        #expect(bare.warnings.map(\.code) == [.priceMissing, .nameMissing, .termUnknown])
        let term = try #require(bare.warnings.last)
        #expect(
            term.message == "the product ID pass doesn't say how long the subscription lasts: sold, but not granted")
        #expect(term.remedy == "nonRenewing: {terms: {pass: <TERM such as P1M>}}")
        #expect(bare.apps[0].products[1].isClearedForSale && !bare.apps[0].products[1].isPriced)
        #expect(bare.apps[0].products[1].localizations[0].displayName == "Pass")
        for warning in bare.warnings {
            let placeholder = /<[A-Z]+ such as ([^>]+)>/
            let line = try #require(warning.remedy)
            // A placeholder that wasn't filled in is refused.
            if line.contains(placeholder) {
                let pasted = CatalogFixture.error(storekit: Self.shop, yaml: "\(line)\n")
                #expect(pasted.contains("such as") && !pasted.hasPrefix("loaded"), "\(pasted)")
            }
            let remedy = line.replacing(placeholder) { $0.1 }
            let cured = try CatalogFixture.loaded(storekit: Self.shop, yaml: "bundleId: com.example.shop\n\(remedy)\n")
            let others = bare.warnings.map(\.code).filter { $0 != warning.code }
            #expect(cured.warnings.map(\.code) == others, "\(remedy)")
        }
    }

    @Test func `an app has a price of its own, by storefront`() throws {
        let free = try CatalogFixture.loaded(storekit: Self.shop, yaml: "bundleId: com.example.shop\n")
        #expect(free.apps[0].price == nil)
        #expect(free.apps[0].price(in: .usa) == .zero(.usd))
        let yaml = "bundleId: com.example.shop\nprice: 2.99\nprices: {DEU: 3.49}\n"
        let app = try #require(try CatalogFixture.loaded(storekit: Self.shop, yaml: yaml).apps.first)
        #expect(app.price(in: .usa)?.description == "USD 2.99")
        #expect(app.price(in: Storefront(rawValue: "DEU"))?.description == "EUR 3.49")
        #expect(app.price(in: Storefront(rawValue: "GBR"))?.description == "GBP 2.99")
        #expect(app.isPaid)
    }

    @Test func `a catalog has taxes, the Small Business Program and prices that change on a date`() throws {
        let yaml = """
            bundleId: com.example.shop
            smallBusiness: true
            taxes: {DEU: 700, USA: 825, CHE: {basisPoints: 810, included: false}}
            products:
              - id: coins
                schedule:
                  - {at: 2027-01-01, price: 1.99, preserved: true}
                  - {at: "2027-03-01T08:00:00Z", price: 2.49, storefront: DEU, consent: true}
            """
        let catalog = try CatalogFixture.loaded(storekit: Self.shop, yaml: yaml)
        let app = try #require(catalog.apps.first)
        let terms = try #require(catalog.saleTerms[app.bundleID])
        #expect(terms.rates(in: .usa).commissionBasisPoints == 1500)
        #expect(terms.tax(in: Storefront(rawValue: "DEU")) == SalesTax(basisPoints: 700))
        #expect(terms.tax(in: .usa) == SalesTax(basisPoints: 825, isIncluded: false))
        #expect(terms.tax(in: Storefront(rawValue: "CHE")) == SalesTax(basisPoints: 810, isIncluded: false))
        #expect(terms.tax(in: Storefront(rawValue: "FRA")) == SalesTax(basisPoints: 2000))
        let (first, second) = (
            try #require(Instant(rfc3339: "2027-01-01T00:00:00Z")),
            try #require(Instant(rfc3339: "2027-03-01T08:00:00Z"))
        )
        #expect(
            app.products[0].priceSchedule == [
                ScheduledPrice(at: first, Money(milliunits: 1990, .usd), preservesSubscribers: true),
                ScheduledPrice(
                    at: second, Money(milliunits: 2490, .eur), storefront: Storefront(rawValue: "DEU"),
                    needsConsent: true),
            ])
    }

    @Test(arguments: [
        "taxes: {XXX: 700}", "taxes: {DEU: 10001}", "taxes: {DEU: {included: true}}", "smallBusiness: yes please",
        "products: [{id: coins, schedule: [{at: soon, price: 1}]}]",
        "products: [{id: coins, schedule: [{at: 2027-01-01}]}]",
        "products: [{id: coins, schedule: [{at: 2027-01-01, price: 1, storefront: XXX}]}]",
    ])
    func `a malformed tax or schedule is refused with its line`(line: String) {
        let error = #expect(throws: CatalogError.self) {
            try CatalogFixture.loaded(storekit: Self.shop, yaml: "bundleId: com.example.shop\n\(line)\n")
        }
        #expect(error?.place.description.contains(":2:") == true, "\(line): \(error?.description ?? "")")
    }

    @Test func `a catalog is merged into the StoreKit file it names`() throws {
        let yaml = """
            bundleId: com.example.shop
            newsstand: true
            sharedSecret: 0123456789abcdef0123456789abcdef
            commissionBasisPoints: 1500
            nonRenewing: {overlap: extend, terms: {pass: P3M}}
            notifications: {sandbox: {url: "http://127.0.0.1:9000/hook"}}
            products:
              - id: coins
                clearedForSale: false
                prices: {DEU: 1.09, JPN: 160, GBR: 1.29 USD}
                localizations: {en_US: {name: Gold, description: New}, de: {name: Gold}}
                content: {id: chest, file: chest.bin}
              - {id: pass, price: 9.99, state: in-review, localizations: {en_US: {name: Pass}}}
              - {id: letter, type: free, localizations: {en_US: {name: Letter}}}
            contents:
              - {id: issue, file: a/issue.txt, published: 2026-02-01, subscriptions: [letter], requires: [chest]}
            """
        let catalog = try CatalogFixture.loaded(storekit: Self.shop, yaml: yaml)
        #expect(catalog.warnings.isEmpty)
        let app = try #require(catalog.apps.first)
        #expect(catalog.apps.count == 1)
        #expect(app.isNewsstand)
        #expect(app.nonRenewing.overlap == .extend)
        #expect(app.nonRenewing.terms.term(of: app.products[1].id) == Period(3, .month))
        #expect(
            app.products.map(\.line) == [
                "coins consumable USD 0.99 not sold 'en_US: Gold, de: Gold'",
                "pass nonRenewing USD 9.99 'en_US: Pass'",
                "letter free USD 0.00 'en_US: Letter'",
            ])
        #expect(app.products[0].prices.values.map(\.description).sorted() == ["EUR 1.09", "JPY 160", "USD 1.29"])
        #expect(app.products[1].state == .inReview)
        #expect(catalog.sharedSecrets == [app.bundleID: "0123456789abcdef0123456789abcdef"])
        #expect(catalog.notifications[app.bundleID]?.sandbox?.url == "http://127.0.0.1:9000/hook")
        #expect(catalog.notifications[app.bundleID]?.production == nil)
        #expect(catalog.saleTerms == [app.bundleID: SaleTerms(commissionBasisPoints: 1500)])
        let contents = try #require(catalog.contents[app.bundleID])
        #expect(contents.map(\.id.rawValue) == ["chest", "issue"])
        #expect(contents[0].unlockedBy.map(\.rawValue) == ["coins"])
        #expect(contents[1].filename == "issue.txt")
        #expect(contents[1].published == Instant(rfc3339: "2026-02-01T00:00:00Z"))
    }

    @Test func `terms apply to patterns, and terms in IDs can be off`() throws {
        let yaml = """
            nonRenewing:
              rule: off
              terms: {"*.gold": P1Y, com.e.other.*: P1M}
            products:
              - {id: com.e.pass.gold, type: non-renewing, price: 9, localizations: {en: {name: Gold}}}
              - {id: com.e.pass.1week, type: non-renewing, price: 1, localizations: {en: {name: Week}}}
            """
        let catalog = try CatalogFixture.loaded(yaml: yaml)
        #expect(catalog.warnings.map(\.code) == [.termUnknown, .termWithoutProduct])
        #expect(catalog.warnings[0].message.contains("com.e.pass.1week lasts, and product IDs don't count here"))
        #expect(catalog.warnings[1].message.contains("com.e.other.*"))
        let app = try #require(catalog.apps.first)
        #expect(app.products.map { app.nonRenewing.terms.term(of: $0.id) } == [.year, nil])
        let stars = CatalogFixture.error(yaml: "nonRenewing: {terms: {a.*.*: P1M}}")
        #expect(stars == "catalog.yaml:1:23: expected a product ID, or one with a single * for any text, found 'a.*.*'")
    }

    @Test func `a catalog without a StoreKit file is complete`() throws {
        let yaml = """
            apps:
              - bundleId: com.example.one
                defaultStorefront: DEU
                products:
                  - id: monthly
                    type: auto-renewable
                    price: 4.99
                    localizations: {de: {name: Monatlich}}
                    subscription: {group: main, period: P1M, introductoryOffer: {paymentMode: freeTrial, period: P1W}}
              - bundleId: com.example.two
            """
        let catalog = try CatalogFixture.loaded(yaml: yaml)
        #expect(catalog.apps.map(\.bundleID.rawValue) == ["com.example.one", "com.example.two"])
        #expect(
            catalog.apps[0].products.map(\.line) == [
                """
                monthly autoRenewable EUR 4.99 'de: Monatlich'
                    group main level 1 every P1M
                    introductory freeTrial 1 x P1W at EUR 0.00
                """
            ])
        #expect(catalog.apps[0].defaultLocale == "de_DE")
        #expect(catalog.warnings.isEmpty)
    }

    @Test(arguments: [
        (nil, nil, "com.example.shop"),
        ("com.other.app", nil, "com.other.app"),
        (nil, "bundleId: com.mine.app", "com.mine.app"),
        ("com.other.app", "bundleId: com.mine.app", "com.mine.app"),
        ("com.other.app", "name: App", "com.other.app"),
    ])
    func `the bundle ID comes from the catalog, the option or the file's name`(
        option: String?, yaml: String?, expected: String
    ) throws {
        let catalog = try CatalogFixture.loaded(storekit: Self.shop, yaml: yaml, bundleID: option)
        #expect(catalog.apps.map(\.bundleID.rawValue) == [expected])
    }

    @Test(arguments: [
        ("My Shop (new).storekit", "com.example.My-Shop--new"), ("ünï.storekit", "com.example.n"),
        ("-.storekit", "com.example.app"), ("a.b.storekit", "com.example.a.b"),
    ])
    func `any file name makes a valid bundle ID`(name: String, expected: String) throws {
        try CatalogFixture.withFiles([name: Self.shop]) { folder in
            let catalog = try CatalogLoader.load(storekit: ["\(folder)/\(name)"], catalog: [])
            #expect(catalog.apps[0].bundleID.rawValue == expected)
        }
    }

    @Test func `a StoreKit file that a catalog names is read once`() throws {
        let files = ["shop.storekit": Self.shop, "a.yaml": "bundleId: a\nstorekit: shop.storekit\n"]
        try CatalogFixture.withFiles(files) { folder in
            let catalog = try CatalogLoader.load(storekit: ["\(folder)/./shop.storekit"], catalog: ["\(folder)/a.yaml"])
            #expect(catalog.apps.map(\.bundleID.rawValue) == ["a"])
            #expect(catalog.apps[0].products.count == 2)
        }
    }

    struct Refusal: Sendable, CustomTestStringConvertible {
        var storekit: String?
        var yaml: String?
        var bundleID: String?
        let error: String

        var testDescription: String { error }
    }

    @Test(arguments: [
        Refusal(
            storekit: "{\"products\": [{}]}",
            error: "shop.storekit: products[0]: expected the key productID, found none"),
        Refusal(storekit: "{\n\"a\": }", error: "shop.storekit:2:6: expected a value, found '}'"),
        Refusal(
            yaml: "name: A\nproduct: []",
            error: "catalog.yaml:2:1: expected 'products', found the unknown key 'product'"),
        Refusal(
            yaml: "name: A\nstorekit: none.storekit",
            error: "catalog.yaml:2:11: storekit: none.storekit: expected a file, found none"),
        Refusal(
            yaml: "products:\n- id: a",
            error: "catalog.yaml:2:3: a is in no .storekit file of this app: expected the key type, found none"),
        Refusal(
            storekit: shop, yaml: "products:\n- {id: coins, type: free}",
            error: "catalog.yaml:2:3: coins is free here and consumable in the .storekit file"),
        Refusal(
            yaml: "products:\n- {id: a, type: free}",
            error: "catalog.yaml:2:3: a: free subscriptions are sold in Newsstand apps only, and this app is none"),
        Refusal(
            yaml: "products:\n- {id: a, type: auto-renewable, price: 1}",
            error: "catalog.yaml:2:3: a: an auto-renewable subscription needs group and period"),
        Refusal(
            yaml: "products:\n- {id: a, type: auto-renewable, subscription: {level: 1}}",
            error: "catalog.yaml:2:47: the subscription a needs the keys group and period"),
        Refusal(
            yaml: "products:\n- {id: a, type: consumable, price: 1}\ncontents:\n- {id: c, file: ../c, products: [a]}",
            error: "catalog.yaml:4:3: content c: the file must be a relative path inside the content folder, not '../c'"
        ),
        Refusal(
            yaml: "contents:\n- {id: c, file: c, products: [b]}",
            error: "catalog.yaml:2:3: content c: b is no product of this app"),
        Refusal(yaml: "contents:\n- {id: c, file: c}", error: "catalog.yaml:2:3: content c: no product unlocks it"),
        Refusal(
            yaml: "products:\n- {id: a, type: consumable, price: 1}\ncontents:\n- {id: c, file: c, subscriptions: [a]}",
            error: "catalog.yaml:4:3: content c: a has no paid period that could include it: it is no subscription"),
        Refusal(
            yaml: "apps:\n- bundleId: a\n- bundleId: a",
            error: "catalog.yaml:3:3: the app a is also in catalog.yaml; "),
        Refusal(
            yaml: "apps:\n- name: a\n- name: b", bundleID: "com.x",
            error: "--app com.x: expected one app whose files say no bundle ID, found 2"),
        Refusal(
            storekit: shop, bundleID: "com x",
            error: "--app com x: expected a bundle ID such as com.example.magazine"),
    ])
    func `an error has file and place`(refusal: Refusal) {
        let error = CatalogFixture.error(storekit: refusal.storekit, yaml: refusal.yaml, bundleID: refusal.bundleID)
        #expect(error.hasPrefix(refusal.error), "found: \(error)")
    }

    @Test func `no files give an empty catalog`() throws {
        #expect(try CatalogLoader.load(storekit: [], catalog: []).apps.isEmpty)
    }
}
