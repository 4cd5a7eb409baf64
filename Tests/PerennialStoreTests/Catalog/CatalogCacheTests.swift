import AppStoreFormats
import Perennial
import PerennialStorage
import PerennialStore
import TestSupport
import Testing

/// The catalog's cache: the next purchase sees another node's change.
struct CatalogCacheTests {
    @Test(arguments: Engine.lasting)
    func `a catalog change is seen at once on every node`(engine: Engine) async throws {
        let location = try engine.makeLocation()
        let databases = try (0..<2).map { _ in try Database(location, options: .forTests) }
        try databases[0].migrate()
        let one = try await TestStore.open(databases[0])
        let two = try await TestStore.open(databases[1], seed: 2)
        for node in [one, two] { #expect(try await node.buy("film.roll", as: "ann").price.milliunits == 990) }
        var app = TestCatalog.magazine()
        app.products.removeAll { $0.id.rawValue == "filter.amber" }
        for index in app.products.indices where app.products[index].id.rawValue == "film.roll" {
            app.products[index].basePrice = Money(milliunits: 1290, .usd)
        }
        _ = try await TestStore.open(databases[0], app: app)
        for node in [one, two] {
            #expect(try await node.buy("film.roll", as: "ann").price.milliunits == 1290)
            #expect(try await node.refusal(of: "filter.amber", as: "ann").code == .productNotAvailable)
        }
    }

    @Test func `receipts keep purchases of products removed from the catalog`() async throws {
        let shop = try await TestStore.make()
        let sold = try await shop.buyAndFinish("filter.amber", as: "ann")
        var app = TestCatalog.magazine()
        app.products.removeAll()
        let emptied = try await TestStore.open(shop.database, app: app)
        #expect(try await emptied.readReceipt(of: "ann").purchases.count == 1)
        #expect(try await emptied.verify(emptied.transactionReceipt(of: sold, as: "ann"))["status"] == 0)
        #expect(try await emptied.restore("ann").map(\.original.id) == [sold.id])
        try await emptied.refund(sold)
    }
}
