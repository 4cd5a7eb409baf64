import Perennial
import PerennialStore
import TestSupport
import Testing

/// Introductory offers in a family: the product's eligibility agrees with the price that is charged.
struct FamilyOfferTests {
    private static let monthly = Product.ID(rawValue: "family.monthly")

    /// Creates a family whose subscription begins with a free week.
    private static func shop(_ engine: Engine = .sqliteInMemory) async throws -> TestStore {
        var app = TestCatalog.magazine()
        for index in app.products.indices where app.products[index].id == monthly {
            app.products[index].subscription?.introductoryOffer = Offer(
                id: nil, paymentMode: .freeTrial, period: .week, basePrice: .zero(.usd))
        }
        let shop = try await TestStore.make(on: engine, app: app)
        _ = try await shop.registry.makeEnvironment(
            "lab", kind: .production, clock: .manual, now: RenewalTests.start)
        return try await shop.environment("lab")
    }

    private static func isEligible(_ shop: TestStore, _ account: String) async throws -> Bool? {
        try await shop.store.products.list([monthly], language: nil, for: try await shop.customer(account))
            .products.first?.isEligibleForIntroductoryOffer
    }

    @Test(arguments: Engine.allCases)
    func `a trial used through the family ends eligibility`(engine: Engine) async throws {
        let shop = try await Self.shop(engine)
        let family = try await shop.store.families.make(organizer: "ann", members: ["bob"])
        #expect(try await shop.buy("family.monthly", as: "ann").offer != nil)
        _ = try await shop.store.families.remove("bob", from: family.id)
        #expect(try await Self.isEligible(shop, "bob") == false)
        let own = try await shop.buy("family.monthly", as: "bob")
        #expect(own.offer == nil)
        #expect(own.price.milliunits == 9990)
        // An earlier subscriber who didn't share it is known too.
        #expect(try await Self.isEligible(shop, "cem") == true)
        #expect(try await shop.buy("family.monthly", as: "cem").offer != nil)
    }

    @Test(arguments: Engine.allCases)
    func `a trial used before joining the family ends eligibility`(engine: Engine) async throws {
        let shop = try await Self.shop(engine)
        // Bob has had his trial and left. Ann had hers before she shares.
        let first = try await shop.buy("family.monthly", as: "bob")
        #expect(first.offer != nil)
        _ = try await shop.store.subscriptions.perform(.setAutoRenew(false), on: first.id)
        _ = try await shop.buy("family.monthly", as: "ann")
        _ = try await shop.store.clock.advance(to: RenewalTests.start + .days(10))
        _ = try await shop.store.families.make(organizer: "ann", members: ["bob"])
        #expect(try await Self.isEligible(shop, "bob") == false)
        let again = try await shop.buy("family.monthly", as: "bob")
        #expect((again.offer == nil, again.price.milliunits) == (true, 9990))
    }

    @Test func `a family trial that began after joining ends eligibility`() async throws {
        let shop = try await Self.shop()
        _ = try await shop.store.families.make(organizer: "ann", members: ["bob"])
        let bought = try await shop.buy("family.monthly", as: "ann")
        _ = try await shop.store.subscriptions.perform(.expire, on: bought.id)
        #expect(try await Self.isEligible(shop, "bob") == false)
    }
}
