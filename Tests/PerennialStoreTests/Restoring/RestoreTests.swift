import Perennial
import PerennialStorage
import PerennialStore
import TestSupport
import Testing

struct RestoreTests {
    @Test(arguments: Engine.allCases)
    func `non-consumables, free and auto-renewable subscriptions come back, others don't`(engine: Engine) async throws {
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
        // Each restoring gives new names.
        let again = try await shop.restore("ann")
        #expect(Set(restored.map(\.id) + again.map(\.id) + bought.values.map(\.id)).count == 11)
    }

    @Test func `what wasn't finished is offered as unfinished, not restored`() async throws {
        let shop = try await TestStore.make()
        let filter = try await shop.buy("filter.amber", as: "ann")
        #expect(try await shop.restore("ann").isEmpty)
        #expect(try await unfinished(shop) == [filter.id])
        try await shop.finish(filter, as: "ann")
        #expect(try await shop.restore("ann").count == 1)
        #expect(try await unfinished(shop) == [])
    }

    @Test(arguments: Engine.allCases)
    func `a non-consumable comes back once, a revoked one not at all`(engine: Engine) async throws {
        let shop = try await TestStore.make(on: engine)
        let first = try await shop.buyAndFinish("filter.amber", as: "ann")
        try await shop.buyAndFinish("filter.amber", as: "ann")
        let lens = try await shop.buyAndFinish("monthly", as: "ann")
        #expect(try await shop.restore("ann").map(\.original.originalID) == [first.id, lens.id])
        try await shop.refund(lens)
        #expect(try await shop.restore("ann").map(\.original.originalID) == [first.id])
    }

    @Test(arguments: Engine.allCases)
    func `an auto-renewable subscription comes back with every period that was finished`(engine: Engine) async throws {
        let shop = try await TestStore.make(on: engine)
        let first = try await shop.buyAndFinish("monthly", as: "ann")
        // Long over, renewals and all: it is bought again and continues its history.
        try await shop.pass(.hours(2))
        let renewals = try await shop.store.unfinished(of: shop.customer("ann")).transactions
        for renewal in renewals { try await shop.finish(renewal, as: "ann") }
        let second = try await shop.buyAndFinish("monthly", as: "ann")
        #expect(second.originalID == first.id)
        let restored = try await shop.restore("ann")
        #expect(restored.count == 2 + renewals.count)
        #expect(restored.allSatisfy { $0.original.originalID == first.id })
        #expect(Set(restored.compactMap(\.original.webOrderLineItemID)).count == restored.count)
    }

    @Test func `a name of the app's restores what was bought under it`() async throws {
        let shop = try await TestStore.make()
        let mine = try await shop.buyAndFinish("filter.amber", as: "ann", username: "hash of ann")
        try await shop.buyAndFinish("newsletter", as: "ann", username: "hash of her sister")
        #expect(try await shop.restore("ann", username: "hash of ann").map(\.original.id) == [mine.id])
        #expect(try await shop.restore("ann", username: "nobody").isEmpty)
        #expect(try await shop.restore("ann").count == 2)
    }

    @Test func `a customer with nothing to restore gets nothing, and no new account is charged for it`() async throws {
        let shop = try await TestStore.make()
        #expect(try await shop.restore("ann").isEmpty)
        #expect(try await shop.journal().isEmpty)
    }

    @Test func `restoring and finishing what it gave change no purchase`() async throws {
        let shop = try await TestStore.make()
        try await shop.buyAndFinish("filter.amber", as: "ann")
        let ann = try await shop.customer("ann")
        let restored = try #require(try await shop.restore("ann").first)
        let entries = try await shop.journal().count
        try await shop.store.finish(restored.id, by: ann)
        #expect(try await shop.journal().count == entries)
        await #expect(throws: StoreError(.transactionNotFound, "", "")) {
            try await shop.store.transaction(restored.id, of: ann)
        }
    }

    // MARK: - Finishing

    @Test(arguments: Engine.allCases)
    func `finishing twice, or at the same time, happens once`(engine: Engine) async throws {
        let shop = try await TestStore.make(on: engine)
        let film = try await shop.buy("film.roll", as: "ann")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 { group.addTask { try await shop.finish(film, as: "ann") } }
            try await group.waitForAll()
        }
        #expect(try await shop.journal().map(\.entry.kind) == [.purchased, .finished])
    }

    @Test func `nobody finishes or reads another customer's transaction`() async throws {
        let shop = try await TestStore.make()
        let film = try await shop.buy("film.roll", as: "ann")
        try await shop.finish(film, as: "ben")
        #expect(try await unfinished(shop) == [film.id])
        let ben = try await shop.customer("ben")
        await #expect(throws: StoreError(.transactionNotFound, "", "")) {
            try await shop.store.transaction(film.id, of: ben)
        }
    }

    @Test(arguments: Engine.allCases)
    func `unfinished transactions come oldest first, two hundred at a time`(engine: Engine) async throws {
        let shop = try await TestStore.make(on: engine)
        let ann = try await shop.customer("ann")
        let film = PurchaseRequest(productID: Product.ID(rawValue: "film.roll"))
        var bought: [TransactionID] = []
        for _ in 0..<201 { bought.append(try await shop.store.purchase(film, by: ann).id) }
        let page = try await shop.store.unfinished(of: ann)
        #expect(page.transactions.map(\.id) == Array(bought.prefix(200)))
        #expect(page.hasMore)
        try await shop.finish(page.transactions[0], as: "ann")
        let next = try await shop.store.unfinished(of: ann)
        #expect(next.transactions.map(\.id) == Array(bought.dropFirst()))
        #expect(!next.hasMore)
    }

    private func unfinished(_ shop: TestStore) async throws -> [TransactionID] {
        try await shop.store.unfinished(of: try await shop.customer("ann")).transactions.map(\.id)
    }
}
