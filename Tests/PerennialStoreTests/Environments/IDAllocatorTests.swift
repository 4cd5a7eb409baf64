import Perennial
import PerennialStorage
import TestSupport
import Testing

@testable import PerennialStore

/// IDs after a failover that lost commits: none is given a second time.
struct IDAllocatorTests {
    private static func draw(_ count: Int, from node: IDAllocator) async throws -> [Int64] {
        var drawn: [Int64] = []
        while drawn.count < count {
            do {
                drawn.append(try node.next())
            } catch is IDAllocator.BlockExhausted {
                try await node.refill(attempt: 1)
            }
        }
        return drawn
    }

    @Test func `no node takes IDs of a lost block of another node`() async throws {
        let location = try Engine.postgres.makeLocation()
        let databases = try (0..<2).map { _ in try Database(location, options: .forTests) }
        try databases[0].migrate()
        _ = try await TestStore.open(databases[0])
        var limits = WorkLimits()
        limits.idBlockSize = 16
        let nodes = databases.map { IDAllocator(.sandbox, database: $0, limits) }
        try await databases[0].write { try $0.execute("CREATE TABLE kept AS TABLE environments") }
        let lost = try await Self.draw(16, from: nodes[0]) + Self.draw(40, from: nodes[1])
        try await databases[0].write { connection in
            try connection.execute(
                "UPDATE environments SET next_id = (SELECT next_id FROM kept WHERE kept.id = environments.id)")
        }
        for database in databases { database.renewEra() }
        let next = try await Self.draw(40, from: nodes[0]) + Self.draw(40, from: nodes[1])
        #expect(Set(lost + next).count == lost.count + next.count)
        // Once for each era.
        let later = try await Self.draw(100, from: nodes[1])
        #expect(try #require(later.last) - #require(next.last) < IDAllocator.eraGap)
    }

    @Test func `a purchase that waits during a failover gets an ID of the new era`() async throws {
        var options = DatabaseOptions.forTests
        options.connections = 1
        let database = try Engine.postgres.makeDatabase(options: options)
        let shop = try await TestStore.open(database)
        let film = Product.ID(rawValue: "film.roll")
        let buyer = try await shop.customer("ann")
        let first = try await shop.store.purchases.buy(
            PurchaseRequest(productID: film, idempotencyKey: "first"), by: buyer)
        let turn = HeldTurn()
        async let held: Void = turn.hold(database)
        await turn.hasBegun()
        async let waiting = shop.store.purchases.buy(
            PurchaseRequest(productID: film, idempotencyKey: "second"), by: buyer)
        await database.untilWritesWait(1)
        database.renewEra()
        turn.end()
        try await held
        let second = try await waiting
        #expect(second.id.rawValue - first.id.rawValue >= IDAllocator.eraGap)
        #expect(try await shop.buy("film.roll", as: "ann", key: "second").id == second.id)
        #expect(try await shop.journal().compactMap(\.entry.transactionID) == [first.id, second.id])
    }
}
