import Perennial
import PerennialStorage
import TestSupport
import Testing

@testable import PerennialStore

/// Roll-ups of sales equal a recomputation from the journal, whatever happens on the way.
struct RollUpTests {
    private let app = TestCatalog.magazine()

    /// Returns the roll-ups with another size of batches.
    private func rollUps(_ shop: TestStore, batches size: Int = RollUps.batchSize) -> RollUps {
        var rollUps = shop.store.rollUps
        rollUps.batchLimit = size
        return rollUps
    }

    private func expectAgreement(_ key: RollUpKey, _ shop: TestStore) async throws {
        let rows = try await SalesRows(key, in: shop.database)
        let expected = try await SalesRows(recomputing: shop)
        let money = try await money(of: shop)
        #expect(rows == expected)
        #expect(!rows.isEmpty)
        for grain in SalesRollUpTable.Grain.allCases { #expect(rows.money(grain) == money) }
    }

    /// Returns the sums of the app's postings by account and currency.
    private func money(of shop: TestStore) async throws -> [String: Int64] {
        let sums = try await shop.database.read { [app] in
            try $0.query(
                """
                SELECT account, currency, CAST(SUM(amount) AS BIGINT) FROM postings WHERE app = $1
                GROUP BY account, currency
                """, [.integer(app.appleID)]
            ) {
                ("\(try $0.text(0)) \(try $0.text(1))", try $0.integer(2))
            }
        }
        return Dictionary(uniqueKeysWithValues: sums).filter { $0.value != 0 }
    }

    @Test(arguments: Engine.allCases, [UInt64(1), 2, 3])
    func `roll-ups of a random year equal a naive recomputation`(engine: Engine, seed: UInt64) async throws {
        let shop = try await RandomYear.shop(on: engine)
        var year = try await RandomYear(seed: seed, in: shop)
        try await year.live(60)
        try await expectAgreement(try await shop.store.rollUps.bringUpToDate(app), shop)
        // What follows is added.
        try await year.live(60)
        try await expectAgreement(try await shop.store.rollUps.bringUpToDate(app), shop)
    }

    @Test(arguments: [1, 2, 7, 100])
    func `the size of batches makes no difference`(size: Int) async throws {
        let shop = try await RandomYear.shop()
        var year = try await RandomYear(seed: 4, in: shop)
        try await year.live(120)
        let key = try await rollUps(shop, batches: size).bringUpToDate(app)
        try await expectAgreement(key, shop)
    }

    @Test(arguments: [FaultPoint.beforeCommit, .afterCommit])
    func `an entry counts once whichever commit fails`(point: FaultPoint) async throws {
        let fault = TestFault()
        let shop = try await RandomYear.shop(on: .sqlite, fault: fault)
        var year = try await RandomYear(seed: 5, in: shop)
        try await year.live(100)
        var failures = 0
        for commits in 0..<12 {
            fault.inject(at: point, after: commits)
            do {
                _ = try await rollUps(shop, batches: 9).bringUpToDate(app)
            } catch is TestFault.InjectedError {
                failures += 1
            }
            fault.inject(at: point, after: .max)
            try await year.live(10)
        }
        #expect(failures > 3)
        try await expectAgreement(try await shop.store.rollUps.bringUpToDate(app), shop)
    }

    @Test(arguments: Engine.lasting)
    func `two nodes keep one set of roll-ups`(engine: Engine) async throws {
        let location = try engine.makeLocation()
        let databases = try [1, 2].map { _ in
            let database = try Database(location, options: .forTests)
            try database.migrate()
            return database
        }
        let first = try await TestStore.open(databases[0], "Production")
        let second = try await TestStore.open(databases[1], "Production", seed: 2)
        var year = try await RandomYear(seed: 6, in: first)
        for _ in 0..<3 {
            try await year.live(50)
            let nodes = [rollUps(first, batches: 5), rollUps(second, batches: 8)]
            let keys = try await withThrowingTaskGroup(of: RollUpKey.self) { group in
                for node in nodes { group.addTask { try await node.bringUpToDate(TestCatalog.magazine()) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(Set(keys).count == 1)
            try await expectAgreement(keys[0], first)
        }
    }

    @Test func `a reset starts the roll-ups again`() async throws {
        let shop = try await RandomYear.shop()
        var year = try await RandomYear(seed: 7, in: shop)
        try await year.live(40)
        let before = try await shop.store.rollUps.bringUpToDate(app)
        try await shop.store.reset()
        #expect(try await SalesRows(before, in: shop.database).isEmpty)
        var again = try await RandomYear(seed: 8, in: shop)
        try await again.live(40)
        let key = try await shop.store.rollUps.bringUpToDate(app)
        // A batch that was computed before the reset finds no head.
        #expect(key.generation > before.generation)
        try await expectAgreement(key, shop)
    }

    @Test func `a batch of another generation or position isn't written`() async throws {
        let shop = try await RandomYear.shop()
        var year = try await RandomYear(seed: 9, in: shop)
        try await year.live(30)
        let key = try await shop.store.rollUps.bringUpToDate(app)
        let isMoved = try await shop.database.write {
            try RollUpHeadsTable.advance(key, from: 1, to: 5, on: $0)
        }
        #expect(!isMoved)
        var other = key
        other.generation += 1
        #expect(try await shop.store.rollUps.process(other, app) == .conflict)
        #expect(try await shop.store.rollUps.process(key, app) == .upToDate)
    }

    @Test func `a batch of a lost history isn't written into the new one`() async throws {
        var options = DatabaseOptions.forTests
        options.connections = 1
        let database = try Engine.postgres.makeDatabase(options: options)
        let shop = try await TestStore.open(database, "Production")
        for account in ["ann", "ben", "cid"] { try await shop.buy("film.roll", as: account) }
        let key = try await shop.store.rollUps.current(app).key
        let turn = HeldTurn()
        // As a failover without the last purchase leaves it.
        async let held: Void = turn.hold(database) { connection in
            try connection.execute("UPDATE journal_heads SET position = 2 WHERE position = 3")
            for table in ["journal", "postings"] {
                try connection.execute(SQL("DELETE FROM \(table) WHERE position = 3"))
            }
            try connection.execute("DELETE FROM transactions WHERE journal_position = 3")
        }
        await turn.hasBegun()
        async let outcome = shop.store.rollUps.process(key, app)
        await database.untilWritesWait(1)
        database.renewEra()
        turn.end()
        try await held
        #expect(try await outcome == .conflict)
        try await shop.buy("film.roll", quantity: 5, as: "dea")
        try await expectAgreement(try await shop.store.rollUps.bringUpToDate(app), shop)
    }

    @Test(arguments: Engine.allCases)
    func `a batch computed before a month was closed isn't written`(engine: Engine) async throws {
        let shop = try await RandomYear.shop(on: engine)
        try await shop.buy("film.roll", as: "ann")
        let key = try await shop.store.rollUps.bringUpToDate(app)
        let changes = try await shop.database.read { [rollUps = shop.store.rollUps, app] connection in
            try SalesRollUp().changes(
                for: rollUps.batch(after: 0, limit: 10, key, app, on: connection), on: connection)
        }
        shop.clock.advance(by: .days(60))
        try await shop.store.finance.close(FiscalMonth(containing: PacificDay(TestStore.opening)))
        await #expect(throws: RollUpConflict.self) {
            try await shop.database.write { try changes.write(key, on: $0) }
        }
        try await expectAgreement(key, shop)
    }

    @Test func `days have exactly their entries`() async throws {
        let shop = try await RandomYear.shop()
        var year = try await RandomYear(seed: 10, in: shop)
        try await year.live(100)
        let journal = try await shop.journal()
        let days = Set(journal.map { PacificDay($0.entry.at) }).sorted()
        let first = try #require(days.first)
        let last = try #require(days.last)
        for span in [first...first, first...last, days[days.count / 2]...last] {
            let found = Positions()
            try await rollUps(shop, batches: 11).entries(of: span, app) { batch in
                #expect(batch.entries.count <= 11)
                await found.add(batch.entries.map(\.position))
            }
            #expect(await found.all == journal.filter { span.contains(PacificDay($0.entry.at)) }.map(\.position))
        }
        let all = Positions()
        try await rollUps(shop, batches: 11).allEntries(of: app, through: .max) {
            await all.add($0.entries.map(\.position))
        }
        #expect(await all.all == journal.map(\.position))
    }

    @Test func `batches have postings, transactions and the sales of refunds`() async throws {
        let shop = try await RandomYear.shop()
        var year = try await RandomYear(seed: 11, in: shop)
        try await year.live(120)
        let journal = Dictionary(uniqueKeysWithValues: try await shop.journal().map { ($0.position, $0.entry) })
        try await rollUps(shop, batches: 10).allEntries(of: app, through: .max) { batch in
            for entry in batch.entries {
                #expect(entry.entry.postings == journal[entry.position]?.postings)
                #expect(entry.transaction?.id == entry.entry.transactionID || entry.entry.kind == .finished)
                #expect((entry.sale != nil) == entry.entry.kind.refersToSale)
                if let sale = entry.sale { #expect(sale.at <= entry.entry.at) }
            }
        }
    }
}

/// Positions that a stream has brought.
private actor Positions {
    private(set) var all: [Int64] = []

    func add(_ positions: [Int64]) { all += positions }
}
