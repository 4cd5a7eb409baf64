import Foundation
import Perennial
import PerennialStorage
import TestRandomness
import TestSupport
import Testing

@testable import PerennialConnect

/// Random sequences of edits through the use cases of App Store Connect: prices stay gapless, the catalog exportable, and an
/// export imported again is the same catalog (docs/reference/catalog.md, "Import and export").
struct EditSequenceTests {
    private static let isLong = ProcessInfo.processInfo.environment["PERENNIAL_LONG"] != nil
    private static let seeds = 1...UInt64(isLong ? 200 : 8)
    private static let edits = 120

    private static let bundleID = App.BundleID(rawValue: "com.example.edited")
    private static let app = App(bundleID: bundleID, appleID: EditedCatalog.app, name: "Edited", isNewsstand: true)

    @Test(arguments: seeds, [Engine.sqliteInMemory, .postgres])
    func `any sequence of edits leaves prices gapless and an export that is the catalog`(seed: UInt64, engine: Engine)
        async throws
    {
        let store = try await EditedCatalog(engine, app: Self.app)
        try await store.editor.edit(by: .control) { try $0.setReviewMode(.manual) }
        var made: [String] = []
        var random = SeededGenerator(seed: seed)
        var now = TestStore.opening
        for index in 0..<Self.edits {
            // First something to edit.
            let kind: RandomEdit.Kind =
                index == 0
                ? .createGroup : index < 6 ? .createProduct : RandomEdit.Kind.allCases.randomElement(using: &random)!
            let edit = RandomEdit(kind: kind, seed: random.next(), now: now)
            do {
                try await store.editor.edit(by: .key("K")) { try edit.make(on: $0) }
                made.append(edit.description)
            } catch is CatalogEditError {}
            now = now + .hours(Int64.random(in: 0..<60, using: &random))
            if index % 20 == 19 { try await expectExportable(store, made) }
        }
        #expect(made.count > Self.edits / 4, "too many edits are refused to say anything: \(made.count)")
        try await expectSameElsewhere(store, made)
        try await expectSameAsStoreKitFile(store, made)
    }

    // MARK: - The store

    private func expectExportable(_ store: EditedCatalog, _ made: [String]) async throws {
        let catalog = try await Snapshot(store.editor)
        for product in catalog.products.map(\.product) {
            #expect(Self.gaps(in: product) == [], "\(product.id) after \(made)")
        }
        let read = try Catalog(document: catalog.document.utf8, name: "export")
        let preview = try await Self.importer(store).preview(read)
        #expect(preview.apps.flatMap(\.changes).map(\.description) == [], "after \(made)")
        #expect(preview.isEmpty, "after \(made)")
    }

    /// Returns the storefronts whose prices have a gap or an overlap.
    private static func gaps(in product: Product) -> [Storefront] {
        let timeline = PriceTimeline(product.priceList, default: app.defaultStorefront)
        let needsPrice = product.isPriced && !product.requiresOwnPrices
        return Storefront.all.map(\.storefront).filter { storefront in
            let intervals = timeline.intervals(in: storefront)
            guard let first = intervals.first, let last = intervals.last else { return needsPrice }
            let (ends, starts) = (intervals.dropLast().map(\.end), intervals.dropFirst().map(\.start))
            return ends != starts || ends.contains(nil) || last.end != nil || needsPrice && first.start != nil
        }
    }

    private static func importer(_ store: EditedCatalog) -> CatalogImporter {
        CatalogImporter(editor: store.editor, randomBytes: SeededBytes(seed: 1).bytes)
    }

    // MARK: - Another store

    private func expectSameElsewhere(_ store: EditedCatalog, _ made: [String]) async throws {
        let catalog = try await Snapshot(store.editor)
        let other = try await Self.importing(try Catalog(document: catalog.document.utf8, name: "export"))
        #expect(other.document == catalog.document, "after \(made)")
        #expect(other.app == catalog.app && other.promoted == catalog.promoted, "after \(made)")
        #expect(other.groups == catalog.groups, "after \(made)")
        #expect(other.products.map(\.id) == catalog.products.map(\.id))
        for (one, product) in zip(other.products, catalog.products) {
            #expect(one == product, "\(product.id) after \(made)")
        }
    }

    private func expectSameAsStoreKitFile(_ store: EditedCatalog, _ made: [String]) async throws {
        let catalog = try await Snapshot(store.editor)
        let document = try Catalog(document: catalog.document.utf8, name: "export")
        let (text, losses) = try document.storeKitFile(of: Self.bundleID, path: "shop.storekit")
        let file = try Catalog(file: Array(text.utf8), name: "shop.storekit", of: catalog.app)
        let preview = try await Self.importer(store).preview(file)
        #expect(preview.isEmpty && preview.apps.flatMap(\.onlyInStore) == [], "after \(made)")
        let other = try await Self.importing(file)
        let before = try CatalogTree(try #require(document.apps.first), in: document)
        let differences = before.differences(to: other.tree, Self.bundleID).filter { $0.subject.kind != .app }
        let listed = losses.filter { $0.subject.kind != .app }
        #expect(Set(differences.map(\.description)) == Set(listed.map(\.description)), "after \(made)")
    }

    /// Imports a catalog into an empty store.
    private static func importing(_ catalog: Catalog) async throws -> Snapshot {
        let editor = CatalogEditor(database: try Engine.sqliteInMemory.makeDatabase()) { TestStore.opening }
        let importer = CatalogImporter(editor: editor, randomBytes: SeededBytes(seed: 1).bytes)
        _ = try await importer.import(catalog, by: .control, from: "export")
        return try await Snapshot(editor)
    }

    /// All of a catalog that a file can carry.
    private struct Snapshot: Sendable {
        let document: String
        let tree: CatalogTree
        /// The app without products.
        let app: App
        var products: [CatalogProduct]
        var groups: [String: SubscriptionGroup] = [:]
        let promoted: [Product.ID]

        init(_ editor: CatalogEditor) async throws {
            self = try await editor.read { try Snapshot($0) }
            // Each store counts its own changes.
            for index in products.indices { products[index].revision = 0 }
            for key in groups.keys { groups[key]?.revision = 0 }
        }

        private init(_ reader: CatalogReader) throws {
            let found = try #require(try reader.apps().first)
            let number = found.appleID
            app = found
            tree = try CatalogTree(found, from: reader)
            document = try reader.export(nil)[0].document
            products = try reader.products(try reader.productIDs(app: number, renewing: nil))
            for key in try reader.groupIDs(app: number) { groups[key] = try reader.group(key)?.group }
            promoted = try reader.products(try reader.promotedProducts(app: number)).map(\.id)
        }
    }
}
