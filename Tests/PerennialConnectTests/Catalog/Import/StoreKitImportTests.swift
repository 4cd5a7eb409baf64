import AppStoreFormats
import Foundation
import Perennial
import PerennialStorage
import TestSupport
import Testing

@testable import PerennialConnect

/// `.storekit` files imported into an app that the store has: they say less than the store, and that stays.
struct StoreKitImportTests {
    private static let bundleID = App.BundleID(rawValue: "com.example.a")

    /// Most of it is what a `.storekit` file can't say.
    private static let catalog = """
        bundleId: com.example.a
        name: Shop
        newsstand: true
        smallBusiness: true
        groups:
          - {id: g, referenceName: Club, localizations: {en_US: {name: Club, customAppName: Shop}}}
        products:
          - id: coins
            type: consumable
            referenceName: Some coins
            price: 0.99
            prices: {DEU: 1.09}
            state: rejected
            rejectionReason: Too dark
            reviewNote: Use the code 123
            taxCategory: C003
            availability: {storefronts: [USA, DEU]}
            schedule: [{at: 2027-01-01T08:00:00Z, price: 1.99, storefront: USA}]
            codeOffers: [{id: gift, price: 0.00, eligibility: [nonSpender]}]
            localizations: {en_US: {name: Coins}}
            listing: {content: {versions: [{version: "1.0", fileName: pack.zip, size: 12, sha256: 00ff}]}}
          - id: monthly
            type: auto-renewable
            price: 4.99
            prices: {DEU: 5.49}
            localizations: {en_US: {name: Monthly}}
            subscription:
              group: g
              level: 2
              period: P1M
              promotionalOffers: [{id: half, paymentMode: payAsYouGo, period: P1M, price: 1.99, prices: {DEU: 2.19}}]
          - {id: letter, type: free}
        """

    private let editor: CatalogEditor
    private let importer: CatalogImporter

    init() throws {
        editor = CatalogEditor(database: try Engine.sqliteInMemory.makeDatabase()) { TestStore.opening }
        importer = CatalogImporter(editor: editor, randomBytes: SeededBytes(seed: 1).bytes)
    }

    private func document() async throws -> String { try await editor.read { try $0.export(nil) }[0].document }

    /// The text of a `.storekit` file of the store's app.
    private func exported() async throws -> String {
        let document = try await document()
        return try Catalog(document: document.utf8, name: "export").storeKitFile(of: Self.bundleID, path: "a.storekit")
            .text
    }

    /// Reads a file as the command does.
    private func read(_ text: String) throws -> Catalog {
        try CatalogFixture.loaded(storekit: text, bundleID: Self.bundleID.rawValue)
    }

    /// Reads a file as the console does.
    private func uploaded(_ text: String) async throws -> Catalog {
        let app = try #require(try await editor.read { try $0.apps() }.first)
        return try Catalog(file: Array(text.utf8), name: "a.storekit", of: app)
    }

    @Test func `an exported StoreKit file imported again changes nothing`() async throws {
        _ = try await importer.import(try CatalogFixture.loaded(yaml: Self.catalog), by: .control)
        let before = try await document()
        let text = try await exported()
        for catalog in [try read(text), try await uploaded(text)] {
            let preview = try await importer.preview(catalog)
            #expect(preview.apps.flatMap(\.changes).map(\.description) == [])
            #expect(preview.isEmpty && preview.apps.flatMap(\.onlyInStore) == [])
            _ = try await importer.import(catalog, by: .control, from: "a.storekit")
            #expect(try await document() == before)
        }
        // The same as YAML says that what is missing has its default.
        var plain = try read(text)
        plain.storeKitApps = []
        #expect(try await !importer.preview(plain).isEmpty)
    }

    @Test func `a changed StoreKit file changes what it says, and nothing else`() async throws {
        _ = try await importer.import(try CatalogFixture.loaded(yaml: Self.catalog), by: .control)
        let before = try await document()
        let text = try await exported()
        let changed = text.replacing("\"0.99\"", with: "\"1.29\"").replacing("\"Monthly\"", with: "\"Each month\"")
            .replacing("\"half\"", with: "\"most\"")
        let report = try await importer.import(try read(changed), by: .control, from: "a.storekit")
        let fields = Set(report.apps.flatMap(\.changes).map { "\($0.subject.id) \($0.field)" })
        #expect(
            fields == [
                "coins price", "monthly referenceName", "monthly localizations.en_US.name",
                "monthly subscription.promotionalOffers.half", "monthly subscription.promotionalOffers.most",
            ])
        let after = try await document()
        #expect(after.contains("1.29") && after.contains("Each month") && !after.contains("half"))
        for kept in ["DEU: 1.09", "rejected", "Too dark", "123", "C003", "pack.zip", "gift", "letter", "1.99"] {
            #expect(before.contains(kept) && after.contains(kept), "\(kept)")
        }
    }

    @Test func `a product that leaves a StoreKit file is deleted, one of the store alone stays`() async throws {
        _ = try await importer.import(try CatalogFixture.loaded(yaml: Self.catalog), by: .control)
        let app = try #require(try await editor.read { try $0.apps() }.first).appleID
        _ = try await editor.edit(by: .key("K")) { draft in
            try draft.createProduct(
                NewProduct(Product.ID(rawValue: "gems"), .consumable, referenceName: "Gems"), app: app)
        }
        var file = try StoreKitFile(parsing: try await exported().utf8)
        file.products = []
        let report = try await importer.import(try read(file.text), by: .control, from: "a.storekit")
        #expect(report.apps[0].onlyInStore == ["gems"])
        let ids = try await editor.read { try $0.products(try $0.productIDs(app: app, renewing: nil)) }.map(
            \.id.rawValue)
        #expect(Set(ids) == ["gems", "monthly", "letter"])
    }

    @Test func `an old StoreKit file leaves alone what was edited since`() async throws {
        _ = try await importer.import(try CatalogFixture.loaded(yaml: Self.catalog), by: .control)
        let old = try await exported()
        let app = try #require(try await editor.read { try $0.apps() }.first).appleID
        try await editor.edit(by: .key("K")) { draft in
            let number = try #require(try draft.product(Product.ID(rawValue: "coins"), app: app)).appleID
            try draft.update(number) { try $0.rename("Renamed") }
        }
        let renamed = try await document()
        _ = try await importer.import(try read(old), by: .control, from: "a.storekit")
        #expect(try await document() == renamed)
        let other = old.replacing("\"Some coins\"", with: "\"Other\"")
        #expect(other != old, "\(old)")
        let error = await #expect(throws: CatalogImportError.self) {
            try await importer.import(try read(other), by: .control, from: "a.storekit")
        }
        #expect(error?.apps[Self.bundleID]?.conflicts.map(\.field) == ["referenceName"])
    }

    @Test(arguments: 1...25)
    func `a random catalog survives a StoreKit file`(seed: Int) async throws {
        var random = RandomCatalog(seed: UInt64(seed))
        let catalog = random.catalog()
        // Some random catalogs break a rule.
        guard (try? await importer.import(catalog, by: .control)) != nil else { return }
        let before = try await document()
        let read = try Catalog(document: before.utf8, name: "export")
        let text = StoreKitWriter(app: read.apps[0], groups: read.groups[read.apps[0].bundleID] ?? [])
            .file(updating: nil).text
        let app = try #require(try await editor.read { try $0.apps() }.first)
        guard let file = try? Catalog(file: Array(text.utf8), name: "a.storekit", of: app) else { return }
        let preview = try await importer.preview(file)
        #expect(preview.apps.flatMap(\.changes).map(\.description) == [], "\(before)\n\(text)")
        #expect(preview.isEmpty, "\(before)\n\(text)")
    }
}
