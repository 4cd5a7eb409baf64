import AppStoreFormats
import Foundation
import Perennial
import PerennialConnect
import Testing

struct ExampleTests {
    private static func catalog() throws -> Catalog {
        try CatalogLoader.load(storekit: [], catalog: [CatalogFixture.example.appending(path: "catalog.yaml").path])
    }

    @Test func `the example loads without a warning`() throws {
        let catalog = try Self.catalog()
        #expect(catalog.warnings.map(\.description) == [])
        let app = try #require(catalog.apps.first)
        #expect(app.bundleID.rawValue == "com.example.photomag")
        #expect(Set(app.products.map(\.type)) == Set(ProductType.allCases))
        #expect(
            app.products.filter { !$0.isClearedForSale }.map(\.id.rawValue) == ["com.example.photomag.filter.amber"])
        #expect(app.products.allSatisfy { $0.id.rawValue.hasPrefix("com.example.photomag.") })
        for product in app.products {
            #expect(product.localizations.map(\.locale) == ["en_US", "de", "ja"], "\(product.id)")
            guard product.isClearedForSale, product.type != .free else { continue }
            #expect(product.prices.keys.map(\.rawValue).sorted() == ["DEU", "JPN", "USA"], "\(product.id)")
        }
    }

    @Test func `the example's terms are in its product IDs`() throws {
        let app = try #require(try Self.catalog().apps.first)
        let terms = app.products.filter { $0.type == .nonRenewing }.map { app.nonRenewing.terms.term(of: $0.id) }
        #expect(terms == [.week, Period(6, .month)])
    }

    @Test func `the example's content files exist except the demo's own`() throws {
        let contents = try #require(try Self.catalog().contents.values.first)
        #expect(contents.filter { $0.id.rawValue.hasPrefix("issue-2026-") }.count == 12)
        let missing = contents.filter { content in
            let file = CatalogFixture.example.appending(path: "content").appending(path: content.file)
            return !FileManager.default.fileExists(atPath: file.path)
        }
        #expect(missing.allSatisfy { $0.id.rawValue == "special-portraits" })
    }

    @Test func `the example's StoreKit file has Xcode's layout`() throws {
        let text = try String(contentsOf: CatalogFixture.example.appending(path: "Magazine.storekit"), encoding: .utf8)
        let file = try StoreKitFile(parsing: text.utf8)
        #expect(file.text == text)
        #expect(file.warnings.isEmpty)
    }
}
