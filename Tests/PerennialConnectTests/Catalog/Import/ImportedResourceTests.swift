import Perennial
import PerennialConnect
import TestSupport
import Testing

/// Resources that an import makes beside products and groups: submissions for review, and the order of promoted purchases.
struct ImportedResourceTests {
    private static let inReview = """
        bundleId: com.example.a
        products:
          - {id: coins, type: consumable, price: 0.99, state: waiting-for-review, localizations: {en_US: {name: Coins}}}
          - {id: gems, type: consumable, price: 0.99, state: in-review, localizations: {en_US: {name: Gems}}}
          - {id: gold, type: consumable, price: 0.99, localizations: {en_US: {name: Gold}}}
        """

    private static func make(_ engine: Engine) throws -> (CatalogEditor, CatalogImporter) {
        let editor = CatalogEditor(database: try engine.makeDatabase()) { TestStore.opening }
        return (editor, CatalogImporter(editor: editor, randomBytes: SeededBytes(seed: 1).bytes))
    }

    private static func states(_ editor: CatalogEditor) async throws -> [Product.State] {
        try await editor.read { reader in
            let app = try #require(try reader.apps().first).appleID
            return try ["coins", "gems", "gold"].map { id in
                try #require(try reader.product(Product.ID(rawValue: id), app: app)).product.state
            }
        }
    }

    @Test(arguments: Engine.allCases)
    func `what a file says to be in review can be decided about and withdrawn`(engine: Engine) async throws {
        let (editor, importer) = try Self.make(engine)
        let catalog = try CatalogFixture.loaded(yaml: Self.inReview)
        _ = try await importer.import(catalog, by: .control)
        let open = try await editor.read { try $0.openSubmissions(limit: 10) }
        #expect(open.map(\.state) == [.waitingForReview, .inReview])
        #expect(open.allSatisfy { $0.submittedBy == .control && $0.items.count == 1 })
        // Another import of the products finds them submitted.
        let renamed = Self.inReview.replacing("name: Coins", with: "name: Many coins")
        _ = try await importer.import(try CatalogFixture.loaded(yaml: renamed), by: .control)
        #expect(try await editor.read { try $0.openSubmissions(limit: 10) }.count == 2)
        try await editor.edit(by: .control) { draft in
            try draft.decide(open[0].id, rejection: nil)
            try draft.cancelSubmission(open[1].id)
        }
        #expect(try await Self.states(editor) == [.approved, .readyToSubmit, .approved])
        #expect(try await editor.read { try $0.openSubmissions(limit: 10) } == [])
    }

    @Test(arguments: Engine.allCases)
    func `promoted purchases have their order in another store`(engine: Engine) async throws {
        let store = try await EditedCatalog()
        let numbers = try await store.add("one", "two", "three", "four")
        try await store.editor.edit(by: .control) { draft in
            for number in [numbers[2], numbers[0], numbers[1]] {
                _ = try draft.promote(number, app: EditedCatalog.app, isVisible: true, isEnabled: nil)
            }
            try draft.delete(numbers[0])
            _ = try draft.promote(numbers[3], app: EditedCatalog.app, isVisible: false, isEnabled: true)
        }
        let document = try await store.editor.read { try $0.export(nil) }[0].document
        let (editor, importer) = try Self.make(engine)
        _ = try await importer.import(try Catalog(document: document.utf8, name: "export"), by: .control)
        let promoted = try await editor.read { reader in
            try reader.products(try reader.promotedProducts(app: EditedCatalog.app))
        }
        #expect(promoted.map(\.id.rawValue) == ["three", "two", "four"])
        let last = try #require(promoted.last?.listing.promotion)
        try await editor.edit(by: .control) { try $0.withdrawPromotion(last.id) }
        #expect(try await editor.read { try $0.promotedProducts(app: EditedCatalog.app) }.count == 2)
    }

    private static let flags = "isEqualized: true, requiresOwn: false, isPriced: true"

    @Test(arguments: [
        "content: {versions: [{version: '1', fileName: ../../secret, size: 1, sha256: ff}]}",
        "content: {versions: [{version: .., fileName: a.zip, size: 1, sha256: ff}]}",
        "versions: [{number: 9223372036854775807, id: a, state: APPROVED, localizations: []}]",
        "versions: [{number: 0, id: a, state: APPROVED, localizations: []}]",
        "screenshot: {id: a, fileName: a.png, size: 9223372036854775807, token: t, state: AWAITING_UPLOAD}",
        "prices: {monthly: {base: {milliunits: 9223372036854775807, currency: USD}, own: [], schedule: [], \(flags)}}",
        "images: [{id: a, fileName: ../a.png, size: 1, token: t, state: AWAITING_UPLOAD}]",
    ])
    func `a listing that would lead out of its bounds is refused`(listing: String) {
        let yaml = "bundleId: a.b\nproducts: [{id: coins, type: consumable, price: 1, listing: {\(listing)}}]"
        let error = #expect(throws: CatalogError.self) { try CatalogFixture.loaded(yaml: yaml) }
        #expect(error?.code == .malformedCatalogFile)
        #expect(error?.reason.contains("can't be read") == false, "\(error?.reason ?? "")")
    }

    @Test(arguments: [String(repeating: "x", count: 65), "a\\nb"])
    func `a tax category of a file is one line of up to 64 characters`(category: String) {
        let yaml = "bundleId: a.b\nproducts: [{id: coins, type: consumable, price: 1, taxCategory: \"\(category)\"}]"
        let error = #expect(throws: CatalogError.self) { try CatalogFixture.loaded(yaml: yaml) }
        #expect(error?.code == .malformedCatalogFile && error?.reason.contains("taxCategory") == true)
    }
}
