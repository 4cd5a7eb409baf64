import Perennial
import PerennialStorage
import PerennialStore
import TestSupport
import Testing

struct JournalTests {
    @Test(arguments: Engine.allCases)
    func `journal positions are dense and in order`(engine: Engine) async throws {
        let shop = try await TestStore.make(on: engine)
        let film = try await shop.buyAndFinish("film.roll", as: "ann")
        shop.clock.advance(by: .hours(1))
        let filter = try await shop.buyAndFinish("filter.amber", as: "ben")
        try await shop.refund(filter, reason: .issueWithApp)
        let journal = try await shop.journal()
        #expect(journal.map(\.position) == [1, 2, 3, 4, 5])
        #expect(journal.map(\.entry.kind) == [.purchased, .finished, .purchased, .finished, .refunded])
        #expect(journal.map(\.entry.transactionID) == [film.id, film.id, filter.id, filter.id, filter.id])
        let later = TestStore.opening + .hours(1)
        #expect(journal.map(\.entry.at) == [TestStore.opening, TestStore.opening, later, later, later])
    }

    /// Goal: positions of two apps with many customers have neither gaps nor duplicates.
    @Test(arguments: Engine.allCases)
    func `journal positions stay dense under concurrent purchases`(engine: Engine) async throws {
        let shop = try await TestStore.make(on: engine)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<12 {
                group.addTask {
                    for _ in 0..<5 {
                        try await shop.buy("film.roll", as: "customer \(number)")
                        // Refusals have no position.
                        _ = try await shop.refusal(of: "retired", as: "customer \(number)")
                    }
                    try await shop.buy("lens", as: "customer \(number)", app: TestCatalog.otherBundleID)
                }
            }
            try await group.waitForAll()
        }
        let journal = try await shop.journal()
        #expect(journal.map(\.position) == Array(1...60))
        #expect(Set(journal.compactMap(\.entry.transactionID)).count == 60)
        let other = try await shop.journal(app: TestCatalog.camera.appleID)
        #expect(other.map(\.position) == Array(1...12))
        #expect(try await shop.sumOfPostings() == ["USD": 0])
    }

    @Test(arguments: Engine.allCases)
    func `postings divide money between seller, store and tax and sum to zero`(engine: Engine) async throws {
        let shop = try await TestStore.make(on: engine)
        try await shop.account("ben", storefront: "JPN")
        try await shop.account("cem", storefront: "DEU")
        let film = try await shop.buy("film.roll", quantity: 4, as: "ann")
        for account in ["ann", "ben", "cem"] {
            for product in ["film.roll", "filter.amber", "pass.1week", "newsletter", "monthly"] {
                try await shop.buy(product, as: account)
            }
        }
        #expect(try await shop.sumOfPostings() == ["USD": 0, "JPY": 0, "EUR": 0])
        let sale = try #require(try await shop.journal().first?.entry.postings)
        // Each of the four: 0.99 with 19 % tax is 0.83 without; 30 % of that is 0.24, rounded down in US dollars.
        let expected: [Posting.Account: Int64] = [.customer: -3960, .proceeds: 2360, .commission: 960, .tax: 640]
        #expect(Dictionary(uniqueKeysWithValues: sale.map { ($0.account, $0.amount.milliunits) }) == expected)
        try await shop.refund(film)
        let refund = try #require(try await shop.journal().last?.entry.postings)
        #expect(refund == sale.reversed)
        #expect(try await shop.sumOfPostings() == ["USD": 0, "JPY": 0, "EUR": 0])
    }

    @Test(arguments: Engine.allCases)
    func `a transaction is refunded once`(engine: Engine) async throws {
        let shop = try await TestStore.make(on: engine)
        let film = try await shop.buy("film.roll", as: "ann")
        let outcomes = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<8 { group.addTask { (try? await shop.refund(film)) != nil } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.filter { $0 }.count == 1)
        await #expect(throws: RefundError(.alreadyRefunded, TransactionID(rawValue: 0), "")) {
            try await shop.refund(film)
        }
        #expect(try await shop.journal().map(\.entry.kind) == [.purchased, .refunded])
        await #expect(throws: StoreError(.transactionNotFound, "", "")) {
            try await shop.store.refunds.refund(TransactionID(rawValue: 4711), Refund())
        }
    }

    @Test(arguments: Engine.lasting)
    func `purchases survive reopening the database`(engine: Engine) async throws {
        let location = try engine.makeLocation()
        let first = try Database(location, options: .forTests)
        try first.migrate()
        let before = try await TestStore.open(first)
        let sold = try await before.buy("film.roll", as: "ann", key: "k")
        first.close()
        let second = try Database(location, options: .forTests)
        try second.migrate()
        // Another process: other random bytes, and nothing but the database.
        let after = try await TestStore.open(second, seed: 2)
        #expect(try await after.buy("film.roll", as: "ann", key: "k") == sold)
        #expect(try await after.journal().map(\.position) == [1])
        let next = try await after.buy("film.roll", as: "ann")
        #expect(next.id > sold.id)
    }

    /// Loses the answer of a commit: the client repeats the request with its key and isn't charged twice.
    @Test func `a purchase with a lost answer is found by its idempotency key`() async throws {
        let fault = TestFault()
        let shop = try await TestStore.make(faults: { try fault.reach($0) })
        try await shop.buy("film.roll", as: "ann")
        let ann = try await shop.customer("ann")
        let film = Product.ID(rawValue: "film.roll")
        let request = PurchaseRequest(productID: film, idempotencyKey: "k")
        fault.inject(at: .afterCommit)
        await #expect(throws: TestFault.InjectedError.self) { try await shop.store.purchases.buy(request, by: ann) }
        _ = try await shop.store.purchases.buy(request, by: ann)
        #expect(try await shop.count("transactions") == 2)
        let other = PurchaseRequest(productID: film, idempotencyKey: "l")
        fault.inject(at: .beforeCommit)
        await #expect(throws: TestFault.InjectedError.self) { try await shop.store.purchases.buy(other, by: ann) }
        #expect(try await shop.count("transactions") == 2)
        #expect(try await shop.count("journal") == 2)
        #expect(try await shop.count("purchase_requests") == 1)
    }
}
