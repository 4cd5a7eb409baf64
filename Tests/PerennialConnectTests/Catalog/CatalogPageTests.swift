@testable import AppStoreFormats
import Foundation
import Perennial
import PerennialConnect
import Testing

/// Checks docs/reference/catalog.md against the parser.
struct CatalogPageTests {
    private static func page() throws -> String {
        try String(contentsOf: CatalogFixture.repository.appending(path: "docs/reference/catalog.md"), encoding: .utf8)
    }

    @Test func `each catalog on the page imports without a warning`() throws {
        let blocks = try Self.page().matches(of: /```yaml\n(.*?)```/.dotMatchesNewlines()).map { String($0.1) }
        #expect(!blocks.isEmpty)
        for block in blocks {
            let catalog = try CatalogFixture.loaded(yaml: block)
            #expect(catalog.warnings.map(\.description) == [])
            #expect(Set(catalog.apps[0].products.map(\.type)) == Set(ProductType.allCases))
        }
    }

    private static let offerKinds: [CatalogFile.Offer.Kind] = [.introductory, .named, .code, .winBack]
    /// The keys of the schema by their heading on the page.
    static let sections: [(heading: String, keys: [[String]])] = [
        ("The app", [CatalogFile.App.keys, CatalogFile.keys, CatalogFile.Tax.keys]),
        (
            "Products",
            [
                CatalogFile.Product.keys, CatalogFile.Localization.keys, CatalogFile.ScheduledPrice.keys,
                CatalogFile.Availability.keys,
            ]
        ),
        ("Subscription groups", [CatalogFile.Group.keys, CatalogFile.GroupLocalization.keys]),
        ("Subscriptions", [CatalogFile.Subscription.keys]),
        (
            "Offers",
            offerKinds.map(\.keys) + [CatalogFile.WinBackEligibility.keys, CatalogFile.OfferAvailability.keys]
        ),
        ("One-time offers", [CatalogFile.OneTimeOffer.keys]),
        ("Terms of non-renewing subscriptions", [CatalogFile.NonRenewing.keys]),
        ("Contents", [CatalogFile.Content.keys]),
        ("Billing", [CatalogFile.Billing.keys, CatalogFile.Billing.Side.keys]),
        ("Notifications", [CatalogFile.Notifications.keys, CatalogFile.Notifications.Receiver.keys]),
    ]

    @Test(arguments: sections.map(\.heading))
    func `the page lists exactly the keys that are read`(heading: String) throws {
        let section = try #require(Self.sections.first { $0.heading == heading })
        let parts = try Self.page().split(separator: #/(?m)^##+\s/#)
        let text = try #require(parts.first { $0.hasPrefix("\(heading)\n") })
        let named = text.matches(of: #/(?m)^\| `(\w+)` \|/#).map { String($0.1) }
        #expect(Set(named) == Set(section.keys.joined()))
    }

    @Test func `every key that is read is in one of these lists`() throws {
        let folder = CatalogFixture.repository.appending(path: "Sources/AppStoreFormats/CatalogFile")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        let text = try names.map { try String(contentsOf: folder.appending(path: $0), encoding: .utf8) }.joined()
        #expect(text.matches(of: /known: \["/).isEmpty, "lists of keys have a name, which the page's test knows")
        let lists = text.matches(of: /static let keys = |var keys: \[String\]/).count
        #expect(lists == Self.sections.map(\.keys.count).reduce(0, +) - Self.offerKinds.count + 1)
    }

    @Test func `the page's examples of terms are parsed as documented`() throws {
        let rows = try Self.page().matches(of: #/(?m)^\| (?:an?|the same) [^|]+\| ([^|]+) \|/#).map { String($0.1) }
        let identifiers = rows.flatMap { $0.matches(of: /`([^`]+)`/).map { String($0.1) } }
        #expect(identifiers.count >= 9)
        for identifier in identifiers {
            #expect(TermRules().term(of: Product.ID(rawValue: identifier)) != nil, "\(identifier)")
        }
    }
}
