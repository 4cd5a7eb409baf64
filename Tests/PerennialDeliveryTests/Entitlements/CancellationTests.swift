import Foundation
import Perennial
import PerennialDelivery
import PerennialStorage
import TestSupport
import Testing

/// Known refunds, which apply to all later receipts.
struct CancellationTests {
    private func contents(_ grant: Grant) -> [String] { grant.contents.map(\.content.id.rawValue) }

    /// Returns the error of opening a content; `nil` if the grant opens it.
    private func refusal(_ id: String, _ grant: Grant, _ fixture: DeliveryFixture) async throws -> DeliveryError.Code? {
        do {
            _ = try await fixture.delivery.authorize(Content.ID(rawValue: id), grant: grant.token)
            return nil
        } catch let error as DeliveryError {
            return error.code
        }
    }

    @Test(arguments: GrantTests.engines)
    func `a refund in one receipt applies to an older receipt`(engine: Engine) async throws {
        let fixture = try DeliveryFixture(engine)
        fixture.store.tell("old", [bought("filter", 1), bought("single.1", 2)])
        fixture.store.tell("fresh", [bought("filter", 1, cancelled: "2026-01-01"), bought("single.1", 2)])
        let before = try await fixture.grant("old")
        #expect(contents(before) == ["issue-1", "filter"])
        #expect(contents(try await fixture.grant("fresh")) == ["issue-1"])
        let after = try await fixture.grant("old")
        #expect(contents(after) == ["issue-1"])
        #expect(after.refused.map(\.code) == [.revoked])
        // What was granted before is taken away, too, and nothing else is.
        #expect(try await refusal("filter", before, fixture) == .notGranted)
        #expect(try await refusal("issue-1", before, fixture) == nil)
    }

    @Test func `a refund in one environment doesn't apply to the other`() async throws {
        let fixture = try DeliveryFixture()
        fixture.store.tell("production", [bought("filter", 1)], environment: .production)
        fixture.store.tell("sandbox", [bought("filter", 1, cancelled: "2026-01-01")])
        _ = try await fixture.grant("sandbox")
        #expect(contents(try await fixture.grant("production")) == ["filter"])
    }

    @Test func `refunds of more purchases than one query takes are found`() async throws {
        let fixture = try DeliveryFixture()
        let others = (1...200).map { bought("pass.1month", $0) }
        fixture.store.tell("old", others + [bought("filter", 201), bought("single.1", 202)])
        fixture.store.tell(
            "fresh",
            others + [bought("filter", 201, cancelled: "2026-01-01"), bought("single.1", 202, cancelled: "2026-01-01")])
        _ = try await fixture.grant("fresh")
        #expect(contents(try await fixture.grant("old")).isEmpty)
    }

    @Test(arguments: GrantTests.engines)
    func `a refunded period opens nothing, by an earlier grant or a later one`(engine: Engine) async throws {
        let fixture = try DeliveryFixture(engine)
        fixture.now.value = Instant(seconds: 1_768_867_200)  // 2026-01-20
        fixture.store.tell("old", [bought("monthly", 1, expires: "2026-02-01")])
        // Issue 1 came out on the 15th, before the refund.
        fixture.store.tell("refunded", [bought("monthly", 1, expires: "2026-02-01", cancelled: "2026-01-18")])
        let before = try await fixture.grant("old")
        #expect(contents(before) == ["issue-1"])
        for receipt in ["refunded", "old"] {
            let after = try await fixture.grant(receipt)
            #expect(contents(after).isEmpty)
            #expect(after.refused.map(\.code) == [.revoked])
        }
        #expect(try await refusal("issue-1", before, fixture) == .notGranted)
    }

    @Test func `content of another paid period stays open`() async throws {
        let fixture = try DeliveryFixture()
        fixture.now.value = Instant(seconds: 1_772_323_200)  // 2026-03-01
        let (first, second) = (
            bought("monthly", 1, expires: "2026-02-01"), bought("monthly", 2, on: "2026-02-01", expires: "2026-03-01")
        )
        fixture.store.tell("old", [first, second])
        let before = try await fixture.grant("old")
        #expect(contents(before) == ["issue-1", "issue-2"])
        var refunded = second
        refunded.cancellationDate = Instant(rfc3339: "2026-02-20T00:00:00Z")
        fixture.store.tell("fresh", [first, refunded])
        #expect(contents(try await fixture.grant("fresh")) == ["issue-1"])
        #expect(try await refusal("issue-1", before, fixture) == nil)
        #expect(try await refusal("issue-2", before, fixture) == .notGranted)
    }

    @Test func `an upgrade isn't stored as a refund`() async throws {
        let fixture = try DeliveryFixture()
        var upgraded = bought("monthly", 1, expires: "2026-02-01", cancelled: "2026-01-10")
        upgraded.isUpgraded = true
        fixture.now.value = Instant(seconds: 1_768_867_200)  // 2026-01-20
        fixture.store.tell("upgraded", [upgraded])
        #expect(contents(try await fixture.grant("upgraded")).isEmpty)
        fixture.store.tell("old", [bought("monthly", 1, expires: "2026-02-01")])
        #expect(contents(try await fixture.grant("old")) == ["issue-1"])
    }

    @Test func `cancelled terms stay cancelled after migration 14`() async throws {
        let database = try Engine.sqliteInMemory.makeDatabase(
            migrations: Migration.all.filter { $0.number < 14 })
        let scope = DeliveryFixture.sandbox
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

/// Sandbox receipts on a server that refuses them.
struct SandboxReceiptTests {
    @Test func `refused sandbox receipts, terms and earlier grants open nothing`()
        async throws
    {
        let fixture = try DeliveryFixture()
        fixture.store.tell("r", [bought("filter", 1), bought("pass.1month", 2)])
        let before = try await fixture.grant("r", fixture.customer("ann"))
        #expect(before.contents.map(\.content.id.rawValue).contains("filter"))
        let strict = try fixture.delivery(accepting: [.production])
        await #expect(throws: DeliveryError(.sandboxReceiptRefused, "", "")) {
            try await strict.grant(receipt: "r", bundleID: DeliveryFixture.magazine)
        }
        #expect(try await strict.terms(customerToken: fixture.customer("ann")).terms.isEmpty)
        await #expect(throws: DeliveryError(.unauthorized, "", "")) {
            try await strict.authorize(Content.ID(rawValue: "filter"), grant: before.token)
        }
        fixture.store.tell("p", [bought("filter", 1)], environment: .production)
        #expect(try await strict.grant(receipt: "p", bundleID: DeliveryFixture.magazine).contents.count == 1)
    }
}
