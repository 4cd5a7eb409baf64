import Perennial
import PerennialStore
import TestSupport
import Testing

/// The same key and request: the same answer, for good. The same key and another request: an error.
struct IdempotencyTests {
    @Test(arguments: Engine.allCases)
    func `a repeated request is answered with the sale it made`(engine: Engine) async throws {
        let shop = try await TestStore.make(on: engine)
        for product in ["film.roll", "filter.amber", "pass.1week", "newsletter", "monthly"] {
            let sold = try await shop.buy(product, as: "ann", key: "key of \(product)")
            let again = try await shop.buy(product, as: "ann", key: "key of \(product)")
            #expect(again == sold)
        }
        let sales = try await shop.count("transactions")
        #expect(sales == 5)
        // Finished, refunded or expired meanwhile: the answer names the same sale, in its present state.
        let sold = try await shop.buy("film.roll", as: "ann", key: "key of film.roll")
        try await shop.finish(sold, as: "ann")
        shop.clock.advance(by: .days(400))
        let later = try await shop.buy("film.roll", as: "ann", key: "key of film.roll")
        #expect(later.id == sold.id)
        #expect(later.isFinished)
    }

    @Test(arguments: Engine.allCases)
    func `a key belongs to its request`(engine: Engine) async throws {
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
        // It is this customer's: another one, or the same one in another app, may use the same word.
        try await shop.buy("filter.amber", as: "ben", key: "k")
        try await shop.buy("lens", as: "ann", app: TestCatalog.otherBundleID, key: "k")
    }

    @Test(arguments: Engine.allCases)
    func `a refusal is an answer for good too`(engine: Engine) async throws {
        let shop = try await TestStore.make(on: engine)
        try await shop.account("ann", payment: .declined)
        let first = try await shop.refusal(of: "film.roll", as: "ann", key: "k")
        try await shop.account("ann", payment: .valid)
        let again = try await shop.refusal(of: "film.roll", as: "ann", key: "k")
        #expect((again.code, again.reason) == (.paymentDeclined, first.reason))
        #expect(try await shop.refusal(of: "filter.amber", as: "ann", key: "k").code == .idempotencyKeyReused)
        try await shop.buy("film.roll", as: "ann", key: "another")
    }

    /// The number is taken with the key, before what is due by then is worked off.
    @Test(arguments: Engine.allCases)
    func `a purchase has a greater number than the renewals that were due before it`(engine: Engine) async throws {
        let shop = try await TestStore.make(on: engine)
        let first = try await shop.buy("monthly", as: "ann", key: "first")
        shop.clock.advance(by: .days(100))
        let again = try await shop.buy("monthly", as: "ann", key: "again")
        let sales = try await shop.journal().compactMap(\.entry.transactionID)
        #expect(sales.count > 2 && sales.first == first.id && sales.last == again.id)
        #expect(sales == sales.sorted())
        #expect(try await shop.buy("monthly", as: "ann", key: "again").id == again.id)
    }

    @Test func `the refusal of a product that is added later stays one`() async throws {
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
    func `of many requests with one key at once, one sells and all get its answer`(engine: Engine) async throws {
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
    func `without a key every request is a purchase`(engine: Engine) async throws {
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
    func `keys and names are bounded`(engine: Engine) async throws {
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
