import Logging
import Perennial
import PerennialStorage
import TestSupport
import Testing

@testable import PerennialStore

/// Quarantine of subscriptions whose due work fails.
struct QuarantineTests {
    private static let due = Period.month.end(after: RenewalTests.start)

    private static func set(_ document: String, of id: TransactionID, in shop: TestStore) async throws {
        _ = try await shop.database.write {
            try $0.execute(
                "UPDATE subscriptions SET document = $1 WHERE original_id = $2",
                [.text(document), .integer(id.rawValue)])
        }
    }

    private static func document(of id: TransactionID, in shop: TestStore) async throws -> String {
        try await shop.database.read {
            try $0.first("SELECT document FROM subscriptions WHERE original_id = $1", [.integer(id.rawValue)]) {
                try $0.text(0)
            }
        } ?? ""
    }

    private static func renewals(_ shop: TestStore, _ account: String) async throws -> Int {
        try await RenewalTests.periods(shop, of: account).count - 1
    }

    @Test(arguments: Engine.allCases, [false, true])
    func `an unreadable subscription is quarantined until repaired`(
        engine: Engine, isShared: Bool
    ) async throws {
        let shop = try await RenewalTests.shop(engine)
        let ann = try await shop.buy("monthly", as: "ann")
        // Shared subscriptions are processed behind locks.
        if isShared { _ = try await shop.store.families.make(organizer: "ben", members: ["cem"]) }
        _ = try await shop.buy("family.monthly", as: "ben")
        let written = try await Self.document(of: ann.id, in: shop)
        try await Self.set("no document", of: ann.id, in: shop)
        _ = try await shop.store.clock.advance(to: Self.due)
        #expect(try await Self.renewals(shop, "ben") == 1)
        let quarantined = try await shop.store.renewals.quarantined()
        #expect(quarantined.map(\.id) == [ann.id])
        #expect(quarantined.map(\.bundleID) == [TestCatalog.bundleID])
        #expect(quarantined.allSatisfy { $0.since == shop.clock.now && $0.reason.contains("document") })
        let snapshot = try await shop.registry.snapshots().first { $0.environment.name == "lab" }
        #expect(snapshot?.quarantine == [.init(bundleID: TestCatalog.bundleID, count: 1)])
        #expect(try await shop.store.rolledUp.attention(for: TestCatalog.bundleID).quarantinedSubscriptions == 1)

        await #expect(throws: StoreError(.subscriptionUnreadable, "", "")) {
            try await shop.store.renewals.releaseFromQuarantine(ann.id)
        }
        try await Self.set(written, of: ann.id, in: shop)
        try await shop.store.renewals.releaseFromQuarantine(ann.id)
        await #expect(throws: StoreError(.subscriptionNotQuarantined, "", "")) {
            try await shop.store.renewals.releaseFromQuarantine(ann.id)
        }
        _ = try await shop.store.clock.advance(to: Self.due + .days(1))
        #expect(try await RenewalTests.periods(shop, of: "ann").map(\.purchaseDate) == [RenewalTests.start, Self.due])
        #expect(try await shop.store.renewals.quarantined().isEmpty)
    }

    /// Makes the database refuse each renewal of a subscription.
    private static func refuseRenewals(of id: TransactionID, in shop: TestStore) async throws {
        try await shop.database.write { connection in
            switch connection.engine {
            case .sqlite:
                try connection.execute(
                    SQL(
                        """
                        CREATE TRIGGER refused BEFORE INSERT ON transactions
                        WHEN NEW.original_id = \(id) AND NEW.id <> \(id) BEGIN SELECT RAISE(ABORT, 'refused'); END
                        """))
            case .postgres:
                try connection.execute(
                    SQL("ALTER TABLE transactions ADD CONSTRAINT refused CHECK (original_id <> \(id) OR id = \(id))"))
            }
        }
    }

    @Test(arguments: Engine.allCases, [false, true])
    func `a renewal that can't be written is quarantined alone`(
        engine: Engine, isShared: Bool
    ) async throws {
        let shop = try await RenewalTests.shop(engine)
        for name in ["a", "b"] { _ = try await shop.buy("monthly", as: name) }
        if isShared { _ = try await shop.store.families.make(organizer: "ben", members: ["cem"]) }
        let ann = try await shop.buy("monthly", as: "ann")
        _ = try await shop.buy("family.monthly", as: "ben")
        try await Self.refuseRenewals(of: ann.id, in: shop)
        _ = try await shop.store.clock.advance(to: Period(3, .month).end(after: RenewalTests.start))
        for name in ["a", "b", "ben"] { #expect(try await Self.renewals(shop, name) == 3, "\(name)") }
        #expect(try await Self.renewals(shop, "ann") == 0)
        #expect(try await shop.store.renewals.quarantined().map(\.id) == [ann.id])
        let renewals = try await shop.journal().map(\.entry).filter { $0.kind == .subscription(.renewed) }
        #expect(renewals.map(\.at) == renewals.map(\.at).sorted())
        #expect(try await shop.sumOfPostings().values.allSatisfy { $0 == 0 })
    }

    @Test func `a changed subscription leaves the quarantine`() async throws {
        let shop = try await RenewalTests.shop()
        let ann = try await shop.buy("monthly", as: "ann")
        try await Self.refuseRenewals(of: ann.id, in: shop)
        _ = try await shop.store.clock.advance(to: Self.due)
        #expect(try await shop.store.renewals.quarantined().count == 1)
        _ = try await shop.database.write { try $0.execute("DROP TRIGGER refused") }
        _ = try await shop.store.subscriptions.perform(.setAutoRenew(false), on: ann.id)
        #expect(try await shop.store.renewals.quarantined().isEmpty)
        _ = try await shop.store.clock.advance(to: Period(2, .month).end(after: RenewalTests.start))
        #expect(try await Self.renewals(shop, "ann") == 1)
        #expect(try await shop.store.subscriptions.snapshot(of: ann.id).subscription.hasEnded)
    }

    @Test func `a database error quarantines nothing`() async throws {
        let fault = TestFault()
        let shop = try await RenewalTests.shop(faults: { try fault.reach($0) })
        _ = try await shop.buy("monthly", as: "ann")
        fault.inject(at: .beforeCommit, after: 1, with: StorageError(.connectionLost, "test", "the server is gone"))
        await #expect(throws: StorageError(.connectionLost, "", "")) {
            try await shop.store.clock.advance(to: Self.due)
        }
        #expect(try await shop.store.renewals.quarantined().isEmpty)
        _ = try await shop.store.clock.advance(to: Self.due)
        #expect(try await Self.renewals(shop, "ann") == 1)
    }

    private struct Over: Error {}

    @Test func `an error in one environment doesn't stop the others`() async throws {
        let fault = TestFault()
        let production = try await TestStore.make("Production", faults: { try fault.reach($0) })
        let sandbox = try await production.environment("Sandbox")
        for shop in [production, sandbox] { _ = try await shop.buy("monthly", as: "ann") }
        production.clock.advance(by: .days(40))
        fault.inject(at: .beforeCommit, with: StorageError(.resources, "test", "the disk is full"))
        await RenewalScheduler(registry: production.registry, pause: { throw Over() }, logger: TestStore.quiet).run()
        #expect(try await Self.renewals(production, "ann") == 0)
        #expect(try await Self.renewals(sandbox, "ann") == 6)
    }

    @Test(arguments: Engine.allCases)
    func `an unreadable app doesn't stop the others`(engine: Engine) async throws {
        let shop = try await RenewalTests.shop(engine)
        _ = try await shop.buy("monthly", as: "ann")
        _ = try await shop.database.write { connection in
            try connection.execute(
                "UPDATE apps SET definition = 'nothing', revision = $1 WHERE id = $2",
                [.integer(try CatalogHeadTable.raise(on: connection)), .integer(TestCatalog.camera.appleID)])
        }
        _ = try await shop.store.clock.advance(to: Self.due)
        #expect(try await Self.renewals(shop, "ann") == 1)
        await #expect(throws: StoreError(.appNotFound, "", "")) {
            try await shop.buy("lens", as: "ann", app: TestCatalog.otherBundleID)
        }
    }

    @Test(arguments: Engine.allCases)
    func `a mass extension skips unreadable subscriptions`(engine: Engine) async throws {
        let shop = try await RenewalTests.shop(engine)
        var sold: [Transaction] = []
        for name in ["ann", "ben", "cem", "dan"] { sold.append(try await shop.buy("monthly", as: name)) }
        try await Self.set("no document", of: sold[1].id, in: shop)
        // One whose customer is gone.
        _ = try await shop.database.write { [account = sold[2].accountID] in
            try $0.execute("DELETE FROM customers WHERE account = $1", [.integer(account.rawValue)])
        }
        let request = RenewalExtension(days: 10, reason: .serviceIssue, requestID: "outage")
        let status = try await shop.store.extensions.extendAll(
            MassExtension(productID: Product.ID(rawValue: "monthly"), request: request), bundleID: TestCatalog.bundleID)
        #expect(status.completed != nil)
        #expect((status.request.succeededCount, status.request.failedCount) == (2, 2))
    }
}
