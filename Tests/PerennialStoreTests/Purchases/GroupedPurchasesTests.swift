import Perennial
import PerennialStorage
import PerennialStore
import TestSupport
import Testing

/// Purchases that share a transaction, and their first round trip, on PostgreSQL.
struct GroupedPurchasesTests {
    private typealias Outcome = Result<Transaction, any Error>

    private let shop: TestStore

    init() async throws {
        var options = DatabaseOptions.forTests
        options.connections = 1
        options.serverGroupMilliseconds = 10_000
        shop = try await TestStore.open(Engine.postgres.makeDatabase(options: options))
        // Reserves a block of IDs.
        _ = try await shop.buy("film.roll", as: "first", key: "first")
    }

    private static func roll(_ key: String?, username: String? = nil, product: String = "film.roll") -> PurchaseRequest
    {
        PurchaseRequest(
            productID: Product.ID(rawValue: product), quantity: 1, applicationUsername: username, idempotencyKey: key)
    }

    /// Makes purchases that all wait while an earlier write runs.
    ///
    /// - Returns: The outcomes in the order of the purchases.
    private func together(_ purchases: [(token: String, request: PurchaseRequest)]) async throws -> [Outcome] {
        let (turn, shop) = (HeldTurn(), shop)
        async let held: Void = turn.hold(shop.database)
        await turn.hasBegun()
        let outcomes = await withTaskGroup(of: (Int, Outcome).self) { group in
            for (index, purchase) in purchases.enumerated() {
                group.addTask {
                    do {
                        let sold = try await shop.store.purchases.buy(purchase.request, token: purchase.token)
                        return (index, .success(sold.0))
                    } catch { return (index, .failure(error)) }
                }
            }
            await shop.database.untilWritesWait(purchases.count)
            turn.end()
            return await group.reduce(into: [Int: Outcome]()) { $0[$1.0] = $1.1 }
        }
        try await held
        return purchases.indices.compactMap { outcomes[$0] }
    }

    private func history(of account: String) async throws -> [TransactionID] {
        let key = try await shop.customer(account).key
        return try await shop.database.read { try TransactionsTable.all(of: key, on: $0).map(\.id) }
    }

    private func revision(of account: String) async throws -> Int64 {
        let key = try await shop.customer(account).key
        return try await shop.database.read { try CustomersTable.revision(key, on: $0) }
    }

    @Test func `purchases of one customer in a group build on each other`() async throws {
        let (anna, bert) = (try await shop.signIn("anna").token, try await shop.signIn("bert").token)
        let tablet = try await shop.signIn("anna", device: .tablet).token
        let outcomes = try await together([
            (anna, Self.roll("1")), (bert, Self.roll("1")), (anna, Self.roll("2")), (tablet, Self.roll("3")),
            (anna, Self.roll(nil)),
        ])
        let sold = try outcomes.map { try $0.get().id }
        #expect(Set(sold).count == 5)
        #expect(Set(try await history(of: "anna")) == Set([sold[0], sold[2], sold[3], sold[4]]))
        #expect(try await history(of: "bert") == [sold[1]])
        #expect(try await revision(of: "anna") == 4)
        #expect(try await revision(of: "bert") == 1)
        let journal = try await shop.journal()
        #expect(journal.count { $0.entry.kind == .purchased } == 6)
        #expect(journal.map(\.position) == Array(1...Int64(journal.count)))
        #expect(shop.database.statistics?.dissolvedGroups == 0)
    }

    @Test func `a key in a group is one purchase, also on two devices`() async throws {
        let anna = try await shop.signIn("anna").token
        let tablet = try await shop.signIn("anna", device: .tablet).token
        let outcomes = try await together([
            (anna, Self.roll("1")), (tablet, Self.roll("1")), (anna, Self.roll("1")), (tablet, Self.roll("1")),
        ])
        #expect(Set(try outcomes.map { try $0.get().id }).count == 1)
        #expect(try await history(of: "anna").count == 1)
        #expect(try await revision(of: "anna") == 1)
    }

    @Test func `a refused purchase in a group stays refused under its key`() async throws {
        let (anna, bert) = (try await shop.signIn("anna").token, try await shop.signIn("bert").token)
        let outcomes = try await together([
            (anna, Self.roll("1", product: "nothing")), (bert, Self.roll("1")),
            (anna, Self.roll("1", product: "nothing")),
        ])
        #expect(try outcomes[1].get().quantity == 1)
        for index in [0, 2] {
            #expect(throws: PurchaseRefusal(.productNotAvailable, Product.ID(rawValue: ""), "")) {
                try outcomes[index].get()
            }
        }
        #expect(try await history(of: "anna").isEmpty)
    }

    @Test func `purchases that fail in a group leave nothing, and the others succeed`() async throws {
        let (anna, bert) = (try await shop.signIn("anna").token, try await shop.signIn("bert").token)
        let (gone, customer) = try await shop.signIn("cem")
        try await shop.store.accounts.uninstall(customer)
        let long = String(repeating: "x", count: PurchaseRequest.maximumUsernameLength + 1)
        let outcomes = try await together([
            (anna, Self.roll("1", username: long)), ("none", Self.roll("1")), (gone, Self.roll("1")),
            (bert, Self.roll("1")), (anna, Self.roll("2")),
        ])
        #expect(throws: StoreError(.malformed, "", "")) { try outcomes[0].get() }
        for index in [1, 2] { #expect(throws: StoreError(.unauthorized, "", "")) { try outcomes[index].get() } }
        let sold = try outcomes[3...].map { try $0.get().id }
        #expect(try await history(of: "bert") == [sold[0]])
        #expect(try await history(of: "anna") == [sold[1]])
        let reserved = try await shop.database.read {
            try $0.first("SELECT COUNT(*) FROM purchase_requests") { try $0.integer(0) }
        }
        #expect(reserved == 3)
    }

    @Test func `a body that fails behind its reservation doesn't keep the key`() async throws {
        struct Odd: Error {}
        let (anna, bert) = (try await shop.signIn("anna"), try await shop.signIn("bert"))
        let id = TransactionID(rawValue: 1)
        let turn = HeldTurn()
        async let held: Void = turn.hold(shop.database)
        await turn.hasBegun()
        let identity = try #require(PurchaseRequestsTable.Identity(of: Self.roll("1")))
        let reservation = PurchaseRequestsTable.AnnouncedReservation(identity, for: id, of: anna.customer.key)
        let odd = Task { [database = shop.database] in
            try await database.write(announcing: [reservation.read]) { (_) -> Void in throw Odd() }
        }
        async let sold = shop.store.purchases.buy(Self.roll("1"), token: bert.token)
        await shop.database.untilWritesWait(2)
        turn.end()
        await #expect(throws: Odd.self) { try await odd.value }
        _ = try await sold
        try await held
        #expect(shop.database.statistics?.dissolvedGroups == 1)
        let known = try await shop.database.read {
            try PurchaseRequestsTable.record(forKey: identity.key, of: anna.customer.key, on: $0)
        }
        #expect(known == nil)
        _ = try await shop.store.purchases.buy(Self.roll("1"), token: anna.token)
    }
}
