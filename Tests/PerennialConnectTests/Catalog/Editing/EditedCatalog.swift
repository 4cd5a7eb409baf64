import Perennial
import PerennialConnect
import PerennialStorage
import TestSupport

/// A catalog with one app and its products, for edits.
struct EditedCatalog: Sendable {
    static let app: Int64 = 77

    let database: Database
    let editor: CatalogEditor

    init(_ engine: Engine = .sqliteInMemory, app: App? = nil) async throws {
        try await self.init(try engine.makeDatabase(), app: app)
    }

    init(_ database: Database, app: App? = nil) async throws {
        self.database = database
        editor = CatalogEditor(database: database) { TestStore.opening }
        let apps = Apps(
            database: database, wallClock: { TestStore.opening }, randomBytes: SeededBytes(seed: 1).bytes)
        try await apps.register(
            app ?? App(bundleID: App.BundleID(rawValue: "com.example.edited"), appleID: Self.app, name: "Edited"),
            sharedSecret: nil)
    }

    static func product(
        _ id: String, _ number: Int64, _ type: ProductType = .consumable, group: String? = nil
    ) -> CatalogProduct {
        CatalogProduct(
            Product(
                id: Product.ID(rawValue: id), appleID: number, type: type, referenceName: id,
                basePrice: Money(milliunits: 990, .usd),
                subscription: group.map { Product.Subscription(groupID: $0, level: 1, period: .month) }))
    }

    /// Adds products, each with a number from the store.
    @discardableResult
    func add(_ ids: String..., type: ProductType = .consumable, group: String? = nil) async throws -> [Int64] {
        try await editor.edit(by: .control) { draft in
            try ids.map { id in
                let number = try draft.nextNumber()
                try draft.insert(Self.product(id, number, type, group: group), app: Self.app)
                return number
            }
        }
    }

    func product(_ number: Int64) async throws -> CatalogProduct? {
        try await editor.read { try $0.product(number) }
    }

    func changes(after: Int64 = 0) async throws -> [CatalogChange] {
        try await editor.read { try $0.changes(after: after, limit: 1000, app: nil) }
    }

    func revision() async throws -> Int64 { try await editor.read { try $0.revision() } }
}
