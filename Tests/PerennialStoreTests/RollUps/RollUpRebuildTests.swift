import Perennial
import PerennialStorage
import TestSupport
import Testing

@testable import PerennialStore

/// Rebuilds of roll-ups while the store runs, and the worker that does them.
struct RollUpRebuildTests {
    private let app = TestCatalog.magazine()

    private func rollUps(_ shop: TestStore) -> RollUps {
        var rollUps = shop.store.rollUps
        rollUps.batchLimit = 10
        return rollUps
    }

    @Test(arguments: Engine.allCases)
    func `a rebuild gives the same rows while the store sells`(engine: Engine) async throws {
        let shop = try await RandomYear.shop(on: engine)
        var year = try await RandomYear(seed: 21, in: shop)
        try await year.live(60)
        let rollUps = rollUps(shop)
        let old = try await rollUps.bringUpToDate(app)
        try await rollUps.startRebuild(app.bundleID)
        // A second request joins the running one.
        try await rollUps.startRebuild(app.bundleID)
        var reached: [Int64] = []
        while let position = try await rollUps.statuses().first?.rebuilt {
            reached.append(position)
            #expect(try await rollUps.bringUpToDate(app) == old)
            _ = try await rollUps.work(on: app.appleID)
            if reached.count < 4 { try await year.live(3) }
        }
        #expect(reached.count > 4)
        #expect(reached == reached.sorted())
        let new = try await rollUps.bringUpToDate(app)
        #expect(new.generation == old.generation + 1)
        let expected = try await SalesRows(recomputing: shop)
        #expect(try await SalesRows(new, in: shop.database) == expected)
        // The old one is kept for its readers for a while.
        let isWorkLeft = try await rollUps.work(on: app.appleID)
        #expect(!isWorkLeft)
        let kept = try await SalesRows(old, in: shop.database)
        #expect(!kept.isEmpty)
        shop.clock.advance(by: RollUps.retention)
        while try await rollUps.work(on: app.appleID) {}
        #expect(try await SalesRows(old, in: shop.database).isEmpty)
        #expect(try await SalesRows(new, in: shop.database) == expected)
        #expect(try await shop.count("roll_up_heads") == 1)
    }

    @Test func `a rebuild repairs rows that were changed`() async throws {
        let shop = try await RandomYear.shop()
        var year = try await RandomYear(seed: 22, in: shop)
        try await year.live(40)
        let rollUps = rollUps(shop)
        let old = try await rollUps.bringUpToDate(app)
        try await shop.database.write { try $0.execute("UPDATE sales_roll_up SET units = units + 1") }
        let expected = try await SalesRows(recomputing: shop)
        #expect(try await SalesRows(old, in: shop.database) != expected)
        try await rollUps.startRebuild(app.bundleID)
        while try await rollUps.statuses().first?.rebuilt != nil { _ = try await rollUps.work(on: app.appleID) }
        let new = try await rollUps.bringUpToDate(app)
        #expect(try await SalesRows(new, in: shop.database) == expected)
    }

    @Test func `the worker keeps all environments up to date`() async throws {
        let production = try await RandomYear.shop()
        let sandbox = try await production.environment("Sandbox")
        for shop in [production, sandbox] { try await shop.buy("film.roll", as: "ann") }
        try await production.buy("lens", as: "ann", app: TestCatalog.otherBundleID)
        production.clock.advance(by: .seconds(3))
        #expect(try await production.store.rollUps.statuses().map(\.lagMilliseconds) == [3000, 3000])
        await RollUpScheduler(production.registry, logger: TestStore.quiet).run { throw CancellationError() }
        for (shop, apps) in [(production, 2), (sandbox, 1)] {
            let statuses = try await shop.store.rollUps.statuses()
            #expect(statuses.count == apps)
            #expect(statuses.allSatisfy { $0.position == $0.journal && $0.lagMilliseconds == 0 })
        }
        try await Self.expectAgreement(sandbox)
    }

    private static func expectAgreement(_ shop: TestStore) async throws {
        let key = try await shop.store.rollUps.bringUpToDate(TestCatalog.magazine())
        let rows = try await SalesRows(key, in: shop.database)
        let expected = try await SalesRows(recomputing: shop)
        #expect(rows == expected)
    }

    @Test func `an app without commerce has no rows, and no write is made for it`() async throws {
        let shop = try await RandomYear.shop()
        let key = try await shop.store.rollUps.bringUpToDate(TestCatalog.camera)
        #expect(try await SalesRows(key, in: shop.database).isEmpty)
        #expect(try await shop.count("roll_up_heads") == 0)
        #expect(try await shop.store.rollUps.statuses().isEmpty)
    }
}
