import Perennial
import PerennialStorage
import PerennialStore
import TestSupport
import Testing

struct RestoreTests {
    @Test(arguments: Engine.allCases)
    func `a restore returns non-consumables and subscriptions only`(engine: Engine) async throws {
        let shop = try await TestStore.make(on: engine)
        var bought: [String: Transaction] = [:]
        for product in ["film.roll", "pass.1week", "newsletter", "filter.amber", "monthly"] {
            bought[product] = try await shop.buyAndFinish(product, as: "ann")
        }
        try await shop.buyAndFinish("filter.amber", as: "ben")
        let restored = try await shop.restore("ann")
        #expect(restored.map(\.original.productID.rawValue) == ["newsletter", "filter.amber", "monthly"])
        for item in restored {
            #expect(item.original.id == bought[item.original.productID.rawValue]?.id)
            #expect(item.original.isFinished)
        }
        // Each restore has new IDs.
        let again = try await shop.restore("ann")
        #expect(Set(restored.map(\.id) + again.map(\.id) + bought.values.map(\.id)).count == 11)
    }

    @Test func `unfinished transactions are offered, not restored`() async throws {
        let shop = try await TestStore.make()
        let filter = try await shop.buy("filter.amber", as: "ann")
        #expect(try await shop.restore("ann").isEmpty)
        #expect(try await unfinished(shop) == [filter.id])
        try await shop.finish(filter, as: "ann")
        #expect(try await shop.restore("ann").count == 1)
        #expect(try await unfinished(shop) == [])
    }

    @Test(arguments: Engine.allCases)
    func `a non-consumable is restored once, a revoked one not`(engine: Engine) async throws {
        let shop = try await TestStore.make(on: engine)
        let first = try await shop.buyAndFinish("filter.amber", as: "ann")
        try await shop.buyAndFinish("filter.amber", as: "ann")
        let lens = try await shop.buyAndFinish("monthly", as: "ann")
        #expect(try await shop.restore("ann").map(\.original.originalID) == [first.id, lens.id])
        try await shop.refund(lens)
        #expect(try await shop.restore("ann").map(\.original.originalID) == [first.id])
    }

    @Test(arguments: Engine.allCases)
    func `a subscription is restored with every finished period`(engine: Engine) async throws {
        let shop = try await TestStore.make(on: engine)
        let first = try await shop.buyAndFinish("monthly", as: "ann")
        // Long over, renewals and all: it is bought again and continues its history.
        try await shop.advance(by: .hours(2))
        let renewals = try await shop.store.transactions.unfinished(of: shop.customer("ann")).transactions
        for renewal in renewals { try await shop.finish(renewal, as: "ann") }
        let second = try await shop.buyAndFinish("monthly", as: "ann")
        #expect(second.originalID == first.id)
        let restored = try await shop.restore("ann")
        #expect(restored.count == 2 + renewals.count)
        #expect(restored.allSatisfy { $0.original.originalID == first.id })
        #expect(Set(restored.compactMap(\.original.webOrderLineItemID)).count == restored.count)
    }

    @Test func `a restore by username returns that user's purchases`() async throws {
        let shop = try await TestStore.make()
        let mine = try await shop.buyAndFinish("filter.amber", as: "ann", username: "hash of ann")
        try await shop.buyAndFinish("newsletter", as: "ann", username: "hash of her sister")
        #expect(try await shop.restore("ann", username: "hash of ann").map(\.original.id) == [mine.id])
        #expect(try await shop.restore("ann", username: "nobody").isEmpty)
        #expect(try await shop.restore("ann").count == 2)
    }

    @Test func `a customer without purchases restores nothing`() async throws {
        let shop = try await TestStore.make()
        #expect(try await shop.restore("ann").isEmpty)
        #expect(try await shop.journal().isEmpty)
    }

    @Test func `restoring changes no purchase`() async throws {
        let shop = try await TestStore.make()
        try await shop.buyAndFinish("filter.amber", as: "ann")
        let ann = try await shop.customer("ann")
        let restored = try #require(try await shop.restore("ann").first)
        let entries = try await shop.journal().count
        try await shop.store.transactions.finish(restored.id, by: ann)
        #expect(try await shop.journal().count == entries)
        await #expect(throws: StoreError(.transactionNotFound, "", "")) {
            try await shop.store.transactions.transaction(restored.id, of: ann)
        }
    }

    // MARK: - Finishing

    @Test(arguments: Engine.allCases)
    func `finishing twice or concurrently happens once`(engine: Engine) async throws {
        let shop = try await TestStore.make(on: engine)
        let film = try await shop.buy("film.roll", as: "ann")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 { group.addTask { try await shop.finish(film, as: "ann") } }
            try await group.waitForAll()
        }
        #expect(try await shop.journal().map(\.entry.kind) == [.purchased, .finished])
    }

    @Test func `another customer's transaction can't be read or finished`() async throws {
        let shop = try await TestStore.make()
        let film = try await shop.buy("film.roll", as: "ann")
        try await shop.finish(film, as: "ben")
        #expect(try await unfinished(shop) == [film.id])
        let ben = try await shop.customer("ben")
        await #expect(throws: StoreError(.transactionNotFound, "", "")) {
            try await shop.store.transactions.transaction(film.id, of: ben)
        }
    }

    @Test(arguments: Engine.allCases)
    func `unfinished transactions come oldest first, two hundred at a time`(engine: Engine) async throws {
        let shop = try await TestStore.make(on: engine)
        let ann = try await shop.customer("ann")
        let film = PurchaseRequest(productID: Product.ID(rawValue: "film.roll"))
        var bought: [TransactionID] = []
        for _ in 0..<201 { bought.append(try await shop.store.purchases.buy(film, by: ann).id) }
        let page = try await shop.store.transactions.unfinished(of: ann)
        #expect(page.transactions.map(\.id) == Array(bought.prefix(200)))
        #expect(page.hasMore)
        try await shop.finish(page.transactions[0], as: "ann")
        let next = try await shop.store.transactions.unfinished(of: ann)
        #expect(next.transactions.map(\.id) == Array(bought.dropFirst()))
        #expect(!next.hasMore)
    }

    private func unfinished(_ shop: TestStore) async throws -> [TransactionID] {
        try await shop.store.transactions.unfinished(of: try await shop.customer("ann")).transactions.map(\.id)
    }
}
