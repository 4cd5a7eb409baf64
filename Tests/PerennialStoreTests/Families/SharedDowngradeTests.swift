import Perennial
import PerennialStorage
import PerennialStore
import TestSupport
import Testing

/// Family Sharing with one shared product in a group.
struct SharedDowngradeTests {
    private static let start = RenewalTests.start

    private static let app: App = {
        var app = TestCatalog.magazine()
        app.products = [product("shared", level: 1), product("solo", level: 2)]
        return app
    }()

    private static func product(_ id: String, level: Int) -> Product {
        Product(
            id: Product.ID(rawValue: id), type: .autoRenewable, referenceName: id, isFamilyShareable: id == "shared",
            basePrice: Money(milliunits: 9990, .usd),
            subscription: Product.Subscription(groupID: "family", level: level, period: .month))
    }

    private static func shop(_ engine: Engine) async throws -> TestStore {
        let shop = try await TestStore.make(on: engine, app: app)
        _ = try await shop.registry.makeEnvironment("lab", kind: .production, clock: .manual, now: start)
        return try await shop.environment("lab")
    }

    @Test(arguments: Engine.allCases)
    func `members' access follows downgrades and upgrades when they begin`(engine: Engine)
        async throws
    {
        let shop = try await Self.shop(engine)
        _ = try await shop.store.families.make(organizer: "ann", members: ["bob"])
        let bought = try await shop.buy("shared", as: "ann")
        _ = try await shop.buy("solo", as: "ann")
        let end = Period.month.end(after: Self.start)
        try await shop.advance(to: end + -.minutes(1))
        #expect(try await RenewalTests.periods(shop, of: "ann").map(\.productID.rawValue) == ["shared", "solo"])
        let copy = try await RenewalTests.periods(shop, of: "bob")
        #expect(copy.map(\.revocation) == [nil])
        #expect(try await shop.snapshot(copy[0].originalID).1 == .active)
        try await shop.advance(to: end)
        #expect(try await shop.snapshot(copy[0].originalID).1 == .revoked)
        #expect(try await shop.snapshot(bought.originalID).1 == .active)
        try await shop.advance(to: end + .days(3))
        _ = try await shop.buy("shared", as: "ann")
        let back = try await RenewalTests.periods(shop, of: "bob")
        #expect(back.map(\.purchaseDate) == [Self.start, end + .days(3)])
        #expect(back.map { $0.isInForce(at: end + .days(3)) } == [false, true])
    }

    @Test(arguments: Engine.allCases)
    func `a downgrade ends members' access on time also in a long advance`(engine: Engine) async throws {
        let shop = try await Self.shop(engine)
        _ = try await shop.store.families.make(organizer: "ann", members: ["bob"])
        _ = try await shop.buy("shared", as: "ann")
        _ = try await shop.buy("solo", as: "ann")
        let end = Period.month.end(after: Self.start)
        try await shop.advance(to: end + .days(12))
        let copy = try await RenewalTests.periods(shop, of: "bob")
        #expect(copy.map(\.revocation?.date) == [end])
        #expect(try await shop.snapshot(copy[0].originalID).1 == .revoked)
    }

    @Test(arguments: Engine.allCases)
    func `joining or leaving between charge and start affects both periods`(engine: Engine) async throws {
        let shop = try await Self.shop(engine)
        let family = try await shop.store.families.make(organizer: "ann", members: ["bob"])
        _ = try await shop.buy("shared", as: "ann")
        let end = Period.month.end(after: Self.start)
        try await shop.advance(to: end + -.minutes(1))
        _ = try await shop.store.families.remove("bob", from: family.id)
        let lost = try await RenewalTests.periods(shop, of: "bob")
        #expect(lost.map { $0.revocation?.kind } == [.familyRevoke, .familyRevoke])
        _ = try await shop.store.families.add("cem", to: family.id)
        let joined = try await RenewalTests.periods(shop, of: "cem")
        #expect(joined.map(\.purchaseDate) == [end + -.minutes(1), end])
    }

    @Test(arguments: Engine.allCases)
    func `recovery with an unshareable product ends members' access`(
        engine: Engine
    ) async throws {
        let (shop, bought, copy, _) = try await Self.retried(engine)
        _ = try await shop.store.subscriptions.setPaymentMethod(.valid, of: bought)
        #expect(try await shop.snapshot(bought).0.product.id.rawValue == "solo")
        #expect(try await shop.snapshot(copy).1 == .revoked)
        let now = try await shop.store.now()
        _ = try await shop.buy("shared", as: "ann")
        let back = try await RenewalTests.periods(shop, of: "bob")
        #expect(back.map { $0.isInForce(at: now) } == [false, true])
        let told = try await shop.journal().filter { $0.entry.originalID == copy }.map(\.entry.kind)
        let facts: [DomainEvent.Kind] = [.subscribed, .renewalFailed, .familyAccessRevoked, .resubscribed]
        #expect(told == facts.map { .subscription($0) })
    }

    @Test(arguments: Engine.allCases)
    func `leaving a family during billing retry ends the waiting`(engine: Engine) async throws {
        let (shop, bought, copy, family) = try await Self.retried(engine)
        _ = try await shop.store.families.remove("bob", from: family)
        #expect(try await shop.snapshot(copy).1 == .revoked)
        _ = try await shop.store.subscriptions.setPaymentMethod(.valid, of: bought)
        _ = try await shop.store.families.add("bob", to: family)
        #expect(try await shop.snapshot(copy).1 == .revoked)
        _ = try await shop.buy("shared", as: "ann")
        #expect(try await shop.snapshot(copy).1 == .active)
    }

    /// Ends a shared month while the next, unshared one can't be charged.
    private static func retried(
        _ engine: Engine
    ) async throws -> (shop: TestStore, bought: TransactionID, copy: TransactionID, family: Int64) {
        let shop = try await Self.shop(engine)
        let family = try await shop.store.families.make(organizer: "ann", members: ["bob"])
        let bought = try await shop.buy("shared", as: "ann").originalID
        _ = try await shop.buy("solo", as: "ann")
        _ = try await shop.store.subscriptions.setPaymentMethod(.declined, of: bought)
        try await shop.advance(to: Period.month.end(after: Self.start) + .days(1))
        let copy = try #require(try await RenewalTests.periods(shop, of: "bob").first).originalID
        #expect(try await shop.snapshot(copy).1 == .billingRetry)
        return (shop, bought, copy, family.id)
    }
}
