import Perennial
import PerennialStorage
import PerennialStore
import TestSupport
import Testing

/// Ask to Buy: nothing is charged and there is no transaction until a parent approves, within 24 hours.
struct AskToBuyTests {
    @Test(arguments: Engine.allCases)
    func `an approval buys once and leaves an unfinished transaction`(engine: Engine) async throws {
        let shop = try await TestStore.make(on: engine)
        let child = try await shop.signIn("mia")
        try await ask(shop, child.token)
        #expect(try await shop.journal().isEmpty)
        let asked = try #require(try await shop.store.askToBuy.approvals(bundleID: TestCatalog.bundleID).first)
        #expect(asked.account == "mia")
        let sold = try #require(try await shop.store.askToBuy.answer(asked.id, approved: true))
        #expect(try await shop.store.transactions.unfinished(of: child.customer).transactions == [sold])
        #expect(try await shop.store.askToBuy.answer(asked.id, approved: true) == nil)
        #expect(try await shop.journal().count == 1)
        #expect(try await shop.store.askToBuy.approvals(bundleID: TestCatalog.bundleID).isEmpty)
    }

    @Test func `a declined request can't be approved afterwards`() async throws {
        let shop = try await TestStore.make()
        try await ask(shop, try await shop.signIn("mia").token)
        let asked = try #require(try await shop.store.askToBuy.approvals(bundleID: TestCatalog.bundleID).first)
        #expect(try await shop.store.askToBuy.answer(asked.id, approved: false) == nil)
        #expect(try await shop.store.askToBuy.answer(asked.id, approved: true) == nil)
        #expect(try await shop.journal().isEmpty)
    }

    @Test func `a request expires 24 hours after it was last asked`() async throws {
        let shop = try await TestStore.make()
        let token = try await shop.signIn("mia").token
        try await ask(shop, token)
        shop.clock.advance(by: .hours(23))
        try await ask(shop, token)
        shop.clock.advance(by: .hours(23))
        let waiting = try await shop.store.askToBuy.approvals(bundleID: TestCatalog.bundleID)
        #expect(waiting.count == 1)
        shop.clock.advance(by: .hours(1))
        #expect(try await shop.store.askToBuy.approvals(bundleID: TestCatalog.bundleID).isEmpty)
        #expect(try await shop.store.askToBuy.answer(waiting[0].id, approved: true) == nil)
    }

    @Test func `products not for sale and unknown requests are refused`() async throws {
        let shop = try await TestStore.make()
        let token = try await shop.signIn("mia").token
        await #expect(throws: PurchaseRefusal(.productNotAvailable, Product.ID(rawValue: ""), "")) {
            try await ask(shop, token, product: "retired")
        }
        await #expect(throws: StoreError(.approvalNotFound, "", "")) {
            try await shop.store.askToBuy.answer(1, approved: true)
        }
    }

    /// Answers concurrently, in this order, while both find the request waiting.
    private func answers(_ answers: [Bool], in shop: TestStore, _ gate: CommitGate) async throws -> [Transaction?] {
        let child = try await shop.signIn("mia")
        try await ask(shop, child.token)
        let asked = try #require(try await shop.store.askToBuy.approvals(bundleID: TestCatalog.bundleID).first)
        gate.arm()
        async let holder = shop.database.write { try CustomersTable.lock(child.customer.key, on: $0) }
        await gate.untilReached()
        var tasks: [Task<Transaction?, any Error>] = []
        for approved in answers {
            tasks.append(Task { try await shop.store.askToBuy.answer(asked.id, approved: approved) })
            if tasks.count < answers.count { try await shop.database.untilWaiting(Int64(tasks.count)) }
        }
        try await gate.open(whenWaiting: Int64(answers.count), on: shop.database)
        _ = try await holder
        var sold: [Transaction?] = []
        for task in tasks { sold.append(try await task.value) }
        return sold
    }

    @Test(arguments: [([true, true], 1), ([true, false], 1), ([false, true], 0)])
    func `the first of concurrent answers counts`(answers: [Bool], sales: Int) async throws {
        let gate = CommitGate()
        let shop = try await TestStore.make(on: .postgres, faults: { gate.reach($0) })
        let sold = try await self.answers(answers, in: shop, gate)
        #expect(sold.compactMap { $0 }.count == sales)
        #expect(try await shop.journal().count == sales)
        let states = try await shop.database.read {
            try $0.query("SELECT state FROM pending_purchases") { try $0.text(0) }
        }
        #expect(states.allSatisfy { $0.contains(sales == 1 ? "approved" : "declined") })
    }

    @Test(arguments: Engine.allCases, PendingPurchase.Cause.allCases)
    func `ended requests don't hide waiting ones`(
        engine: Engine, cause: PendingPurchase.Cause
    ) async throws {
        let shop = try await TestStore.make(on: engine)
        let child = try await shop.signIn("mia")
        let request = PurchaseRequest(productID: Product.ID(rawValue: "film.roll"))
        let now = shop.clock.now
        try await shop.database.write { connection in
            for number in 1...1_200 {
                // Declined, expired, and waiting for something else.
                var pending = PendingPurchase(
                    request.productID, by: child.customer.key.account, number % 3 == 2 ? cause.other : cause,
                    at: number % 3 == 1 ? now + -.days(2) : now)
                if number % 3 == 0 || cause == .interruption && number % 3 == 1 {
                    _ = pending.answer(approved: false, at: now)
                }
                try PendingPurchasesTable.put(
                    .init(id: Int64(number), customer: child.customer.key, request: request, pending: pending),
                    on: connection)
            }
        }
        switch cause {
        case .approval:
            try await ask(shop, child.token)
            let asked = try await shop.store.askToBuy.approvals(bundleID: TestCatalog.bundleID)
            #expect(asked.map { $0.id > 1_200 } == [true])
        case .interruption:
            _ = try await shop.store.accounts.put(
                "mia", storefront: nil, paymentMethod: nil, canMakePayments: nil, password: nil,
                interruptsPurchases: true)
            _ = try await shop.refusal(of: "film.roll", as: "mia")
            let interrupted = try await shop.store.purchases.interruptions(bundleID: TestCatalog.bundleID)
            #expect(interrupted.map { $0.id > 1_200 } == [true])
        }
    }

    @Test(arguments: Engine.allCases)
    func `each idempotency key is a request with its own outcome`(engine: Engine) async throws {
        let shop = try await TestStore.make(on: engine)
        let (token, child) = try await shop.signIn("mia")
        for key in ["one", "two", "three", "four", "one"] { try await ask(shop, token, key: key) }
        let waiting = try await shop.store.askToBuy.approvals(bundleID: TestCatalog.bundleID)
        #expect(waiting.map(\.request.idempotencyKey) == ["one", "two", "three", "four"])
        #expect(try await shop.store.purchases.outcome(forKey: "one", of: child) == .waiting)
        let first = try #require(try await shop.store.askToBuy.answer(waiting[0].id, approved: true))
        let second = try #require(try await shop.store.askToBuy.answer(waiting[1].id, approved: true))
        _ = try await shop.store.askToBuy.answer(waiting[2].id, approved: false)
        shop.clock.advance(by: .hours(24))
        #expect(try await shop.store.purchases.outcome(forKey: "one", of: child) == .sold(first))
        #expect(try await shop.store.purchases.outcome(forKey: "two", of: child) == .sold(second))
        #expect(try await shop.store.purchases.outcome(forKey: "three", of: child) == .declined)
        #expect(try await shop.store.purchases.outcome(forKey: "four", of: child) == .lapsed)
        // The answer to the first request was lost, and the device asks again.
        #expect(try await ask(shop, token, key: "one") == first)
        #expect(try await shop.journal().count == 2)
    }

    @Test func `the outcome of a key is visible to its customer only`() async throws {
        let shop = try await TestStore.make()
        let (token, _) = try await shop.signIn("mia")
        try await ask(shop, token, key: "one")
        let (_, other) = try await shop.signIn("ann")
        await #expect(throws: StoreError(.purchaseNotFound, "", "")) {
            try await shop.store.purchases.outcome(forKey: "one", of: other)
        }
        await #expect(throws: StoreError(.malformed, "", "")) {
            try await shop.store.purchases.outcome(forKey: String(repeating: "k", count: 129), of: other)
        }
    }

    @Test func `an approved purchase that is refused has its reason`() async throws {
        let shop = try await TestStore.make()
        let (token, child) = try await shop.signIn("mia")
        try await ask(shop, token, key: "one")
        try await shop.account("mia", payment: .declined)
        let asked = try #require(try await shop.store.askToBuy.approvals(bundleID: TestCatalog.bundleID).first)
        let refusal = PurchaseRefusal(.paymentDeclined, Product.ID(rawValue: "film.roll"), "")
        await #expect { try await shop.store.askToBuy.answer(asked.id, approved: true) } throws: {
            ($0 as? PurchaseRefusal)?.code == refusal.code
        }
        await #expect { try await shop.store.purchases.outcome(forKey: "one", of: child) } throws: {
            let found = $0 as? PurchaseRefusal
            return found?.code == refusal.code && found?.productID == refusal.productID
        }
    }

    @Test(arguments: Engine.allCases)
    func `a tester who asks to buy waits on every device`(engine: Engine) async throws {
        let shop = try await TestStore.make(on: engine)
        let child = try await shop.signIn("mia")
        func buy(_ key: String) async throws -> Transaction? {
            let request = PurchaseRequest(productID: Product.ID(rawValue: "film.roll"), idempotencyKey: key)
            let outcome = try await shop.store.askToBuy.buy(request, token: child.token, isSimulated: false)
            return if case .sold(let transaction, _) = outcome { transaction } else { nil }
        }
        let before = try #require(try await buy("before"))
        try await setAsking(shop, true)
        #expect(try await shop.store.accounts.account(named: "mia").asksToBuy)
        #expect(try await buy("one") == nil)
        #expect(try await buy("before") == before)
        let asked = try await shop.store.askToBuy.approvals(bundleID: TestCatalog.bundleID)
        #expect(asked.map(\.request.idempotencyKey) == ["one"])
        let sold = try #require(try await shop.store.askToBuy.answer(asked[0].id, approved: true))
        #expect(try await buy("one") == sold)
        let tester = try await shop.store.testers.tester(named: "mia")
        try await shop.store.testers.clearPurchaseHistories(of: [tester.id])
        #expect(try await shop.store.testers.tester(named: "mia").account.asksToBuy)
        try await setAsking(shop, false)
        #expect(try await buy("two") != nil)
    }

    @Test func `Production has no testers who ask`() async throws {
        let shop = try await TestStore.make("Production")
        try await shop.account("mia")
        await #expect(throws: StoreError(.malformed, "", "")) { try await setAsking(shop, true) }
    }

    private func setAsking(_ shop: TestStore, _ asks: Bool) async throws {
        _ = try await shop.store.accounts.put(
            "mia", storefront: nil, paymentMethod: nil, canMakePayments: nil, password: nil, asksToBuy: asks)
    }

    @discardableResult
    private func ask(_ shop: TestStore, _ token: String, product: String = "film.roll", key: String? = nil) async throws
        -> Transaction?
    {
        try await shop.store.askToBuy.request(
            PurchaseRequest(productID: Product.ID(rawValue: product), idempotencyKey: key), token: token)
    }
}

extension PendingPurchase.Cause {
    fileprivate var other: PendingPurchase.Cause { self == .approval ? .interruption : .approval }
}
