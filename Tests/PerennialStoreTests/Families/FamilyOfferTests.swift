import Perennial
import PerennialStore
import TestSupport
import Testing

/// Introductory offers, and what somebody in the family had before: the product's answer is the price that is charged.
struct FamilyOfferTests {
    private static let monthly = Product.ID(rawValue: "family.monthly")

    /// The family's subscription begins with a free week.
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
        try await shop.store.products([monthly], language: nil, for: try await shop.customer(account))
            .products.first?.isEligibleForIntroductoryOffer
    }

    @Test(arguments: Engine.allCases)
    func `who had the trial through the family is neither shown it nor given it`(engine: Engine) async throws {
        let shop = try await Self.shop(engine)
        let family = try await shop.store.makeFamily(organizer: "ann", members: ["bob"])
        #expect(try await shop.buy("family.monthly", as: "ann").offer != nil)
        _ = try await shop.store.removeFamilyMember("bob", from: family.id)
        #expect(try await Self.isEligible(shop, "bob") == false)
        let own = try await shop.buy("family.monthly", as: "bob")
        #expect(own.offer == nil)
        #expect(own.price.milliunits == 9990)
        // Neither is a stranger to it, whom nobody shared it with.
        #expect(try await Self.isEligible(shop, "cem") == true)
        #expect(try await shop.buy("family.monthly", as: "cem").offer != nil)
    }

    @Test(arguments: Engine.allCases)
    func `who had the trial alone isn't shown it for the copy that came later`(engine: Engine) async throws {
        let shop = try await Self.shop(engine)
        // Bob has had his trial, and has left. Ann had hers before she shares.
        let first = try await shop.buy("family.monthly", as: "bob")
        #expect(first.offer != nil)
        _ = try await shop.store.act(.setAutoRenew(false), on: first.id)
        _ = try await shop.buy("family.monthly", as: "ann")
        _ = try await shop.store.advanceClock(to: RenewalTests.start + .days(10))
        _ = try await shop.store.makeFamily(organizer: "ann", members: ["bob"])
        #expect(try await Self.isEligible(shop, "bob") == false)
        let again = try await shop.buy("family.monthly", as: "bob")
        #expect((again.offer == nil, again.price.milliunits) == (true, 9990))
    }

    @Test func `a trial that the family began after the member joined counts too`() async throws {
        let shop = try await Self.shop()
        _ = try await shop.store.makeFamily(organizer: "ann", members: ["bob"])
        let bought = try await shop.buy("family.monthly", as: "ann")
        _ = try await shop.store.act(.expire, on: bought.id)
        #expect(try await Self.isEligible(shop, "bob") == false)
    }
}
