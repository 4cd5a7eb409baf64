import AppStoreFormats
import Dispatch
import Perennial
import PerennialConnect
import PerennialStorage
import Synchronization
import TestSupport
import Testing

@testable import PerennialStore

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

    @Test(arguments: Engine.lasting)
    func `a price of one environment holds on every node beside edits of the catalog`(engine: Engine) async throws {
        let location = try engine.makeLocation()
        let databases = try (0..<2).map { _ in try Database(location, options: .forTests) }
        try databases[0].migrate()
        let nodes = [
            try await TestStore.open(databases[0]), try await TestStore.open(databases[1], seed: 2),
        ]
        let editor = CatalogEditor(database: databases[1]) { TestStore.opening }
        func expect(_ film: Int64, _ monthly: Int64, elsewhere: Int64, _ step: Comment) async throws {
            for node in nodes {
                let other = try await node.environment("Production")
                for (shop, id, price) in [
                    (node, "film.roll", film), (node, "monthly", monthly), (other, "film.roll", elsewhere),
                ] {
                    let id = Product.ID(rawValue: id)
                    let product = try await shop.store.products.prices(of: id, bundleID: TestCatalog.bundleID).product
                    #expect(product.basePrice.milliunits == price, step)
                    let listed = try await shop.store.app(TestCatalog.bundleID).products.first { $0.id == id }
                    #expect(listed == product, step)
                }
            }
        }
        func edit(_ id: String, _ change: @escaping @Sendable (inout Product) -> Void) async throws {
            try await editor.edit(by: .control) { draft in
                let product = try #require(try draft.product(Product.ID(rawValue: id), app: 1_234_567))
                try draft.update(product.appleID) { change(&$0.product) }
            }
        }
        try await expect(990, 4990, elsewhere: 990, "the catalog's prices")
        let own = PriceChange(Product.ID(rawValue: "film.roll"), milliunits: 1490)
        _ = try await nodes[0].store.products.changePrice(own, bundleID: TestCatalog.bundleID)
        try await expect(1490, 4990, elsewhere: 990, "a price of one environment")
        try await edit("monthly") { $0.basePrice = Money(milliunits: 5990, .usd) }
        try await expect(1490, 5990, elsewhere: 990, "another product's price in the catalog")
        try await edit("film.roll") { $0.referenceName = "Film" }
        try await expect(1490, 5990, elsewhere: 990, "the product's name in the catalog")
        try await edit("film.roll") { $0.basePrice = Money(milliunits: 1190, .usd) }
        try await expect(1190, 5990, elsewhere: 1190, "the product's price in the catalog")
        try await edit("film.roll") { $0.id = Product.ID(rawValue: "film") }
        for node in nodes { #expect(try await node.refusal(of: "film.roll", as: "ann").code == .productNotAvailable) }
    }

    @Test func `products of lost edits are forgotten with their era`() async throws {
        let location = try Engine.postgres.makeLocation()
        let databases = try (0..<2).map { _ in try Database(location, options: .forTests) }
        try databases[0].migrate()
        _ = try await TestStore.open(databases[0])
        let editors = databases.map { CatalogEditor(database: $0) { TestStore.opening } }
        func edit(_ id: String, at node: Int, _ change: @escaping @Sendable (inout Product) -> Void) async throws {
            try await editors[node].edit(by: .control) { draft in
                let product = try #require(try draft.product(Product.ID(rawValue: id), app: 1_234_567))
                try draft.update(product.appleID) { change(&$0.product) }
            }
        }
        func film(at node: Int) async throws -> Product {
            try await editors[node].read { reader in
                try #require(try reader.product(Product.ID(rawValue: "film.roll"), app: 1_234_567)).product
            }
        }
        let before = try await film(at: 0)
        let tables = ["products", "catalog_head", "catalog_changes"]
        try await databases[1].write { connection in
            for table in tables { try connection.execute(SQL("CREATE TABLE kept_\(table) AS TABLE \(table)")) }
        }
        for milliunits: Int64 in [1_490, 1_790] {
            try await edit("film.roll", at: 0) { $0.basePrice = Money(milliunits: milliunits, .usd) }
        }
        #expect(try await film(at: 0).basePrice.milliunits == 1_790)
        // As a failover to a standby without the last two edits leaves it.
        try await databases[1].write { connection in
            for table in tables {
                try connection.execute(SQL("DELETE FROM \(table)"))
                try connection.execute(SQL("INSERT INTO \(table) SELECT * FROM kept_\(table)"))
            }
        }
        databases[0].renewEra()
        // The next two edits have the revisions of the lost ones.
        for name in ["One", "Two"] { try await edit("monthly", at: 1) { $0.referenceName = name } }
        #expect(try await film(at: 0) == before)
        try await edit("film.roll", at: 0) { $0.referenceName = "Film" }
        for node in [0, 1] {
            let film = try await film(at: node)
            #expect(film.basePrice == before.basePrice && film.referenceName == "Film")
        }
    }

    @Test func `an edit that was decided in an earlier era is decided again`() async throws {
        let database = try Engine.postgres.makeDatabase()
        _ = try await TestStore.open(database)
        let editor = CatalogEditor(database: database) { TestStore.opening }
        let runs = Mutex(0)
        try await editor.edit(by: .control) { draft in
            let product = try #require(try draft.product(Product.ID(rawValue: "monthly"), app: 1_234_567))
            let isFirst = runs.withLock { runs in
                runs += 1
                return runs == 1
            }
            if isFirst { database.renewEra() }
            try draft.update(product.appleID) { $0.product.referenceName = "Monthly" }
        }
        #expect(runs.withLock { $0 } == 2)
    }

    @Test func `a later round of a group of writes sees another node's change`() async throws {
        let location = try Engine.postgres.makeLocation()
        var options = DatabaseOptions.forTests
        options.connections = 1
        options.serverGroupMilliseconds = 60_000
        let (first, second) = (try Database(location, options: options), try Database(location, options: .forTests))
        try first.migrate()
        let one = try await TestStore.open(first)
        let two = try await TestStore.open(second, seed: 2)
        /// A transaction's number, and the price that it read.
        struct Read: Sendable, Hashable {
            var transaction: Int64
            var price: Int64?
        }
        let read: @Sendable (any Connection) throws -> Read = { [cache = one.registry.catalog] connection in
            let entries = try cache.entries(in: one.store.environment, on: connection)
            let price = entries.byBundleID[TestCatalog.bundleID]?.products[Product.ID(rawValue: "film.roll")]?.basePrice
            let number = try connection.first("SELECT CAST(pg_current_xact_id() AS TEXT)") { try $0.text(0) }
            return Read(transaction: Int64(number ?? "") ?? 0, price: price?.milliunits)
        }
        let turn = HeldTurn()
        async let held: Void = turn.hold(first)
        await turn.hasBegun()
        // The group's first round: the second of its bodies waits.
        let (arrivals, arrived) = AsyncStream.makeStream(of: Void.self)
        let mayEnd = DispatchSemaphore(value: 0)
        let body: @Sendable (any Connection) throws -> Read = { connection in
            let found = try read(connection)
            arrived.yield()
            mayEnd.wait()
            return found
        }
        async let former = first.write(body)
        async let latter = first.write(body)
        await first.untilWritesWait(2)
        turn.end()
        try await held
        for await _ in arrivals { break }
        _ = try await two.store.products.changePrice(
            PriceChange(Product.ID(rawValue: "film.roll"), milliunits: 1_490), bundleID: TestCatalog.bundleID)
        async let third = first.write(read)
        async let fourth = first.write(read)
        await first.untilWritesWait(2)
        for _ in 1...2 { mayEnd.signal() }
        let (early, late) = (try await [former, latter], try await [third, fourth])
        #expect(early.contains { $0.price == 990 })
        #expect(Set((early + late).map(\.transaction)).count == 1)
        #expect(late.allSatisfy { $0.price == 1_490 }, "\(late)")
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
