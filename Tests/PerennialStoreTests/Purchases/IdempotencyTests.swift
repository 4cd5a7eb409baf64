import Perennial
import PerennialStore
import TestSupport
import Testing

/// Idempotency keys: the same request gets the same answer for good, another request an error.
struct IdempotencyTests {
    @Test(arguments: Engine.allCases)
    func `a repeated request returns the first transaction`(engine: Engine) async throws {
        let shop = try await TestStore.make(on: engine)
        for product in ["film.roll", "filter.amber", "pass.1week", "newsletter", "monthly"] {
            let sold = try await shop.buy(product, as: "ann", key: "key of \(product)")
            let again = try await shop.buy(product, as: "ann", key: "key of \(product)")
            #expect(again == sold)
        }
        let sales = try await shop.count("transactions")
        #expect(sales == 5)
        // Finished, refunded or expired meanwhile: the answer names the same transaction in its present state.
        let sold = try await shop.buy("film.roll", as: "ann", key: "key of film.roll")
        try await shop.finish(sold, as: "ann")
        shop.clock.advance(by: .days(400))
        let later = try await shop.buy("film.roll", as: "ann", key: "key of film.roll")
        #expect(later.id == sold.id)
        #expect(later.isFinished)
    }

    @Test(arguments: Engine.allCases)
    func `a key can't be used for another request`(engine: Engine) async throws {
        let shop = try await TestStore.make(on: engine)
        try await shop.buy("film.roll", quantity: 2, as: "ann", username: "a", key: "k")
        let others: [(product: String, quantity: Int, username: String?)] = [
            ("filter.amber", 2, "a"), ("film.roll", 3, "a"), ("film.roll", 2, "b"), ("film.roll", 2, nil),
            ("unknown", 2, "a"),
        ]
        for other in others {
            await #expect(throws: PurchaseRefusal(.idempotencyKeyReused, Product.ID(rawValue: ""), "")) {
                try await shop.buy(
                    other.product, quantity: other.quantity, as: "ann", username: other.username, key: "k")
            }
        }
        #expect(try await shop.count("transactions") == 1)
        // A key belongs to a customer: others, also the same account in another app, may use the same one.
        try await shop.buy("filter.amber", as: "ben", key: "k")
        try await shop.buy("lens", as: "ann", app: TestCatalog.otherBundleID, key: "k")
    }

    @Test(arguments: Engine.allCases)
    func `a refusal is final for its key`(engine: Engine) async throws {
        let shop = try await TestStore.make(on: engine)
        try await shop.account("ann", payment: .declined)
        let first = try await shop.refusal(of: "film.roll", as: "ann", key: "k")
        try await shop.account("ann", payment: .valid)
        let again = try await shop.refusal(of: "film.roll", as: "ann", key: "k")
        #expect((again.code, again.reason) == (.paymentDeclined, first.reason))
        #expect(try await shop.refusal(of: "filter.amber", as: "ann", key: "k").code == .idempotencyKeyReused)
        try await shop.buy("film.roll", as: "ann", key: "another")
    }

    /// Goal: the ID is reserved with the key, before due renewals are processed.
    @Test(arguments: Engine.allCases)
    func `a purchase's ID is greater than those of earlier renewals`(engine: Engine) async throws {
        let shop = try await TestStore.make(on: engine)
        let first = try await shop.buy("monthly", as: "ann", key: "first")
        shop.clock.advance(by: .days(100))
        let again = try await shop.buy("monthly", as: "ann", key: "again")
        let sales = try await shop.journal().compactMap(\.entry.transactionID)
        #expect(sales.count > 2 && sales.first == first.id && sales.last == again.id)
        #expect(sales == sales.sorted())
        #expect(try await shop.buy("monthly", as: "ann", key: "again").id == again.id)
    }

    @Test func `a refusal stays after the product is added`() async throws {
        let shop = try await TestStore.make()
        #expect(try await shop.refusal(of: "new", as: "ann", key: "k").code == .productNotAvailable)
        var app = TestCatalog.magazine()
        app.products.append(
            Product(id: Product.ID(rawValue: "new"), type: .consumable, referenceName: "New", basePrice: .zero(.usd)))
        let reopened = try await TestStore.open(shop.database, app: app)
        #expect(try await reopened.refusal(of: "new", as: "ann", key: "k").code == .productNotAvailable)
        try await reopened.buy("new", as: "ann", key: "another")
    }

    @Test(arguments: Engine.allCases)
    func `concurrent requests with one key make one transaction`(engine: Engine) async throws {
        let shop = try await TestStore.make(on: engine)
        _ = try await shop.customer("ann")
        let answers = try await withThrowingTaskGroup(of: Transaction.self) { group in
            for _ in 0..<16 { group.addTask { try await shop.buy("film.roll", as: "ann", key: "k") } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers.count == 16)
        #expect(Set(answers).count == 1)
        #expect(try await shop.count("transactions") == 1)
        #expect(try await shop.count("journal") == 1)
    }

    @Test(arguments: Engine.allCases)
    func `requests without a key are separate purchases`(engine: Engine) async throws {
        let shop = try await TestStore.make(on: engine)
        let first = try await shop.buy("film.roll", as: "ann")
        let second = try await shop.buy("film.roll", as: "ann")
        #expect(first.id != second.id)
        #expect(try await shop.count("purchase_requests") == 0)
    }

    static let keys: [(key: String, username: String?, field: String?)] = [
        (String(repeating: "k", count: 128), nil, nil), (String(repeating: "k", count: 129), nil, "idempotencyKey"),
        (String(repeating: "ü", count: 65), nil, "idempotencyKey"), ("", nil, "idempotencyKey"),
        ("a\0b", nil, "idempotencyKey"), ("k", String(repeating: "u", count: 255), nil),
        ("k", String(repeating: "u", count: 256), "applicationUsername"), ("k", "a\0b", "applicationUsername"),
    ]

    @Test(arguments: Engine.allCases)
    func `idempotency keys and usernames have a maximum length`(engine: Engine) async throws {
        let shop = try await TestStore.make(on: engine)
        for (number, (key, username, field)) in Self.keys.enumerated() {
            do {
                try await shop.buy("film.roll", as: "customer \(number)", username: username, key: key)
                #expect(field == nil, "\(key.count) \(username?.count ?? 0)")
            } catch let error as StoreError {
                #expect(error.code == .malformed)
                #expect(error.subject == field)
            }
        }
    }
}
