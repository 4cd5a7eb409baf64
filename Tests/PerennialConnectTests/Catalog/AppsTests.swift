import Foundation
import Perennial
import PerennialConnect
import PerennialStorage
import TestSupport
import Testing

/// Registration of the seller's apps, and changes of their catalog.
struct AppsTests {
    private func makeApps(_ engine: Engine = .sqliteInMemory, seed: UInt64 = 1) async throws -> (apps: Apps, Database) {
        let database = try engine.makeDatabase()
        return (
            Apps(database: database, wallClock: { TestStore.opening }, randomBytes: SeededBytes(seed: seed).bytes),
            database
        )
    }

    private func app(_ name: String, number: Int64 = 0, products: [String] = []) -> App {
        App(
            bundleID: App.BundleID(rawValue: "com.example.\(name)"), appleID: number, name: name,
            products: products.map {
                Product(id: Product.ID(rawValue: $0), type: .consumable, referenceName: $0, basePrice: .zero(.usd))
            })
    }

    private func kept(_ database: Database) async throws -> [AppsTable.Record] {
        try await database.read { try AppsTable.all(on: $0) }
    }

    /// Returns an app with its products in the order of their IDs.
    private func stored(_ name: String, in database: Database) async throws -> App {
        let editor = CatalogEditor(database: database) { TestStore.opening }
        var app = try await editor.read { reader in
            let app = try reader.apps().first { $0.bundleID.rawValue == "com.example.\(name)" }
            return try app.flatMap { try reader.completeApp($0.appleID) }
        }
        app?.products.sort { $0.id < $1.id }
        return try #require(app)
    }

    @Test(arguments: Engine.allCases)
    func `an app keeps its Apple ID and shared secret`(engine: Engine) async throws {
        let (apps, database) = try await makeApps(engine)
        let first = try await apps.register(app("a"), sharedSecret: nil)
        let second = try await apps.register(app("b"), sharedSecret: nil)
        #expect(first.appleID != second.appleID)
        #expect(first.sharedSecret != second.sharedSecret)
        #expect(first.sharedSecret.count == 32)
        #expect(first.sharedSecret.allSatisfy { $0.isHexDigit && !$0.isUppercase })
        #expect(try await apps.register(app("a", products: ["x"]), sharedSecret: nil) == first)
        #expect(try await apps.all() == [first, second])
        // Another process with other random bytes.
        let other = Apps(database: database, wallClock: { TestStore.opening }, randomBytes: SeededBytes(seed: 2).bytes)
        #expect(try await other.register(app("a", products: ["x"]), sharedSecret: nil) == first)
    }

    @Test func `the catalog's secret and Apple ID are used`() async throws {
        let (apps, _) = try await makeApps()
        let named = try await apps.register(app("a", number: 77), sharedSecret: "s1")
        #expect((named.appleID, named.sharedSecret) == (77, "s1"))
        let changed = try await apps.register(app("a", number: 78), sharedSecret: "s2")
        // The Apple ID stays, because purchases are stored under it.
        #expect((changed.appleID, changed.sharedSecret) == (77, "s2"))
        #expect(try await apps.register(app("a"), sharedSecret: nil) == changed)
    }

    @Test(arguments: Engine.allCases)
    func `an Apple ID of another app is refused without a change`(engine: Engine) async throws {
        let (apps, database) = try await makeApps(engine)
        let first = try await apps.register(app("a", number: 77, products: ["x"]), sharedSecret: nil)
        let error = await #expect(throws: CatalogError.self) {
            try await apps.register(app("b", number: 77), sharedSecret: nil)
        }
        #expect(error?.code == .duplicateApp)
        #expect(error?.description.contains("com.example.a") == true)
        #expect(try await apps.all() == [first])
        #expect(try await stored("a", in: database).products.count == 1)
    }

    @Test func `registering an equal definition changes nothing`() async throws {
        let (apps, database) = try await makeApps()
        try await apps.register(app("a", products: ["x", "y"]), sharedSecret: nil)
        let before = try await database.read { try CatalogHeadTable.revision(on: $0) }
        try await apps.register(app("a", products: ["x", "y"]), sharedSecret: nil)
        #expect(try await database.read { try CatalogHeadTable.revision(on: $0) } == before)
        try await apps.register(app("a", products: ["x"]), sharedSecret: nil)
        #expect(try await database.read { try CatalogHeadTable.revision(on: $0) } == before + 1)
        #expect(try await stored("a", in: database).products.map(\.id.rawValue) == ["x"])
    }

    @Test func `products keep their Apple IDs, and new ones get others`() async throws {
        let (apps, database) = try await makeApps()
        try await apps.register(app("a", products: ["x", "y"]), sharedSecret: nil)
        let before = try await stored("a", in: database).products
        #expect(Set(before.map(\.appleID)).count == 2)
        #expect(before.allSatisfy { $0.appleID > 0 })
        try await apps.register(app("a", products: ["z", "y", "x"]), sharedSecret: nil)
        let after = try await stored("a", in: database).products
        #expect(after[0].appleID == before[0].appleID)
        #expect(after[1].appleID == before[1].appleID)
        #expect(!before.map(\.appleID).contains(after[2].appleID))
        try await apps.register(app("b", products: ["x"]), sharedSecret: nil)
        let others = try await stored("b", in: database).products
        #expect(!after.map(\.appleID).contains(others[0].appleID))
    }

    @Test(arguments: [1_000_000_000_000, 9_300_000_000_000, Int64.max])
    func `an extreme Apple ID is handled`(number: Int64) async throws {
        let (apps, database) = try await makeApps()
        var large = app("a", number: number, products: ["x", "y"])
        large.products[0].appleID = number
        #expect(try await apps.register(large, sharedSecret: nil).appleID == number)
        #expect(try await stored("a", in: database).products.map(\.appleID).first == number)
    }

    @Test(arguments: Engine.lasting)
    func `nodes that start together agree on Apple IDs and secrets`(engine: Engine) async throws {
        let location = try engine.makeLocation()
        let databases = try (0..<4).map { _ in try Database(location, options: .forTests) }
        try databases[0].migrate()
        let registered = try await withThrowingTaskGroup(of: [Apps.Registered].self) { group in
            for (seed, database) in databases.enumerated() {
                group.addTask {
                    let apps = Apps(
                        database: database, wallClock: { TestStore.opening },
                        randomBytes: SeededBytes(seed: UInt64(seed)).bytes)
                    return try await [
                        apps.register(app("a", products: ["x"]), sharedSecret: nil),
                        apps.register(app("b", products: ["y"]), sharedSecret: nil),
                    ]
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(Set(registered.map { $0.map(\.sharedSecret) }).count == 1)
        #expect(registered.allSatisfy { $0 == registered[0] })
        // Each app was written once.
        #expect(try await kept(databases[0]).map(\.revision).sorted() == [2, 3])
    }
}
