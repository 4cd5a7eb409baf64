import Perennial
import PerennialStorage
import PerennialStore
import TestSupport
import Testing

/// The order in which the store's transactions wait for locks (docs/architecture.md, "Order of locks").
struct LockOrderTests {
    @Test func `every transaction waits for locks in one order`() async throws {
        let order = LockOrder()
        var options = DatabaseOptions.forTests
        options.connections = 1
        options.onSend = { order.observe($0) }
        let shop = try await TestStore.open(
            Engine.postgres.makeDatabase(options: options), app: TestCatalog.magazineWithOffers)
        _ = try await shop.registry.makeEnvironment(
            "lab", kind: .sandbox, clock: .manual, now: RenewalTests.start)
        let lab = try await shop.environment("lab")
        try await lab.store.notifications.configure(
            NotificationSettings(url: "https://example.com/hook"), of: TestCatalog.bundleID)
        try await Self.sell(in: lab)
        try await Self.changeFamily(in: lab)
        try await Self.work(in: lab)
        #expect(order.violations == [])
        #expect(order.kinds >= 8)
    }

    private static func sell(in shop: TestStore) async throws {
        let (token, ann) = try await shop.signIn("ann")
        _ = try await shop.store.families.make(organizer: "ann", members: ["bob", "cem"])
        _ = try await shop.store.purchases.buy(FamilyLockTests.request("film.roll", key: "a"), token: token)
        for product in ["family.filter", "family.monthly", "monthly"] {
            _ = try await shop.buy(product, as: "bob")
        }
        let code = try await shop.store.offers.makeCodes(
            OfferCodeOrder(
                productID: Product.ID(rawValue: "monthly"), offerID: "radio",
                kind: .custom("SPRING", maximumRedemptions: nil)), of: TestCatalog.bundleID
        ).map(\.code.code)[0]
        _ = try await shop.store.purchases.redeem(code, idempotencyKey: "r", by: ann)
    }

    private static func changeFamily(in shop: TestStore) async throws {
        let family = try await shop.store.families.all()[0].id
        _ = try await shop.store.families.add("dan", to: family)
        let filter = try await RenewalTests.periods(shop, of: "bob").first { $0.productID.rawValue == "family.filter" }
        if let filter { _ = try await shop.refund(filter) }
        _ = try await shop.store.families.remove("cem", from: family)
    }

    private static func work(in shop: TestStore) async throws {
        for work in [FamilyLockTests.Work.extension_, .price] { try await work.run(shop) }
        try await shop.store.clock.advance(to: Period(2, .month).end(after: RenewalTests.start))
        try await shop.store.rollUps.startRebuild(TestCatalog.bundleID)
        try await shop.store.families.dissolve(try await shop.store.families.all()[0].id)
        try await shop.registry.removeEnvironment("lab")
    }
}
