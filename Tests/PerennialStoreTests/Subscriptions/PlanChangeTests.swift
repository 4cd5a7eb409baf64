import Perennial
import PerennialStorage
import PerennialStore
import TestSupport
import Testing

/// Subscription groups and periods in a running store (docs/reference/apple-behaviour.md, "Subscription groups").
struct PlanChangeTests {
    private static let start = Magazine.start
    private static let monthEnd = Period.month.end(after: start)

    @Test func `an upgrade takes effect at once, with a prorated refund`()
        async throws
    {
        let shop = try await Magazine.shop()
        let first = try await shop.buy("month", as: "ann")
        try await shop.advance(to: Self.start + .days(14))
        let gold = try await shop.buy("gold", as: "ann")
        let periods = try await RenewalTests.periods(shop, of: "ann")
        #expect(periods.map(\.isUpgraded) == [true, false])
        #expect(gold.purchaseDate == Self.start + .days(14))
        #expect((gold.reason, gold.originalID) == (.purchase, first.id))
        #expect(periods[0].revocation == nil)
        let given = try await shop.journal().map(\.entry).filter { $0.kind == .subscription(.upgradeRefunded) }
            .flatMap(\.postings).filter { $0.account == .customer }
        // 28 days of February's month, 14 of them unused.
        #expect(given.map(\.amount.milliunits) == [4990])
    }

    @Test func `a replaced period is marked as upgraded, not revoked`()
        async throws
    {
        let shop = try await Magazine.shop()
        try await shop.buy("month", as: "ann")
        try await shop.advance(to: Self.start + .days(14))
        try await shop.buy("gold", as: "ann")
        let told = try await shop.latestReceiptInfo(of: "ann")
        #expect(told.map { $0["product_id"]?.text } == ["month", "gold"])
        #expect(told.map { $0["is_upgraded"]?.text } == ["true", nil])
        var signed: [JSONValue] = []
        for period in try await RenewalTests.periods(shop, of: "ann") { signed.append(try await shop.signed(period)) }
        #expect(signed.map { $0["isUpgraded"] } == [true, nil])
        #expect(signed.allSatisfy { $0.members?.keys.contains("revocationDate") == false })
    }

    @Test func `a downgrade notifies at once and takes effect at the next renewal`() async throws {
        let shop = try await Magazine.shop()
        let gold = try await shop.buy("gold", as: "ann")
        try await shop.buy("month", as: "ann")
        var (subscription, _, info) = try await shop.snapshot(gold.id)
        #expect((subscription.product.id.rawValue, info.autoRenewProductID.rawValue) == ("gold", "month"))
        #expect(try await shop.journal().last?.entry.postings == [])
        #expect(try await RenewalTests.periods(shop, of: "ann").count == 1)
        try await shop.advance(to: Self.monthEnd)
        (subscription, _, info) = try await shop.snapshot(gold.id)
        let periods = try await RenewalTests.periods(shop, of: "ann")
        #expect(periods.map(\.productID.rawValue) == ["gold", "month"])
        #expect(periods.map(\.reason) == [.purchase, .renewal])
    }

    @Test func `a crossgrade of the same duration is like an upgrade`() async throws {
        let shop = try await Magazine.shop()
        try await shop.buy("month", as: "ann")
        try await shop.advance(to: Self.start + .days(7))
        let other = try await shop.buy("other", as: "ann")
        #expect(other.purchaseDate == Self.start + .days(7))
        #expect(try await RenewalTests.periods(shop, of: "ann").map(\.isUpgraded) == [true, false])
    }

    @Test func `a crossgrade of another duration is like a downgrade`() async throws {
        let shop = try await Magazine.shop()
        let first = try await shop.buy("month", as: "ann")
        try await shop.buy("year", as: "ann")
        #expect(try await shop.snapshot(first.id).2.autoRenewProductID.rawValue == "year")
        try await shop.advance(to: Self.monthEnd)
        let periods = try await RenewalTests.periods(shop, of: "ann")
        #expect(periods.map(\.productID.rawValue) == ["month", "year"])
        #expect(periods.last?.purchaseDate == Self.monthEnd)
    }

    @Test func `a customer has one active subscription in a group`() async throws {
        let shop = try await Magazine.shop()
        try await shop.buy("month", as: "ann")
        #expect(try await shop.refusal(of: "month", as: "ann").code == .alreadySubscribed)
        try await shop.buy("gold", as: "ann")
        let now = try await shop.store.now()
        #expect(try await RenewalTests.periods(shop, of: "ann").filter { $0.isInForce(at: now) }.count == 1)
    }

    @Test(arguments: Magazine.periods.map(\.id))
    func `each period starts where the last one ended, with new IDs`(product: String) async throws {
        let shop = try await Magazine.shop()
        let period = try #require(Magazine.periods.first { $0.id == product }?.period)
        let first = try await shop.buy(product, as: "ann")
        try await shop.advance(to: period.end(after: Self.start, number: 3))
        let periods = try await RenewalTests.periods(shop, of: "ann")
        #expect(periods.count == 4)
        for (number, sold) in periods.enumerated() {
            #expect(sold.purchaseDate == (number == 0 ? Self.start : period.end(after: Self.start, number: number)))
            #expect(sold.expiresDate == period.end(after: Self.start, number: number + 1))
            #expect(sold.originalID == first.id)
        }
        #expect(Set(periods.map(\.id)).count == 4)
        #expect(Set(periods.compactMap(\.webOrderLineItemID)).count == 4)
    }

    @Test(arguments: [
        ("2025-01-29T10:00:00Z", ["2025-02-28", "2025-03-29", "2025-04-29"]),
        ("2025-01-31T10:00:00Z", ["2025-02-28", "2025-03-31", "2025-04-30"]),
        ("2024-01-31T10:00:00Z", ["2024-02-29", "2024-03-31", "2024-04-30"]),
    ])
    func `a short month ends on its last day, the next on the anniversary`(
        start: String, ends: [String]
    ) async throws {
        let house = try await TestStore.make(app: Magazine.app)
        _ = try await house.registry.makeEnvironment(
            "lab", kind: .production, clock: .manual, now: Instant(rfc3339: start))
        let lab = try await house.environment("lab")
        try await lab.buy("month", as: "ann")
        try await lab.advance(to: try #require(Instant(rfc3339: start)) + .days(75))
        let sold = try await RenewalTests.periods(lab, of: "ann").compactMap(\.expiresDate)
        #expect(sold.map { String($0.rfc3339().prefix(10)) } == ends)
    }

    @Test func `a renewal is charged in the last 24 hours and starts at the end`() async throws {
        let shop = try await Magazine.shop()
        try await shop.buy("month", as: "ann")
        try await shop.advance(to: Self.monthEnd + -.hours(24) + -1)
        #expect(try await RenewalTests.periods(shop, of: "ann").count == 1)
        try await shop.advance(to: Self.monthEnd + -.hours(24))
        let periods = try await RenewalTests.periods(shop, of: "ann")
        #expect(periods.map(\.purchaseDate) == [Self.start, Self.monthEnd])
        let entries = try await shop.journal().map(\.entry)
        #expect(entries.last?.kind == .subscription(.renewed))
        #expect(entries.last?.at == Self.monthEnd + -.hours(24))
    }
}
