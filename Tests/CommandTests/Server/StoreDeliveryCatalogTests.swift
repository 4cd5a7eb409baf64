import Perennial
import PerennialConnect
import PerennialDelivery
import PerennialStorage
import TestSupport
import Testing

@testable import PerennialCommand

/// The content server's view of the catalog of a store in the same process.
struct StoreDeliveryCatalogTests {
    private static let film = "film.roll"
    private static let magazine = DeliveryCatalog.Entry(
        app: TestCatalog.magazine(), contents: [], sharedSecret: TestCatalog.sharedSecret)

    /// Gives the film another ID, as a product that was added since the start.
    private static func rename(_ id: String, to new: String, in database: Database) async throws {
        try await CatalogEditor(database: database) { TestStore.opening }.edit(by: .control) { draft in
            let product = try #require(try draft.product(Product.ID(rawValue: id), app: TestCatalog.magazine().appleID))
            try draft.update(product.appleID) { $0.product.id = Product.ID(rawValue: new) }
        }
    }

    /// The IDs of an entry's products that the catalog of the start doesn't have.
    private static func added(_ catalog: StoreDeliveryCatalog) async throws -> [String] {
        let listed = Set(magazine.app.products.map(\.id))
        return try await catalog.refreshed(magazine).app.products.map(\.id).filter { !listed.contains($0) }
            .map(\.rawValue)
    }

    @Test(arguments: Engine.lasting)
    func `products that were added since the start are delivered`(engine: Engine) async throws {
        let database = try engine.makeDatabase()
        _ = try await TestStore.open(database)
        let catalog = StoreDeliveryCatalog(database: database)
        #expect(try await Self.added(catalog) == [])
        for (old, new) in [(Self.film, "film.first"), ("film.first", "film.second")] {
            try await Self.rename(old, to: new, in: database)
            for _ in 0..<2 { #expect(try await Self.added(catalog) == [new]) }
        }
    }

    @Test func `a view of lost edits is forgotten with their era`() async throws {
        let location = try Engine.postgres.makeLocation()
        let databases = try (0..<2).map { _ in try Database(location, options: .forTests) }
        try databases[0].migrate()
        _ = try await TestStore.open(databases[0])
        let catalog = StoreDeliveryCatalog(database: databases[0])
        let tables = ["products", "catalog_head", "catalog_changes"]
        try await databases[1].write { connection in
            for table in tables { try connection.execute(SQL("CREATE TABLE kept_\(table) AS TABLE \(table)")) }
        }
        try await Self.rename(Self.film, to: "film.lost", in: databases[0])
        #expect(try await Self.added(catalog) == ["film.lost"])
        // As a failover to a standby without the last edit leaves it.
        try await databases[1].write { connection in
            for table in tables {
                try connection.execute(SQL("DELETE FROM \(table)"))
                try connection.execute(SQL("INSERT INTO \(table) SELECT * FROM kept_\(table)"))
            }
        }
        databases[0].renewEra()
        // This edit has the revision of the lost one.
        try await Self.rename(Self.film, to: "film.kept", in: databases[1])
        #expect(try await Self.added(catalog) == ["film.kept"])
    }
}
