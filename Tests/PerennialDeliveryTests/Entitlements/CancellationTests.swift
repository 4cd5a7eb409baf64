import Foundation
import Perennial
import PerennialDelivery
import PerennialStorage
import TestSupport
import Testing

/// What was heard of refunds once holds from then on, whatever receipt is shown.
struct CancellationTests {
    private func contents(_ grant: Grant) -> [String] { grant.contents.map(\.content.id.rawValue) }

    /// Whether a grant still opens a content; `nil` where it does.
    private func refusal(_ id: String, _ grant: Grant, _ world: DeliveryWorld) async throws -> DeliveryError.Code? {
        do {
            _ = try await world.delivery.authorize(Content.ID(rawValue: id), grant: grant.token)
            return nil
        } catch let error as DeliveryError {
            return error.code
        }
    }

    @Test(arguments: GrantTests.engines)
    func `a refund that one receipt told of holds against an older receipt`(engine: Engine) async throws {
        let world = try DeliveryWorld(engine)
        world.store.tell("old", [bought("filter", 1), bought("single.1", 2)])
        world.store.tell("fresh", [bought("filter", 1, cancelled: "2026-01-01"), bought("single.1", 2)])
        let before = try await world.grant("old")
        #expect(contents(before) == ["issue-1", "filter"])
        #expect(contents(try await world.grant("fresh")) == ["issue-1"])
        let after = try await world.grant("old")
        #expect(contents(after) == ["issue-1"])
        #expect(after.refused.map(\.code) == [.revoked])
        // What was granted before is taken away, too, and nothing else is.
        #expect(try await refusal("filter", before, world) == .notGranted)
        #expect(try await refusal("issue-1", before, world) == nil)
    }

    @Test func `a refund in one side of the store says nothing of the other`() async throws {
        let world = try DeliveryWorld()
        world.store.tell("production", [bought("filter", 1)], environment: .production)
        world.store.tell("sandbox", [bought("filter", 1, cancelled: "2026-01-01")])
        _ = try await world.grant("sandbox")
        #expect(contents(try await world.grant("production")) == ["filter"])
    }

    @Test func `more purchases than one question asks for are all looked up`() async throws {
        let world = try DeliveryWorld()
        let others = (1...200).map { bought("pass.1month", $0) }
        world.store.tell("old", others + [bought("filter", 201), bought("single.1", 202)])
        world.store.tell(
            "fresh",
            others + [bought("filter", 201, cancelled: "2026-01-01"), bought("single.1", 202, cancelled: "2026-01-01")])
        _ = try await world.grant("fresh")
        #expect(contents(try await world.grant("old")).isEmpty)
    }

    @Test(arguments: GrantTests.engines)
    func `a refunded period opens nothing, by an earlier grant or a later one`(engine: Engine) async throws {
        let world = try DeliveryWorld(engine)
        world.now.value = Instant(seconds: 1_768_867_200)  // 2026-01-20
        world.store.tell("old", [bought("monthly", 1, expires: "2026-02-01")])
        // Issue 1 came out on the 15th, before the refund.
        world.store.tell("refunded", [bought("monthly", 1, expires: "2026-02-01", cancelled: "2026-01-18")])
        let before = try await world.grant("old")
        #expect(contents(before) == ["issue-1"])
        for receipt in ["refunded", "old"] {
            let after = try await world.grant(receipt)
            #expect(contents(after).isEmpty)
            #expect(after.refused.map(\.code) == [.revoked])
        }
        #expect(try await refusal("issue-1", before, world) == .notGranted)
    }

    @Test func `what another paid period opens stays open`() async throws {
        let world = try DeliveryWorld()
        world.now.value = Instant(seconds: 1_772_323_200)  // 2026-03-01
        let (first, second) = (
            bought("monthly", 1, expires: "2026-02-01"), bought("monthly", 2, on: "2026-02-01", expires: "2026-03-01")
        )
        world.store.tell("old", [first, second])
        let before = try await world.grant("old")
        #expect(contents(before) == ["issue-1", "issue-2"])
        var refunded = second
        refunded.cancellationDate = Instant(rfc3339: "2026-02-20T00:00:00Z")
        world.store.tell("fresh", [first, refunded])
        #expect(contents(try await world.grant("fresh")) == ["issue-1"])
        #expect(try await refusal("issue-1", before, world) == nil)
        #expect(try await refusal("issue-2", before, world) == .notGranted)
    }

    @Test func `an upgrade is no refund and isn't remembered as one`() async throws {
        let world = try DeliveryWorld()
        var upgraded = bought("monthly", 1, expires: "2026-02-01", cancelled: "2026-01-10")
        upgraded.isUpgraded = true
        world.now.value = Instant(seconds: 1_768_867_200)  // 2026-01-20
        world.store.tell("upgraded", [upgraded])
        #expect(contents(try await world.grant("upgraded")).isEmpty)
        world.store.tell("old", [bought("monthly", 1, expires: "2026-02-01")])
        #expect(contents(try await world.grant("old")) == ["issue-1"])
    }

    @Test func `what migration 14 finds of cancelled terms stays cancelled`() async throws {
        let database = try Engine.sqliteInMemory.makeDatabase(
            migrations: Migration.all.filter { $0.number < 14 })
        let scope = DeliveryWorld.sandbox
        try await database.write { connection in
            for (id, cancelled) in [(1, SQLValue.null), (2, SQLValue.integer(1_767_312_000_000))] {
                try connection.execute(
                    """
                    INSERT INTO delivery_purchases (environment, bundle_id, transaction_id, customer, product, original_id,
                    purchased, cancelled, quantity, recorded)
                    VALUES ('Sandbox', 'com.example.magazine', $1, 'ann', 'pass', $1, 0, $2, 1, 0)
                    """, [.integer(Int64(id)), cancelled])
            }
        }
        try database.migrate()
        let found = try await database.read {
            try DeliveryPurchasesTable.purchases(of: "ann", scope, limit: 10, on: $0)
        }
        #expect(found.map(\.cancellationDate) == [nil, Instant(rfc3339: "2026-01-02T00:00:00Z")])
        database.close()
    }
}

/// Receipts of Sandbox, where nobody pays.
struct SandboxReceiptTests {
    @Test func `where they are refused, neither a receipt, nor a term, nor a grant from before opens anything`()
        async throws
    {
        let world = try DeliveryWorld()
        world.store.tell("r", [bought("filter", 1), bought("pass.1month", 2)])
        let before = try await world.grant("r", world.customer("ann"))
        #expect(before.contents.map(\.content.id.rawValue).contains("filter"))
        let strict = try world.delivery(accepting: [.production])
        await #expect(throws: DeliveryError(.sandboxReceiptRefused, "", "")) {
            try await strict.grant(receipt: "r", bundleID: DeliveryWorld.magazine)
        }
        #expect(try await strict.terms(customerToken: world.customer("ann")).terms.isEmpty)
        await #expect(throws: DeliveryError(.unauthorized, "", "")) {
            try await strict.authorize(Content.ID(rawValue: "filter"), grant: before.token)
        }
        world.store.tell("p", [bought("filter", 1)], environment: .production)
        #expect(try await strict.grant(receipt: "p", bundleID: DeliveryWorld.magazine).contents.count == 1)
    }
}
