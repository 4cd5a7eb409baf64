import Perennial
import PerennialStorage
import PerennialStore
import TestSupport
import Testing

/// Resets of an environment in use. SQLite has one writer, so they overlap on PostgreSQL only.
struct ResetTests {
    @Test(arguments: ["film.roll", "monthly"])
    func `a purchase during a reset leaves no conflicting rows`(product: String) async throws {
        let gate = CommitGate()
        let shop = try await TestStore.make(on: .postgres, faults: { gate.reach($0) })
        _ = try await shop.buy("filter.amber", as: "ann")
        let ann = try await shop.customer("ann")
        gate.arm()
        async let sale = shop.store.purchases.buy(PurchaseRequest(productID: Product.ID(rawValue: product)), by: ann)
        // It has written its journal entry and not committed yet.
        await gate.untilReached()
        async let reset: Void = shop.store.reset()
        try await gate.open(whenWaiting: 1, on: shop.database)
        _ = try await (sale, reset)
        #expect(try await shop.journal().isEmpty)
        for table in ["journal", "postings", "transactions", "customers", "accounts"] {
            #expect(try await shop.count(table) == 0, "\(table)")
        }
        for _ in 0..<3 { _ = try await shop.buy("film.roll", as: "ann") }
        #expect(try await shop.journal().map(\.position) == [1, 2, 3])
    }

    @Test func `concurrent purchases and resets keep the ledger balanced`() async throws {
        let shop = try await TestStore.make(on: .postgres)
        try await withThrowingDiscardingTaskGroup { group in
            for customer in 0..<4 {
                group.addTask {
                    for _ in 0..<15 {
                        // A customer who is gone is refused; no other error may occur.
                        do {
                            _ = try await shop.buy("film.roll", as: "customer-\(customer)")
                        } catch let error as StoreError where error.code == .accountNotFound {}
                    }
                }
            }
            group.addTask { for _ in 0..<5 { try await shop.store.reset() } }
        }
        let sold = try await shop.count("transactions")
        #expect(try await shop.journal().map(\.position) == (0..<sold).map { $0 + 1 })
        _ = try await shop.buy("film.roll", as: "ann")
    }
}
