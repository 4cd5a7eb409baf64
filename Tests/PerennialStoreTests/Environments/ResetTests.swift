import Perennial
import PerennialStorage
import PerennialStore
import TestSupport
import Testing

/// An environment that is emptied while it is in use. SQLite has one writer, so it is PostgreSQL where they meet.
struct ResetTests {
    @Test(arguments: ["film.roll", "monthly"])
    func `a sale beside a reset leaves nothing that later sales collide with`(product: String) async throws {
        let gate = CommitGate()
        let shop = try await TestStore.make(on: .postgres, faults: { gate.reach($0) })
        _ = try await shop.buy("filter.amber", as: "ann")
        let ann = try await shop.customer("ann")
        gate.arm()
        async let sale = shop.store.purchase(PurchaseRequest(productID: Product.ID(rawValue: product)), by: ann)
        // It has written its entry of the journal, and not committed yet.
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

    @Test func `sales and resets at once leave the books in order`() async throws {
        let shop = try await TestStore.make(on: .postgres)
        try await withThrowingDiscardingTaskGroup { group in
            for customer in 0..<4 {
                group.addTask {
                    for _ in 0..<15 {
                        // A customer who is gone is refused; nothing else may go wrong.
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
