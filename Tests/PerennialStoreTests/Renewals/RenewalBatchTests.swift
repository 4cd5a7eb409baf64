import Perennial
import PerennialStorage
import TestSupport
import Testing

@testable import PerennialStore

/// Batches of renewals that are decided ahead.
struct RenewalBatchTests {
    private static let due = Period.month.end(after: RenewalTests.start)

    /// Changes between the decision and its writing, of ann's monthly subscription.
    private static let changes: [(String, @Sendable (TestStore, TransactionID) async throws -> Void)] = [
        ("her card is declined", { shop, _ in try await shop.account("ann", payment: .declined) }),
        (
            "she renews at another pace",
            { shop, _ in
                // Only Sandbox lets her choose, but renewals are decided in the same way everywhere.
                _ = try await shop.database.write {
                    try $0.execute(
                        "UPDATE accounts SET renewal_rate = $1 WHERE name = 'ann'",
                        [.text(TimeRate.monthlyRenewalEveryHour.rawValue)])
                }
            }
        ),
        (
            "she turns auto-renew off",
            { shop, id in _ = try await shop.store.subscriptions.perform(.setAutoRenew(false), on: id) }
        ),
        ("she buys something else", { shop, _ in _ = try await shop.buy("film.roll", as: "ann") }),
        (
            "another worker was faster",
            { shop, _ in _ = try await shop.store.renewals.processDue(until: due) }
        ),
        (
            "the product is taken off sale",
            { shop, _ in
                _ = try await shop.store.products.setClearedForSale(
                    false, Product.ID(rawValue: "monthly"), bundleID: TestCatalog.bundleID)
            }
        ),
        (
            "all renewals fail from now on",
            { shop, _ in
                _ = try await shop.store.renewals.setBillingSettings(BillingSettings(renewalsFail: true), for: nil)
            }
        ),
    ]

    private static func decided(
        _ shop: TestStore, until target: Instant = due
    ) async throws -> RenewalBatch {
        guard
            case .decided(let decided) = try await shop.store.renewals.buildBatch(RenewalBatch.DueRange(until: target))
        else {
            throw TestStore.Missing(what: "decision")
        }
        return decided
    }

    @Test(arguments: Engine.allCases, changes.indices)
    func `a batch decided on an outdated version isn't written`(engine: Engine, number: Int) async throws {
        let shop = try await RenewalTests.shop(engine)
        let ben = try await shop.buy("monthly", as: "ben")
        let ann = try await shop.buy("monthly", as: "ann")
        let decided = try await Self.decided(shop)
        #expect(decided.steps.count == 2)
        try await Self.changes[number].1(shop, ann.id)
        let before = try await shop.journal().count
        await #expect(throws: RenewalBatch.VersionConflict.self, "\(Self.changes[number].0)") {
            try await shop.store.renewals.write(decided)
        }
        #expect(try await shop.journal().count == before)
        // The next call decides by the new state.
        _ = try await shop.store.clock.advance(to: Self.due)
        let snapshot = try await shop.store.subscriptions.snapshot(of: ben.id)
        #expect(snapshot.subscription.nextDue.map { $0 > Self.due } ?? true)
        #expect(try await shop.sumOfPostings().values.allSatisfy { $0 == 0 })
    }

    @Test(arguments: Engine.allCases)
    func `a batch is written once`(engine: Engine) async throws {
        let shop = try await RenewalTests.shop(engine)
        _ = try await shop.buy("monthly", as: "ann")
        let decided = try await Self.decided(shop)
        try await shop.store.renewals.write(decided)
        #expect(try await RenewalTests.periods(shop, of: "ann").count == 2)
        #expect(try await shop.store.now() == Self.due)
        await #expect(throws: RenewalBatch.VersionConflict.self) { try await shop.store.renewals.write(decided) }
        #expect(try await RenewalTests.periods(shop, of: "ann").count == 2)
    }

    /// In another era the versions may stand for other states, and the IDs for other purchases.
    @Test func `a batch decided in an earlier era isn't written`() async throws {
        let shop = try await RenewalTests.shop(.postgres)
        _ = try await shop.buy("monthly", as: "ann")
        let decided = try await Self.decided(shop)
        shop.database.renewEra()
        let before = try await shop.journal().count
        await #expect(throws: RenewalBatch.VersionConflict.self) { try await shop.store.renewals.write(decided) }
        #expect(try await shop.journal().count == before)
        // The next one is decided in the new era, with IDs of it.
        let again = try await Self.decided(shop)
        try await shop.store.renewals.write(again)
        #expect(try await RenewalTests.periods(shop, of: "ann").count == 2)
        let ids = [decided, again].map { Set($0.steps.flatMap(\.decision.transactions).map(\.id)) }
        #expect(!ids[1].isEmpty && ids[0].isDisjoint(with: ids[1]))
    }

    @Test func `a family created meanwhile makes the batch a conflict`() async throws {
        let shop = try await RenewalTests.shop()
        _ = try await shop.buy("family.monthly", as: "ann")
        let decided = try await Self.decided(shop)
        _ = try await shop.store.families.make(organizer: "ann", members: ["bob"])
        await #expect(throws: RenewalBatch.VersionConflict.self) { try await shop.store.renewals.write(decided) }
        guard case .requiresLocks = try await shop.store.renewals.buildBatch(RenewalBatch.DueRange(until: Self.due))
        else {
            Issue.record("what a family shares needs its members' locks")
            return
        }
        _ = try await shop.store.clock.advance(to: Self.due)
        #expect(try await RenewalTests.periods(shop, of: "bob").count == 2)
    }

    @Test(arguments: Engine.allCases, [false, true])
    func `consecutive batches renew everything once and in order`(
        engine: Engine, overlaps: Bool
    ) async throws {
        let shop = try await RenewalTests.shop(engine, pipelinesRenewals: overlaps)
        let count = 2 * Renewals.batchSize + 30
        for number in 0..<count { _ = try await shop.buy(number % 7 == 0 ? "yearly" : "monthly", as: "\(number)") }
        let events = try await shop.store.clock.advance(to: Period(3, .month).end(after: RenewalTests.start)).events
        let monthly = (0..<count).count { $0 % 7 != 0 }
        #expect(events == 3 * monthly)
        let journal = try await shop.journal()
        #expect(journal.map(\.position) == Array(1...Int64(count + events)))
        let renewals = journal.map(\.entry).filter { $0.kind == .subscription(.renewed) }
        #expect(renewals.map(\.at) == renewals.map(\.at).sorted())
        #expect(Set(renewals.map { "\($0.originalID?.rawValue ?? 0) \($0.at)" }).count == events)
        for number in [1, count - 1] {
            let revision = try await shop.customer("\(number)").key
            let periods = try await RenewalTests.periods(shop, of: "\(number)").count
            #expect(try await shop.database.read { try CustomersTable.revision(revision, on: $0) } == Int64(periods))
        }
        #expect(try await shop.sumOfPostings().values.allSatisfy { $0 == 0 })
    }

    @Test func `the concurrent range ends before the batch is due again`() async throws {
        let shop = try await RenewalTests.shop()
        for number in 0..<Renewals.batchSize + 1 { _ = try await shop.buy("monthly", as: "\(number)") }
        let soon = try await Self.decided(shop, until: Self.due)
        #expect(soon.concurrentRange(until: Self.due)?.until == Self.due)
        let year = Period.year.end(after: RenewalTests.start)
        let again = try #require(soon.subscriptions.compactMap(\.subscription.nextDue).min())
        #expect(soon.concurrentRange(until: year)?.until == again + -1)
        #expect(soon.concurrentRange(until: year)?.after?.id == soon.steps.last?.decision.subscription.id)
    }

    @Test func `due subscriptions of an unreadable app don't block others`() async throws {
        let shop = try await RenewalTests.shop()
        for number in 0...Renewals.batchSize { _ = try await shop.buy("monthly", as: "\(number)") }
        let app = TestCatalog.magazine().appleID
        try await shop.database.write { connection in
            try connection.execute(
                "UPDATE apps SET definition = 'nothing', revision = $1 WHERE id = $2",
                [.integer(try CatalogHeadTable.raise(on: connection)), .integer(app)])
        }
        #expect(try await shop.store.renewals.processDue(until: Self.due) == 0)
    }
}
