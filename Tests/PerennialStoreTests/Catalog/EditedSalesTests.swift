import Foundation
import Perennial
import PerennialConnect
import PerennialStorage
import PerennialStore
import TestSupport
import Testing

/// Sales while the catalog is edited.
struct EditedSalesTests {
    private func editor(_ shop: TestStore) -> CatalogEditor {
        CatalogEditor(database: shop.database) { TestStore.opening }
    }

    private func number(_ id: String, _ shop: TestStore) async throws -> Int64 {
        let found = try await editor(shop).read {
            try $0.product(Product.ID(rawValue: id), app: TestCatalog.magazine().appleID)?.appleID
        }
        return try #require(found)
    }

    private func setPrice(_ milliunits: Int64, of id: String, _ shop: TestStore) async throws {
        let number = try await number(id, shop)
        try await editor(shop).edit(by: .control) { draft in
            try draft.update(number) { $0.product.basePrice = Money(milliunits: milliunits, .usd) }
        }
    }

    @Test(arguments: Engine.lasting)
    func `an edited price is charged at once on every node`(engine: Engine) async throws {
        let location = try engine.makeLocation()
        let databases = try (0..<2).map { _ in try Database(location, options: .forTests) }
        try databases[0].migrate()
        let one = try await TestStore.open(databases[0])
        let two = try await TestStore.open(databases[1], seed: 2)
        for price in [1290, 1490] as [Int64] {
            try await setPrice(price, of: "film.roll", one)
            for node in [one, two] { #expect(try await node.buy("film.roll", as: "ann").price.milliunits == price) }
        }
    }

    @Test func `an added product is sold, a deleted one isn't`() async throws {
        let shop = try await TestStore.make()
        try await shop.buy("film.roll", as: "ann")
        try await editor(shop).edit(by: .control) { draft in
            let product = Product(
                id: Product.ID(rawValue: "coins"), appleID: try draft.nextNumber(), type: .consumable,
                referenceName: "Coins", basePrice: Money(milliunits: 490, .usd))
            try draft.insert(CatalogProduct(product), app: TestCatalog.magazine().appleID)
        }
        #expect(try await shop.buy("coins", as: "ann").price.milliunits == 490)
        let number = try await number("coins", shop)
        try await editor(shop).edit(by: .control) { try $0.delete(number) }
        #expect(try await shop.refusal(of: "coins", as: "ann").code == .productNotAvailable)
    }

    @Test(arguments: Engine.allCases)
    func `an edit that is rolled back is never sold`(engine: Engine) async throws {
        let shop = try await TestStore.make(on: engine)
        try await shop.buy("film.roll", as: "ann")
        let number = try await number("film.roll", shop)
        let catalog = shop.registry.catalog
        func edit(_ price: Int64, fails: Bool) async throws {
            try await shop.database.write { connection in
                try CatalogEditor.edit(by: .control, at: TestStore.opening, on: connection) { draft in
                    try draft.update(number) { $0.product.basePrice = Money(milliunits: price, .usd) }
                    try draft.writeThrough()
                    // The transaction itself reads its change.
                    let entry = try catalog.entry(TestCatalog.bundleID, on: connection)
                    #expect(entry?.products[Product.ID(rawValue: "film.roll")]?.basePrice.milliunits == price)
                    if fails { throw CatalogEditError(.state, "no") }
                }
            }
        }
        await #expect(throws: CatalogEditError.self) { try await edit(5, fails: true) }
        #expect(try await shop.buy("film.roll", as: "ann").price.milliunits == 990)
        // The next edit has the revision of the one that was rolled back.
        try await edit(1290, fails: false)
        #expect(try await shop.buy("film.roll", as: "ann").price.milliunits == 1290)
    }

    @Test func `an edit decodes no other product`() async throws {
        let shop = try await TestStore.make()
        try await shop.buy("film.roll", as: "ann")
        // Read from now on, the others would be left out of sales.
        try await shop.database.write { connection in
            try connection.execute("UPDATE products SET definition = '' WHERE product_id <> 'film.roll'")
        }
        try await setPrice(1290, of: "film.roll", shop)
        #expect(try await shop.buy("film.roll", as: "ann").price.milliunits == 1290)
        #expect(try await shop.buy("pass.summer", as: "ann").price.milliunits == 4990)
    }

    @Test func `a product that can't be read is left out alone`() async throws {
        let shop = try await TestStore.make()
        try await shop.database.write { connection in
            try connection.execute("UPDATE products SET definition = '{}' WHERE product_id = 'pass.summer'")
        }
        let again = try await TestStore.open(shop.database)
        #expect(try await again.refusal(of: "pass.summer", as: "ann").code == .productNotAvailable)
        try await again.buy("film.roll", as: "ann")
    }

    @Test func `an environment's own price outlives edits of other products`() async throws {
        let shop = try await TestStore.make()
        let own = PriceChange(Product.ID(rawValue: "film.roll"), milliunits: 790)
        _ = try await shop.store.products.changePrice(own, bundleID: TestCatalog.bundleID)
        try await setPrice(5490, of: "monthly", shop)
        #expect(try await shop.buy("film.roll", as: "ann").price.milliunits == 790)
        #expect(try await shop.buy("monthly", as: "ann").price.milliunits == 5490)
        // A new value in the catalog replaces it.
        try await setPrice(1290, of: "film.roll", shop)
        #expect(try await shop.buy("film.roll", as: "ann").price.milliunits == 1290)
    }
}
