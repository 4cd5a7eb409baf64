import Perennial
import PerennialStorage
import PerennialStore
import Synchronization
import TestSupport
import Testing

/// Emptying a large environment beside the sales of another one.
struct ErasingTests {
    private static let rows = 3 * EnvironmentContents.sliceSize + 1

    /// A Sandbox with thousands of rows in two tables.
    private static func shop(_ engine: Engine, _ commits: CommitCount) async throws -> TestStore {
        let shop = try await TestStore.make(
            on: engine, faults: { if $0 == .beforeCommit { commits.count.withLock { $0 += 1 } } })
        try await shop.buy("monthly", as: "ann")
        let environment = shop.store.environment.id.rawValue
        try await shop.database.write(timeout: .long) { connection in
            for number in 0..<Self.rows {
                try connection.execute(
                    "INSERT INTO offer_nonces (environment, app, nonce, signed) VALUES ($1, 1, $2, 0)",
                    [.integer(environment), .text("\(number)")])
                try connection.execute(
                    "INSERT INTO customers (environment, app, account, revision, joined) VALUES ($1, 1, $2, 0, 0)",
                    [.integer(environment), .integer(Int64(number))])
            }
        }
        return shop
    }

    @Test(arguments: Engine.allCases)
    func `an environment is emptied in many transactions`(engine: Engine) async throws {
        let commits = CommitCount()
        let shop = try await Self.shop(engine, commits)
        commits.count.withLock { $0 = 0 }
        try await shop.store.reset()
        #expect(commits.count.withLock { $0 } > 8)
        for table in ["offer_nonces", "customers", "transactions", "journal", "journal_heads"] {
            #expect(try await shop.count(table) == 0, "\(table)")
        }
    }

    /// Tables of an environment that have a few rows, or a row for each edit by the seller.
    private static let small: Set<String> = [
        "analytics_requests", "closed_month_positions", "closed_months", "closing_lines", "environment_settings",
        "exchange_rates", "finance_adjustments", "finance_settings", "journal_heads", "leases", "mass_extensions",
        "notification_settings", "offer_code_batches", "payouts", "price_changes", "product_changes",
        "retention_defaults",
        "retention_images", "retention_message_images", "retention_messages", "retention_tests", "retention_urls",
        "roll_up_days", "roll_up_generations", "roll_up_heads", "subscription_standing_weeks",
    ]

    @Test func `every table that grows with purchases is emptied in slices`() async throws {
        let database = try Engine.sqliteInMemory.makeDatabase()
        let names = try await database.read { connection in
            try connection.query(
                """
                SELECT m.name FROM sqlite_master AS m, pragma_table_info(m.name) AS c
                WHERE m.type = 'table' AND c.name = 'environment' AND c.type = 'BIGINT' ORDER BY m.name
                """
            ) { try $0.text(0) }
        }
        let sliced = (EnvironmentContents.slices + EnvironmentContents.slicesOfSettings).map(\.table)
        #expect(sliced.count == Set(sliced).count)
        #expect(Set(names) == Set(sliced).union(Self.small))
        #expect(Self.small.isDisjoint(with: sliced))
    }

    @Test(arguments: Engine.allCases)
    func `other environments sell while one is emptied`(engine: Engine) async throws {
        let commits = CommitCount()
        let shop = try await Self.shop(engine, commits)
        let other = try await shop.environment("Production")
        try await other.account("bob")
        let bob = try await other.customer("bob")
        async let reset: Void = shop.store.reset()
        var sold = 0
        while try await shop.count("offer_nonces") > 0 {
            _ = try await other.store.purchases.buy(
                PurchaseRequest(productID: Product.ID(rawValue: "film.roll")), by: bob)
            sold += 1
        }
        try await reset
        #expect(try await other.journal().count == sold)
    }

    /// A counter that closures share.
    private final class CommitCount: Sendable {
        let count = Mutex(0)
    }
}
