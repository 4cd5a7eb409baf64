import Perennial
import PerennialStorage
import PerennialStore
import TestSupport
import Testing

/// Nodes whose URL names two servers, when the standby becomes the primary.
struct FailoverTests {
    /// Attempts of a request that is repeated until it is answered.
    private static let attempts = 200

    private static func node(_ servers: ReplicatedPostgreSQL, seed: UInt64 = 1, _ log: LineLog? = nil) async throws
        -> TestStore
    {
        let database = try Database(DatabaseLocation(url: servers.url), options: .forTests)
        try database.migrate()
        return try await TestStore.open(database, seed: seed, logger: log?.logger ?? TestStore.quiet)
    }

    /// Buys, and repeats that with its key while the database can't be reached.
    private static func buy(_ product: String, as account: String, key: String, at node: TestStore) async throws
        -> Perennial.Transaction
    {
        for _ in 1..<attempts {
            do {
                return try await node.buy(product, as: account, key: key)
            } catch let error as StorageError where error.isTemporary { continue }
        }
        return try await node.buy(product, as: account, key: key)
    }

    private static func sold(_ node: TestStore) async throws -> [TransactionID] {
        try await node.journal().filter { $0.entry.kind == .purchased }.compactMap(\.entry.transactionID)
    }

    @Test func `a node goes on with the server of its URL that is the primary now`() async throws {
        let servers = try await ReplicatedPostgreSQL(isSynchronous: true)
        defer { servers.remove() }
        let log = LineLog()
        let node = try await Self.node(servers, log)
        defer { node.database.close() }
        let before = try await node.buy("film.roll", as: "ann", key: "before")
        try await node.registry.nodes.beat()
        let id = node.registry.nodes.id
        try servers.failOver()
        let after = try await Self.buy("film.roll", as: "ann", key: "after", at: node)
        #expect(after.id > before.id)
        // A synchronous standby has everything.
        #expect(try await Self.buy("film.roll", as: "ann", key: "before", at: node).id == before.id)
        #expect(try await Self.sold(node) == [before.id, after.id])
        #expect(node.database.era == 1)
        try await node.registry.nodes.beat()
        #expect(node.registry.nodes.id == id)
        #expect(log.lines.contains { $0.contains("the database has failed over") })
        #expect(!log.lines.contains { $0.contains("earlier state") })
    }

    @Test func `a standby answers no reads`() async throws {
        let servers = try await ReplicatedPostgreSQL(isSynchronous: false)
        defer { servers.remove() }
        let node = try await Self.node(servers)
        defer { node.database.close() }
        _ = try await node.buy("film.roll", as: "ann", key: "before")
        // What a proxy does that takes the standby for the primary.
        let error = #expect(throws: StorageError.self) {
            try Database(DatabaseLocation(url: servers.standbyURL), options: .forTests)
        }
        #expect(error?.reason.contains("is a standby") == true)
    }

    @Test func `nodes forget what a failover has lost`() async throws {
        let servers = try await ReplicatedPostgreSQL(isSynchronous: false)
        defer { servers.remove() }
        let log = LineLog()
        let (one, two) = (try await Self.node(servers, log), try await Self.node(servers, seed: 2))
        defer { [one, two].forEach { $0.database.close() } }
        let kept = try await one.buy("film.roll", as: "ann", key: "kept")
        for node in [one, two] { try await node.registry.nodes.beat() }
        try await servers.follow()
        try await servers.detach()

        // Lost: a block of IDs and sales with them, a price, an environment, heartbeats.
        var lost = try await [two.buy("film.roll", as: "bob", key: "lost")]
        _ = try await one.store.products.changePrice(
            PriceChange(Product.ID(rawValue: "film.roll"), milliunits: 1_490), bundleID: TestCatalog.bundleID)
        for number in 0..<3 { lost.append(try await one.buy("film.roll", as: "ann", key: "lost-\(number)")) }
        #expect(lost.last?.price.milliunits == 1_490)
        _ = try await one.registry.makeEnvironment("lab", kind: .sandbox, clock: .real, now: nil)
        let lab = try await one.environment("lab")
        for node in [one, two] { for _ in 0..<3 { try await node.registry.nodes.beat() } }
        try servers.failOver()

        // The price of before counts, and no ID is given a second time.
        var sold: [Perennial.Transaction] = []
        for (number, node) in [one, two].enumerated() {
            for account in ["ann", "bob"] {
                let key = "after-\(account)-\(number)"
                sold.append(try await Self.buy("film.roll", as: account, key: key, at: node))
                #expect(sold.last?.price.milliunits == 990)
            }
        }
        #expect(Set((sold + lost + [kept]).map(\.id)).count == sold.count + lost.count + 1)
        #expect(try await Self.sold(one) == [kept.id] + sold.map(\.id))
        // The next change of the catalog has the number of the lost one.
        _ = try await two.store.products.changePrice(
            PriceChange(Product.ID(rawValue: "film.roll"), milliunits: 1_790), bundleID: TestCatalog.bundleID)
        #expect(try await one.buy("film.roll", as: "ann").price.milliunits == 1_790)
        // The next environment has the number of the lost one, and other secrets.
        #expect(try await one.registry.store(named: "lab") == nil)
        let again = try await two.registry.makeEnvironment("lab", kind: .sandbox, clock: .real, now: nil)
        #expect(again.id == lab.store.environment.id)
        #expect(try await one.environment("lab").store !== lab.store)
        try await one.registry.nodes.beat()
        #expect(log.lines.contains { $0.contains("the database is in an earlier state than this node has seen") })
    }

    @Test func `a node that finds its heartbeat gone back begins another era`() async throws {
        let node = try await TestStore.open(Engine.postgres.makeDatabase())
        let nodes = node.registry.nodes
        for _ in 0..<3 { try await nodes.beat() }
        let first = try await node.buy("film.roll", as: "ann")
        // As a backup that is restored under a running node leaves it.
        try await node.database.write { connection in
            try connection.execute("UPDATE nodes SET beat = 1")
            try connection.execute("UPDATE environments SET next_id = next_id - 4096")
        }
        try await nodes.beat()
        #expect(node.database.era == 1)
        #expect(try await node.buy("film.roll", as: "ann").id.rawValue > first.id.rawValue + 4_000)
    }
}
