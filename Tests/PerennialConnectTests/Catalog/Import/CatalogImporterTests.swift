import AppStoreFormats
import Foundation
import Perennial
import PerennialConnect
import PerennialStorage
import PerennialStore
import TestSupport
import Testing

/// Files imported into a catalog that is edited meanwhile.
struct CatalogImporterTests {
    private static let first = """
        bundleId: com.example.a
        name: A
        products:
          - {id: coins, type: consumable, price: 0.99, prices: {DEU: 1.09}, localizations: {en_US: {name: Coins}}}
          - {id: atlas, type: non-consumable, price: 4.99}
          - {id: monthly, type: auto-renewable, price: 4.99, subscription: {group: g, period: P1M}}
        """

    private let database: Database
    private let editor: CatalogEditor
    private let importer: CatalogImporter

    init() throws {
        (database, editor, importer) = try Self.make(.sqliteInMemory)
    }

    private static func make(_ engine: Engine) throws -> (Database, CatalogEditor, CatalogImporter) {
        let database = try engine.makeDatabase()
        let editor = CatalogEditor(database: database) { TestStore.opening }
        return (database, editor, CatalogImporter(editor: editor, randomBytes: SeededBytes(seed: 1).bytes))
    }

    private func load(
        _ yaml: String, _ preference: CatalogPreference? = nil, with importer: CatalogImporter? = nil
    ) async throws -> CatalogImportReport {
        try await (importer ?? self.importer).import(
            try CatalogFixture.loaded(yaml: yaml), by: .commandLine("ann"), from: "catalog.yaml",
            preferring: preference)
    }

    private func app(_ editor: CatalogEditor) async throws -> App {
        try #require(
            try await editor.read { reader in try reader.apps().first.flatMap { try reader.completeApp($0.appleID) } })
    }

    private func product(_ id: String) async throws -> Product {
        let found = try await app(editor).products.first { $0.id.rawValue == id }
        return try #require(found)
    }

    private func edit(_ id: String, _ change: @escaping @Sendable (inout CatalogProduct) -> Void) async throws {
        let number = try await product(id).appleID
        try await editor.edit(by: .commandLine("ann")) { try $0.update(number) { change(&$0) } }
    }

    @Test(arguments: Engine.allCases)
    func `a first import creates the app, an unchanged one changes nothing`(engine: Engine) async throws {
        let (database, editor, importer) = try Self.make(engine)
        let report = try await load(Self.first, with: importer)
        #expect(report.apps.map(\.isNew) == [true])
        let app = try await app(editor)
        #expect(app.products.count == 3)
        #expect(try await editor.read { try $0.groupIDs(app: app.appleID) } == ["g"])
        let revision = try await database.read { try CatalogHeadTable.revision(on: $0) }
        #expect(try await load(Self.first, with: importer).isEmpty)
        #expect(try await database.read { try CatalogHeadTable.revision(on: $0) } == revision)
    }

    @Test(arguments: Engine.allCases)
    func `edits stay when the file is imported unchanged`(engine: Engine) async throws {
        let (_, editor, importer) = try Self.make(engine)
        _ = try await load(Self.first, with: importer)
        let before = try await app(editor)
        let coins = try #require(before.products.first { $0.id.rawValue == "coins" })
        try await editor.edit(by: .key("K")) { draft in
            try draft.update(coins.appleID) { $0.product.basePrice = Money(milliunits: 1_990, .usd) }
            try draft.delete(try #require(before.products.first { $0.id.rawValue == "atlas" }).appleID)
        }
        #expect(try await load(Self.first, with: importer).isEmpty)
        let after = try await app(editor)
        #expect(after.products.map(\.id.rawValue).sorted() == ["coins", "monthly"])
        #expect(after.products.first { $0.id == coins.id }?.basePrice.milliunits == 1_990)
    }

    @Test func `a changed file changes its fields and keeps those of the store`() async throws {
        _ = try await load(Self.first)
        try await edit("coins") { $0.product.localizations[0].displayName = "Gold" }
        let report = try await load(
            Self.first.replacing("0.99", with: "1.29").replacing("name: A\n", with: "name: B\n"))
        #expect(
            report.apps[0].changes.map(\.description) == [
                "app com.example.a: name A → B", "product coins: price 0.99 USD → 1.29 USD",
            ])
        let coins = try await product("coins")
        #expect((coins.basePrice.milliunits, coins.localizations[0].displayName) == (1_290, "Gold"))
        let changes = try await editor.read { try $0.changes(after: 0, limit: 100, app: nil) }
        #expect(changes.last?.actor == .commandLine("ann") && changes.last?.importedFile == "catalog.yaml")
        #expect(changes.last?.fields.map(\.name).contains("importedFile") == false)
        #expect(changes.filter { $0.importedFile == nil }.map(\.kind) == [.changed], "the edit names no file")
    }

    @Test func `a field that both have changed refuses the import until a side is preferred`() async throws {
        _ = try await load(Self.first)
        try await edit("coins") { $0.product.basePrice = Money(milliunits: 1_990, .usd) }
        let changed = Self.first.replacing("0.99", with: "1.29").replacing("4.99}", with: "5.99}")
        let error = await #expect(throws: CatalogImportError.self) { try await load(changed) }
        #expect(error?.description.contains("coins: price is 1.29 USD in the file and 1.99 USD in the store") == true)
        #expect(try await product("atlas").basePrice.milliunits == 4_990, "nothing is done by half")
        let preview = try await importer.preview(try CatalogFixture.loaded(yaml: changed))
        #expect(preview.apps[0].conflicts.map(\.field) == ["price"])
        let report = try await load(changed, .store)
        #expect(report.apps[0].kept.map(\.field) == ["price"])
        #expect(try await product("coins").basePrice.milliunits == 1_990)
        #expect(try await product("atlas").basePrice.milliunits == 5_990)
        // The decision lasts: the file has been imported.
        #expect(try await load(changed).isEmpty)
        _ = try await load(changed.replacing("1.29", with: "1.49"), .file)
        #expect(try await product("coins").basePrice.milliunits == 1_490)
    }

    @Test func `a side is preferred only for what a preview has shown`() async throws {
        _ = try await load(Self.first)
        try await edit("coins") { $0.product.referenceName = "Store" }
        let file = try CatalogFixture.loaded(
            yaml: Self.first.replacing("id: coins,", with: "id: coins, referenceName: File,"))
        let seen = try await importer.preview(file)
        #expect(seen.apps[0].conflicts.map(\.field) == ["referenceName"])
        try await edit("atlas") { $0.product.referenceName = "Store too" }
        let error = await #expect(throws: CatalogEditError.self) {
            try await importer.import(file, by: .control, preferring: .file, expecting: seen.revision)
        }
        #expect(error?.code == .changedMeanwhile)
        #expect(try await product("coins").referenceName == "Store")
        let again = try await importer.preview(file)
        _ = try await importer.import(file, by: .control, preferring: .file, expecting: again.revision)
        #expect(try await product("coins").referenceName == "File")
        #expect(try await product("atlas").referenceName == "Store too")
    }

    @Test func `a product that leaves the file is deleted, and has its Apple ID when it returns`() async throws {
        _ = try await load(Self.first)
        let number = try await product("atlas").appleID
        let without = Self.first.split(separator: "\n").filter { !$0.contains("atlas") }.joined(separator: "\n")
        #expect(try await load(without).apps[0].changes.map(\.description) == ["product atlas: removed"])
        #expect(try await app(editor).products.count == 2)
        #expect(try await load(Self.first).apps[0].changes.map(\.description) == ["product atlas: added"])
        #expect(try await product("atlas").appleID == number)
    }

    @Test func `a product whose Apple ID is taken has parts of its own`() async throws {
        let (_, otherEditor, otherImporter) = try Self.make(.sqliteInMemory)
        _ = try await load(Self.first)
        _ = try await load(Self.first, with: otherImporter)
        let taken = try await Self.create("gold", with: editor)
        #expect(try await Self.create("gems", with: otherEditor) == taken)
        let document = try await otherEditor.read { try $0.export(nil) }[0].document
        _ = try await importer.import(try Catalog(document: document.utf8, name: "export"), by: .control)
        try await editor.read { reader in
            let app = try #require(try reader.apps().first).appleID
            let gold = try #require(try reader.product(Product.ID(rawValue: "gold"), app: app))
            let gems = try #require(try reader.product(Product.ID(rawValue: "gems"), app: app))
            #expect(gold.appleID == taken && gems.appleID != taken)
            for product in [gold, gems] {
                let version = product.currentVersion
                #expect(try reader.product(ofPart: version.id, .version) == product)
                let text = try #require(version.localizations.first)
                #expect(text.name == product.id.rawValue)
                #expect(try reader.product(ofPart: text.id, .localization) == product)
            }
        }
    }

    /// Makes a product with a text as a seller does.
    private static func create(_ id: String, with editor: CatalogEditor) async throws -> Int64 {
        try await editor.edit(by: .control) { draft in
            let app = try #require(try draft.apps().first).appleID
            let number = try draft.createProduct(
                NewProduct(Product.ID(rawValue: id), .consumable, referenceName: id), app: app)
            try draft.update(number) { product in
                product.product.basePrice = Money(milliunits: 990, .usd)
                product.product.isPriced = true
                _ = try product.addLocalization(locale: "en-US") {
                    ListingLocalization(id: $0, locale: "en-US", name: id)
                }
            }
            return number
        }
    }

    @Test func `a secret of the file is taken over, one of the store stays without it`() async throws {
        _ = try await load(Self.first)
        let secret = TestCatalog.sharedSecret
        _ = try await load("sharedSecret: \(secret)\n" + Self.first)
        #expect(try await database.read { try AppsTable.all(on: $0)[0].sharedSecret } == secret)
        let report = try await load(Self.first)
        #expect(report.isEmpty)
        #expect(try await database.read { try AppsTable.all(on: $0)[0].sharedSecret } == secret)
        let other = try await load("sharedSecret: \(secret.replacing("0", with: "f"))\n" + Self.first)
        #expect(!"\(other.apps)".contains("f123"))
    }

    @Test func `an import that contradicts sold products is refused with the list`() async throws {
        let shop = try await TestStore.make()
        for product in ["film.roll", "monthly", "pass.1week"] { _ = try await shop.buy(product, as: "ann") }
        let editor = CatalogEditor(database: shop.database) { TestStore.opening }
        let importer = CatalogImporter(editor: editor, randomBytes: SeededBytes(seed: 1).bytes)
        var app = TestCatalog.magazine()
        app.products.removeAll { ["film.roll", "filter.amber"].contains($0.id.rawValue) }
        for index in app.products.indices {
            switch app.products[index].id.rawValue {
            case "monthly": app.products[index].subscription?.period = .week
            case "yearly": app.products[index].subscription?.period = Period(6, .month)
            case "pass.1week": app.products[index].type = .consumable
            default: break
            }
        }
        let changed = Catalog(apps: [app])
        let error = await #expect(throws: CatalogImportError.self) {
            try await importer.import(changed, by: .control)
        }
        let lines = error?.apps.values.flatMap(\.contradictions).map { "\($0.product) \($0.field)" }
        #expect(lines?.sorted() == ["film.roll ", "monthly subscription.period", "pass.1week type"])
        let report = try await importer.import(changed, by: .control, preferring: .store)
        #expect(report.apps[0].leftOut.count == 3)
        let products = try await self.app(editor, TestCatalog.bundleID).products
        #expect(products.contains { $0.id.rawValue == "film.roll" })
        #expect(!products.contains { $0.id.rawValue == "filter.amber" })
        #expect(products.first { $0.id.rawValue == "monthly" }?.subscription?.period == .month)
        #expect(products.first { $0.id.rawValue == "yearly" }?.subscription?.period == Period(6, .month))
    }

    private func app(_ editor: CatalogEditor, _ bundleID: App.BundleID) async throws -> App {
        try #require(
            try await editor.read { reader in
                try reader.apps().first { $0.bundleID == bundleID }.flatMap { try reader.completeApp($0.appleID) }
            })
    }

    @Test(arguments: 1...25)
    func `an export imported again changes nothing, and makes the same catalog elsewhere`(seed: Int) async throws {
        var random = RandomCatalog(seed: UInt64(seed))
        let catalog = random.catalog()
        guard (try? await importer.import(catalog, by: .control)) != nil else { return }
        try await randomEdits(&random)
        let exported = try await editor.read { try $0.export(nil) }
        let document = exported[0].document
        let read = try Catalog(document: document.utf8, name: "export")
        let preview = try await importer.preview(read)
        #expect(preview.apps.flatMap(\.changes).map(\.description) == [], "\(document)")
        #expect(preview.isEmpty, "\(preview)")
        let (_, otherEditor, otherImporter) = try Self.make(.sqliteInMemory)
        _ = try await otherImporter.import(read, by: .control)
        let again = try await otherEditor.read { try $0.export(nil) }
        #expect(again[0].document == document)
        let (one, other) = (try await app(editor), try await app(otherEditor))
        #expect(one == other)
    }

    /// Changes products as sellers do, outside of files.
    private func randomEdits(_ random: inout RandomCatalog) async throws {
        let products = try await app(editor).products
        for product in products where random.flag() {
            let (price, name, isSold) = (random.number(10_000), random.text(), random.flag())
            try await editor.edit(by: .key("K")) { draft in
                try draft.update(product.appleID) { edited in
                    if edited.product.type != .free {
                        edited.product.basePrice = Money(
                            milliunits: Int64(price) * 10, edited.product.basePrice.currency)
                    }
                    edited.product.referenceName = name
                    edited.product.isClearedForSale = isSold
                    edited.listing.reviewNote = name
                }
            }
        }
        if let gone = products.last, random.flag() {
            try await editor.edit(by: .key("K")) { try $0.delete(gone.appleID) }
        }
    }

    @Test func `an environment's own prices are listed beside the catalog's`() async throws {
        let shop = try await TestStore.make()
        let editor = CatalogEditor(database: shop.database) { TestStore.opening }
        let bundleID = TestCatalog.bundleID
        func overrides() async throws -> [String] {
            try await editor.read { reader in
                let app = try #require(try reader.apps().first { $0.bundleID == bundleID })
                return try reader.overrides(of: app, in: shop.store.environment).map(\.description)
            }
        }
        #expect(try await overrides() == [])
        _ = try await shop.store.products.changePrice(
            PriceChange(Product.ID(rawValue: "film.roll"), milliunits: 1_490), bundleID: bundleID)
        _ = try await shop.store.products.setClearedForSale(
            false, Product.ID(rawValue: "filter.amber"), bundleID: bundleID)
        #expect(
            try await overrides() == [
                "product film.roll: price 0.99 USD → 1.49 USD", "product filter.amber: clearedForSale default → false",
            ])
    }
}
