import AppStoreFormats
import Perennial
import PerennialStorage
import PerennialStore
import TestSupport
import Testing

/// Environments: their own clocks, accounts and purchases.
struct EnvironmentTests {
    @Test(arguments: Engine.allCases)
    func `environments are isolated from each other`(engine: Engine) async throws {
        let sandbox = try await TestStore.make(on: engine)
        let made = try await sandbox.registry.makeEnvironment("staging", kind: .sandbox, clock: .real, now: nil)
        #expect(made.name == "staging")
        let staging = try await sandbox.environment("staging")
        let (token, ann) = try await sandbox.signIn("ann")
        let here = try await sandbox.buy("filter.amber", as: "ann", key: "k")
        let there = try await staging.buy("film.roll", as: "ann", key: "k")
        #expect(here.id != there.id)
        #expect(try await staging.journal().map(\.position) == [1])
        await #expect(throws: StoreError(.unauthorized, "", "")) {
            try await staging.store.accounts.customer(token: token)
        }
        await #expect(throws: StoreError(.transactionNotFound, "", "")) {
            try await staging.store.transactions.transaction(here.id, of: staging.customer("ann"))
        }
        // Their receipts look alike, yet each answers for its own only.
        let receipts = [
            try await sandbox.store.receipts.appReceipt(for: ann),
            try await sandbox.transactionReceipt(of: here, as: "ann"),
        ]
        for receipt in receipts {
            #expect(try await sandbox.verify(receipt)["status"] == 0)
            #expect(
                try await staging.verify(receipt) == ["status": 21010, "environment": "Sandbox", "is_retryable": false])
        }
        try await staging.store.reset()
        #expect(try await sandbox.journal().count == 1)
        #expect(try await sandbox.verify(receipts[0])["status"] == 0)
    }

    @Test func `a new name doesn't begin like an option, and an old one opens its store`() async throws {
        let shop = try await TestStore.make()
        for name in ["-lab", "--lab", "-", "", "l b", "lab/1", "ä"] {
            await #expect(throws: StoreError(.malformed, "name", "")) {
                try await shop.registry.makeEnvironment(name, kind: .sandbox, clock: .real, now: nil)
            }
        }
        let made = try await shop.registry.makeEnvironment("l-a_b", kind: .sandbox, clock: .real, now: nil)
        // As an earlier version has stored it.
        try await shop.database.write { connection in
            _ = try connection.execute(
                "UPDATE environments SET name = '-old' WHERE id = $1", [.integer(made.id.rawValue)])
        }
        #expect(try await shop.registry.store(named: "-old")?.environment.id == made.id)
        #expect(try await shop.environment("-old").buy("film.roll", as: "ann").productID.rawValue == "film.roll")
    }

    @Test(arguments: Engine.allCases)
    func `environments have separate ranges of transaction IDs`(engine: Engine) async throws {
        let shop = try await TestStore.make(on: engine)
        var first: [TransactionID] = []
        for name in ["one", "two"] {
            _ = try await shop.registry.makeEnvironment(name, kind: .sandbox, clock: .manual, now: TestStore.opening)
        }
        for name in ["Production", "Sandbox", "one", "two"] {
            let sold = try await shop.environment(name).buy("film.roll", as: "ann")
            first.append(sold.id)
        }
        #expect(Set(first).count == 4)
        #expect(first.map { $0.description.prefix(1) } == ["3", "2", "2", "2"])
        #expect(first.map(\.description.count) == [15, 16, 16, 16])
    }

    @Test(arguments: Engine.allCases)
    func `a manual clock stands still on all nodes until advanced`(engine: Engine) async throws {
        let shop = try await TestStore.make(on: engine)
        let start = Instant(rfc3339: "2020-02-28T12:00:00.500Z")
        _ = try await shop.registry.makeEnvironment("past", kind: .sandbox, clock: .manual, now: start)
        let past = try await shop.environment("past")
        shop.clock.advance(by: .days(10))
        #expect(try await past.store.now() == start)
        let sold = try await past.buy("pass.1week", as: "ann")
        #expect(sold.purchaseDate == start?.wholeSeconds)
        let node = try await TestStore.open(shop.database, "past", seed: 2)
        let later = try #require(Instant(rfc3339: "2020-03-06T12:00:00Z"))
        #expect(try await node.store.clock.advance(to: later).events == 0)
        #expect(try await past.store.now() == later)
        #expect(try await past.buy("pass.1week", as: "ann").purchaseDate == later)
        #expect(
            try await past.verify(past.receipt(of: "ann"))["receipt"]?["request_date_ms"]
                == .string("\(later.milliseconds)"))
        await #expect(throws: StoreError(.timeInThePast, "", "")) {
            try await past.store.clock.advance(to: Instant(milliseconds: later.milliseconds - 1))
        }
        await #expect(throws: StoreError(.clockRunsByItself, "", "")) {
            try await shop.store.clock.advance(to: later)
        }
        // Without a time it starts now.
        _ = try await shop.registry.makeEnvironment("now", kind: .sandbox, clock: .manual, now: nil)
        #expect(try await shop.environment("now").store.now() == shop.clock.now.wholeSeconds)
    }

    @Test(arguments: Engine.allCases)
    func `a reset empties the environment and keeps catalog, keys and clock`(engine: Engine) async throws {
        let shop = try await TestStore.make(on: engine)
        _ = try await shop.registry.makeEnvironment("e", kind: .sandbox, clock: .manual, now: TestStore.opening)
        let emptied = try await shop.environment("e")
        let token = try await emptied.signIn("ann").token
        let old = try await emptied.buy("monthly", as: "ann", key: "k")
        try await emptied.buyAndFinish("film.roll", as: "ann")
        _ = try await emptied.receipt(of: "ann")
        try await emptied.store.reset()
        for table in [
            "accounts", "customers", "devices", "transactions", "purchase_requests", "journal", "journal_heads",
            "postings", "signed_receipts", "subscriptions",
        ] {
            #expect(try await shop.count(table) == 0, "\(table)")
        }
        await #expect(throws: StoreError(.unauthorized, "", "")) {
            try await emptied.store.accounts.customer(token: token)
        }
        #expect(try await emptied.store.now() == TestStore.opening)
        let new = try await emptied.buy("monthly", as: "ann", key: "k")
        #expect(new.id > old.id)
        #expect(try await emptied.journal().map(\.position).first == 1)
        #expect(try await emptied.readReceipt(of: "ann").purchases.count == 1)
    }

    static let names: [(name: String, isValid: Bool)] = [
        ("a", true), ("Staging-2_b", true), (String(repeating: "x", count: 64), true),
        (String(repeating: "x", count: 65), false), ("", false), ("a b", false), ("a/b", false), ("..", false),
        ("ü", false), ("a\0", false),
    ]

    @Test(arguments: names)
    func `environment names must fit into URLs`(name: String, isValid: Bool) async throws {
        let shop = try await TestStore.make()
        if isValid {
            _ = try await shop.registry.makeEnvironment(name, kind: .production, clock: .real, now: nil)
            await #expect(throws: StoreError(.environmentExists, "", "")) {
                try await shop.registry.makeEnvironment(name, kind: .sandbox, clock: .real, now: nil)
            }
            #expect(try await shop.registry.store(named: name)?.environment.kind == .production)
        } else {
            await #expect(throws: StoreError(.malformed, "", "")) {
                try await shop.registry.makeEnvironment(name, kind: .sandbox, clock: .real, now: nil)
            }
            #expect(try await shop.registry.store(named: name) == nil)
        }
    }

    @Test(arguments: Engine.allCases)
    func `Production and Sandbox are created once at start`(engine: Engine) async throws {
        let shop = try await TestStore.make(on: engine)
        try await shop.registry.prepare()
        #expect(try await shop.registry.environments().map(\.name) == ["Production", "Sandbox"])
        await #expect(throws: StoreError(.environmentExists, "", "")) {
            try await shop.registry.makeEnvironment("Sandbox", kind: .sandbox, clock: .real, now: nil)
        }
    }
}
