import Perennial
import PerennialStorage
import Synchronization
import TestSupport
import Testing

@testable import PerennialStore

/// Nodes of two adjacent versions on one database. This program is the earlier version, whose list of migrations is one shorter;
/// the newer one is this program with a migration that it pretends to know.
struct MixedVersionTests {
    private static let number = Migration.all.count + 1

    /// Additions of each kind, to tables that every purchase writes.
    private static let adding =
        Migration.all + [
            Migration(
                number: number, name: "adding", allowsEarlierNodes: true,
                statements: [
                    "CREATE TABLE gifts (id BIGINT PRIMARY KEY, note TEXT NOT NULL)",
                    "ALTER TABLE transactions ADD COLUMN gift BIGINT NOT NULL DEFAULT 7",
                    "ALTER TABLE subscriptions ADD COLUMN gift TEXT",
                    "ALTER TABLE customers ADD COLUMN gift TEXT NOT NULL DEFAULT 'none'",
                    "ALTER TABLE journal ADD COLUMN gift BIGINT",
                    "CREATE INDEX transactions_by_gift ON transactions (environment, app, gift)",
                ])
        ]

    private static let changing =
        Migration.all + [
            Migration(
                number: number, name: "changing",
                statements: ["CREATE TABLE gifts (id BIGINT PRIMARY KEY, note TEXT NOT NULL)"])
        ]

    private static func open(
        _ location: DatabaseLocation, _ migrations: [Migration], seed: UInt64
    ) async throws -> TestStore {
        let database = try Database(location, options: .forTests)
        try database.migrate(migrations)
        let node = try await TestStore.open(database, seed: seed, migrations: migrations.count)
        node.registry.nodes.startWorking()
        return node
    }

    /// Buys with each key at each node at once, from customers that the nodes share.
    ///
    /// - Returns: The transactions by key.
    private static func sell(_ keys: Range<Int>, on nodes: [TestStore]) async throws -> [Int: Set<TransactionID>] {
        try await withThrowingTaskGroup(of: (Int, TransactionID).self) { group in
            for key in keys {
                for node in nodes {
                    group.addTask {
                        (key, try await node.buy("film.roll", as: "customer \(key % 3)", key: "key-\(key)").id)
                    }
                }
            }
            return try await group.reduce(into: [:]) { $0[$1.0, default: []].insert($1.1) }
        }
    }

    private static func expectOneJournal(_ nodes: [TestStore], sales: Int) async throws {
        for node in nodes {
            let positions = try await node.database.read { connection in
                try connection.query("SELECT position FROM journal ORDER BY position") { try $0.integer(0) }
            }
            #expect(positions == (0..<positions.count).map { Int64($0 + 1) })
            let sold = try await node.database.read { connection in
                try connection.first("SELECT COUNT(*) FROM transactions WHERE product = 'film.roll'") {
                    try $0.integer(0)
                }
            }
            #expect(sold == Int64(sales))
        }
    }

    @Test func `a node sells on while a newer version adds, and both sell side by side`() async throws {
        let location = try Engine.postgres.makeLocation()
        let earlier = try await Self.open(location, Migration.all, seed: 1)
        try await earlier.buy("monthly", as: "ann")
        // The migration waits for running purchases, and the next ones for it.
        async let before = Self.sell(0..<30, on: [earlier])
        let newer = try await Self.open(location, Self.adding, seed: 2)
        let first = try await before
        #expect(first.values.allSatisfy { $0.count == 1 })
        let nodes = [earlier, newer]
        try await TestStore.pass(3_000, on: nodes)
        #expect(
            try await newer.registry.nodeStatuses().map(\.node.migrations)
                == [Int64(Migration.all.count), Int64(Self.adding.count)])
        #expect(try await newer.registry.nodeStatuses().allSatisfy { !$0.works.isEmpty })
        #expect(try await Self.sell(0..<60, on: nodes).values.allSatisfy { $0.count == 1 })
        // Rows of the earlier version have the addition's default, and either version renews them.
        let gifts = try await newer.database.read { connection in
            try connection.query("SELECT DISTINCT gift FROM transactions") { try $0.integer(0) }
        }
        #expect(gifts == [7])
        for node in nodes { node.clock.advance(by: .minutes(6)) }
        try await TestStore.pass(500, on: nodes)
        for node in nodes {
            guard let lease = node.registry.nodes.lease(LeasesTable.Key(.renewals, .sandbox)) else { continue }
            try await node.store.renewals.processDue(under: lease)
        }
        let renewed = try await newer.database.read { connection in
            try connection.first("SELECT COUNT(*) FROM journal WHERE kind = 'renewed'") { try $0.integer(0) }
        }
        #expect(renewed == 1)
        try await Self.expectOneJournal(nodes, sales: 60)
    }

    @Test func `the earlier version starts again beside an addition`() async throws {
        let location = try Engine.postgres.makeLocation()
        let newer = try await Self.open(location, Self.adding, seed: 1)
        let earlier = try await Self.open(location, Migration.all, seed: 2)
        try await TestStore.pass(3_000, on: [newer, earlier])
        #expect(try await Self.sell(0..<30, on: [newer, earlier]).values.allSatisfy { $0.count == 1 })
        try await earlier.registry.nodes.leave()
        let again = try await Self.open(location, Migration.all, seed: 3)
        #expect(try await Self.sell(0..<60, on: [newer, again]).values.allSatisfy { $0.count == 1 })
        try await Self.expectOneJournal([newer, again], sales: 60)
    }

    @Test func `a change is refused while the earlier version sells, which is refused after it`() async throws {
        let location = try Engine.postgres.makeLocation()
        let earlier = try await Self.open(location, Migration.all, seed: 1)
        async let sold = Self.sell(0..<30, on: [earlier])
        await #expect(throws: StorageError(.earlierNodes, "", "")) {
            _ = try await Self.open(location, Self.changing, seed: 2)
        }
        let keys = try await sold
        #expect(keys.count == 30)
        // It goes on as if nothing had been.
        try await TestStore.pass(1_000, on: [earlier])
        #expect(try await Self.sell(30..<40, on: [earlier]).count == 10)
        try await earlier.registry.nodes.leave()
        let newer = try await Self.open(location, Self.changing, seed: 2)
        await #expect(throws: StorageError(.newerSchema, "", "")) {
            _ = try await Self.open(location, Migration.all, seed: 3)
        }
        #expect(try await Self.sell(40..<50, on: [newer]).count == 10)
        try await Self.expectOneJournal([newer], sales: 50)
    }

    @Test func `a node of the earlier version that registers after a change is refused`() async throws {
        let location = try Engine.postgres.makeLocation()
        let database = try Database(location, options: .forTests)
        try database.migrate()
        // It has found the database as it knows it, and registers when another node has migrated it.
        let earlier = NodeMembership(
            database: database, NodeDescription(migrations: Migration.all.count), wallClock: { TestStore.opening },
            clock: nil, elapsed: { 0 }, logger: TestStore.quiet)
        let newer = try await Self.open(location, Self.changing, seed: 2)
        await #expect(throws: StorageError(.newerSchema, "", "")) { try await earlier.register() }
        #expect(earlier.id == nil)
        #expect(try await newer.registry.nodeStatuses().map(\.isThis) == [true])
    }

    @Test func `a node of the earlier version that was taken for dead stops after a change`() async throws {
        let location = try Engine.postgres.makeLocation()
        let earlier = try await Self.open(location, Migration.all, seed: 1)
        try await TestStore.pass(1_000, on: [earlier])
        let database = try Database(location, options: .forTests)
        let time = Mutex<Int64>(0)
        // It is suspended: its heartbeat stands still.
        try await UpgradeCheck.removeDeadNodes(
            of: database, before: Self.changing, elapsed: { time.withLock { $0 } }
        ) { time.withLock { $0 += 500 } }
        let newer = try await Self.open(location, Self.changing, seed: 2)
        await #expect(throws: StorageError(.newerSchema, "", "")) {
            // The heartbeat finds that it isn't registered any more.
            try await earlier.registry.nodes.beat()
        }
        try await TestStore.pass(1_000, on: [newer])
        #expect(try await Self.sell(0..<10, on: [newer]).count == 10)
    }
}
