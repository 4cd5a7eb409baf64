import Perennial
import PerennialStorage
import PerennialStore
import TestSupport
import Testing

/// Removal of environments.
struct EnvironmentRemovalTests {
    @Test(arguments: Engine.allCases)
    func `a removed environment leaves no rows in any table`(engine: Engine) async throws {
        let shop = try await TestStore.make(on: engine)
        let made = try await shop.registry.makeEnvironment(
            "e", kind: .sandbox, clock: .manual, now: TestStore.opening,
            billing: BillingSettings(gracePeriodDays: 16))
        let removed = try await shop.environment("e")
        _ = try await removed.signIn("ann")
        try await removed.store.notifications.configure(
            NotificationSettings(url: "http://127.0.0.1:1/hook"), of: TestCatalog.bundleID)
        let sold = try await removed.buy("monthly", as: "ann", key: "k")
        _ = try await removed.receipt(of: "ann")
        _ = try await removed.store.extensions.requestMassExtension(
            MassExtension(
                productID: Product.ID(rawValue: "monthly"),
                request: RenewalExtension(days: 3, reason: .undeclared, requestID: "r")), bundleID: TestCatalog.bundleID
        )
        _ = try await removed.store.clock.advance(to: TestStore.opening + .minutes(5))
        _ = try await shop.buy("film.roll", as: "bob")
        let before = try await tables(of: made.id, in: shop)
        for table in ["transactions", "environment_settings", "notification_settings", "notifications", "journal"] {
            #expect(before[table] ?? 0 > 0, "\(table)")
        }
        try await shop.registry.removeEnvironment("e")
        #expect(try await tables(of: made.id, in: shop).filter { $0.value > 0 } == [:])
        #expect(try await shop.registry.environments().map(\.name) == ["Production", "Sandbox"])
        #expect(try await shop.count("transactions") == 1)
        // Another one of that name starts empty, with new IDs.
        let again = try await shop.registry.makeEnvironment("e", kind: .sandbox, clock: .manual, now: nil)
        #expect(again.id != made.id)
        let other = try await shop.environment("e").buy("monthly", as: "ann", key: "k")
        #expect(other.id > sold.id)
    }

    /// Counts an environment's rows in each table.
    private func tables(of id: StoreEnvironment.ID, in shop: TestStore) async throws -> [String: Int64] {
        try await shop.database.read { connection in
            let names =
                connection.engine == .sqlite
                ? """
                SELECT m.name FROM sqlite_master AS m, pragma_table_info(m.name) AS c
                WHERE m.type = 'table' AND c.name = 'environment' AND c.type = 'BIGINT' ORDER BY m.name
                """
                : """
                SELECT CAST(table_name AS TEXT) FROM information_schema.columns
                WHERE column_name = 'environment' AND data_type = 'bigint' AND table_schema = current_schema()
                """
            var counts: [String: Int64] = [:]
            for name in try connection.query(SQL(names), [], { try $0.text(0) }) {
                counts[name] = try connection.first(
                    SQL("SELECT COUNT(*) FROM \(name) WHERE environment = $1"), [.integer(id.rawValue)]
                ) { try $0.integer(0) }
            }
            #expect(counts.count > 25)
            return counts
        }
    }

    @Test(arguments: Engine.allCases)
    func `every node notices that an environment was replaced`(engine: Engine) async throws {
        let one = try await TestStore.make(on: engine)
        _ = try await one.registry.makeEnvironment("e", kind: .sandbox, clock: .real, now: nil)
        let two = try await TestStore.open(one.database, "e", seed: 2)
        try await one.registry.removeEnvironment("e")
        #expect(try await two.registry.store(named: "e") == nil)
        #expect(try await one.registry.store(named: "e") == nil)
        let again = try await one.registry.makeEnvironment("e", kind: .production, clock: .manual, now: nil)
        #expect(try await two.registry.store(named: "e")?.environment == again)
    }

    @Test func `only existing custom environments can be removed`() async throws {
        let shop = try await TestStore.make()
        for name in ["Production", "Sandbox"] {
            await #expect(throws: StoreError(.environmentPermanent, "", "")) {
                try await shop.registry.removeEnvironment(name)
            }
        }
        await #expect(throws: StoreError(.environmentNotFound, "", "")) {
            try await shop.registry.removeEnvironment("nowhere")
        }
    }
}
