import Perennial
import PerennialConnect
import PerennialStorage
import PerennialStore
import TestSupport
import Testing

/// Price changes and availability of products in one environment.
struct ProductChangeTests {
    private static let start = RenewalTests.start
    private static let app = TestCatalog.bundleID
    private static let monthly = Product.ID(rawValue: "monthly")
    private static let firstEnd = Period.month.end(after: start)

    private static func facts(_ shop: TestStore) async throws -> [JournalEntry.Kind] {
        try await shop.journal().map(\.entry.kind)
    }

    private static func setPrice(
        _ milliunits: Int64, _ shop: TestStore, consent: Bool? = nil, preserve: Bool = false
    ) async throws {
        let change = PriceChange(
            monthly, milliunits: milliunits, needsConsent: consent, preservesSubscribers: preserve)
        _ = try await shop.store.products.changePrice(change, bundleID: app)
    }

    @Test(arguments: Engine.allCases)
    func `a small increase is charged at the next renewal without consent`(engine: Engine) async throws {
        let shop = try await RenewalTests.shop(engine)
        let first = try await shop.buy("monthly", as: "ann")
        try await Self.setPrice(5990, shop)
        let snapshot = try await shop.store.subscriptions.snapshot(of: first.id)
        #expect(snapshot.subscription.renewalInfo.priceIncreaseStatus == 1)
        #expect(try await Self.facts(shop).contains(.subscription(.priceIncreaseAccepted)))
        _ = try await shop.store.clock.advance(to: Self.firstEnd)
        #expect(try await RenewalTests.periods(shop, of: "ann").map(\.price.milliunits) == [4990, 5990])
        #expect(try await shop.buy("monthly", as: "ben").price.milliunits == 5990)
    }

    @Test(arguments: Engine.allCases)
    func `a large increase waits for consent, else expires with intent 3`(
        engine: Engine
    ) async throws {
        let shop = try await RenewalTests.shop(engine)
        var ids: [TransactionID] = []
        for account in ["ann", "ben"] { ids.append(try await shop.buy("monthly", as: account).id) }
        try await Self.setPrice(14_990, shop)
        #expect(
            try await Self.facts(shop).filter { $0 == .subscription(.priceIncreasePending) }.count == 2)
        let agreed = try await shop.store.subscriptions.perform(.answerPriceIncrease(accepted: true), on: ids[0])
        #expect(agreed.subscription.renewalInfo.priceIncreaseStatus == 1)
        _ = try await shop.store.clock.advance(to: Self.firstEnd)
        #expect(try await RenewalTests.periods(shop, of: "ann").map(\.price.milliunits) == [4990, 14_990])
        let ben = try await shop.store.subscriptions.snapshot(of: ids[1])
        #expect(ben.subscription.expirationIntent == .priceIncreaseDeclined)
        #expect(try await RenewalTests.periods(shop, of: "ben").count == 1)
    }

    @Test(arguments: Engine.lasting)
    func `a price set on one node replaces one of a node whose clock is ahead`(engine: Engine) async throws {
        let location = try engine.makeLocation()
        let databases = try (0..<2).map { _ in try Database(location, options: .forTests) }
        try databases[0].migrate()
        let nodes = [
            try await TestStore.open(databases[0]), try await TestStore.open(databases[1], seed: 2),
        ]
        nodes[0].clock.advance(by: 1_500)
        for (number, storefront) in [nil, Storefront(rawValue: "USA")].enumerated() {
            for (node, price) in zip(nodes, [1_000, 2_000]) {
                let change = PriceChange(
                    Product.ID(rawValue: "film.roll"), milliunits: Int64(price + number * 10), storefront: storefront)
                _ = try await node.store.products.changePrice(change, bundleID: Self.app)
            }
            for node in nodes {
                #expect(try await node.buy("film.roll", as: "ann").price.milliunits == Int64(2_000 + number * 10))
            }
        }
    }

    @Test func `a second increase within a year needs consent`() async throws {
        let shop = try await RenewalTests.shop()
        let first = try await shop.buy("monthly", as: "ann")
        try await Self.setPrice(5490, shop)
        _ = try await shop.store.clock.advance(to: Self.firstEnd)
        try await Self.setPrice(5990, shop)
        let snapshot = try await shop.store.subscriptions.snapshot(of: first.id)
        #expect(snapshot.subscription.renewalInfo.priceIncreaseStatus == 0)
    }

    @Test func `a seller can ask for consent that the rule doesn't require`() async throws {
        let shop = try await RenewalTests.shop()
        let first = try await shop.buy("monthly", as: "ann")
        try await Self.setPrice(5490, shop, consent: true)
        let snapshot = try await shop.store.subscriptions.snapshot(of: first.id)
        #expect(snapshot.subscription.renewalInfo.priceIncreaseStatus == 0)
    }

    @Test func `a lower price is charged at the next renewal silently`() async throws {
        let shop = try await RenewalTests.shop()
        try await shop.buy("monthly", as: "ann")
        try await Self.setPrice(3990, shop)
        _ = try await shop.store.clock.advance(to: Self.firstEnd)
        #expect(try await RenewalTests.periods(shop, of: "ann").map(\.price.milliunits) == [4990, 3990])
        #expect(try await Self.facts(shop).contains(.subscription(.priceLowered)))
    }

    @Test func `customers in billing retry get no notice and recover at the old price`()
        async throws
    {
        for (grace, status) in [(Int64(16), SubscriptionStatus.gracePeriod), (0, .billingRetry)] {
            let shop = try await RenewalTests.shop()
            _ = try await shop.store.renewals.setBillingSettings(BillingSettings(gracePeriodDays: grace), for: Self.app)
            let first = try await shop.buy("monthly", as: "ann")
            try await shop.account("ann", payment: .declined)
            _ = try await shop.store.clock.advance(to: Self.firstEnd + .days(1))
            let before = try await Self.facts(shop)
            try await Self.setPrice(14_990, shop)
            #expect(try await Self.facts(shop) == before)
            let snapshot = try await shop.store.subscriptions.snapshot(of: first.id).subscription
            #expect(snapshot.status(at: try await shop.store.now()) == status)
            _ = try await shop.store.subscriptions.setPaymentMethod(.valid, of: first.id)
            #expect(try await RenewalTests.periods(shop, of: "ann").map(\.price.milliunits) == [4990, 4990])
        }
    }

    @Test func `a preserved price stays for existing subscribers`() async throws {
        let shop = try await RenewalTests.shop()
        try await shop.buy("monthly", as: "ann")
        try await Self.setPrice(9990, shop, preserve: true)
        _ = try await shop.store.clock.advance(to: Self.firstEnd)
        #expect(try await RenewalTests.periods(shop, of: "ann").map(\.price.milliunits) == [4990, 4990])
        #expect(try await shop.buy("monthly", as: "ben").price.milliunits == 9990)
    }

    @Test func `a storefront's price applies to that storefront only`() async throws {
        let shop = try await RenewalTests.shop()
        try await shop.account("german", storefront: "DEU")
        for account in ["ann", "german"] { try await shop.buy("monthly", as: account) }
        let change = PriceChange(Self.monthly, milliunits: 5490, storefront: Storefront(rawValue: "DEU"))
        _ = try await shop.store.products.changePrice(change, bundleID: Self.app)
        _ = try await shop.store.clock.advance(to: Self.firstEnd)
        #expect(try await RenewalTests.periods(shop, of: "ann").last?.price.milliunits == 4990)
        #expect(try await RenewalTests.periods(shop, of: "german").last?.price == Money(milliunits: 5490, .eur))
    }

    @Test func `a price applies to every storefront of its currency`() async throws {
        var app = TestCatalog.magazine()
        let index = try #require(app.products.firstIndex { $0.id == Self.monthly })
        app.products[index].prices[.usa] = Money(milliunits: 4490, .usd)
        app.products[index].prices[Storefront(rawValue: "DEU")] = Money(milliunits: 5490, .eur)
        let shop = try await TestStore.make(app: app)
        try await shop.account("german", storefront: "DEU")
        try await Self.setPrice(5990, shop)
        #expect(try await shop.buy("monthly", as: "ann").price == Money(milliunits: 5990, .usd))
        #expect(try await shop.buy("monthly", as: "german").price == Money(milliunits: 5490, .eur))
    }

    @Test(arguments: Engine.allCases)
    func `subscriptions of a product removed from sale expire with intent 4`(
        engine: Engine
    ) async throws {
        let shop = try await RenewalTests.shop(engine)
        let first = try await shop.buy("monthly", as: "ann")
        let product = try await shop.store.products.setClearedForSale(false, Self.monthly, bundleID: Self.app)
        #expect(!product.isClearedForSale)
        #expect(try await shop.refusal(of: "monthly", as: "ben").code == .productNotAvailable)
        _ = try await shop.store.clock.advance(to: Self.firstEnd)
        let snapshot = try await shop.store.subscriptions.snapshot(of: first.id)
        #expect(snapshot.subscription.expirationIntent == .productUnavailable)
        _ = try await shop.store.products.setClearedForSale(true, Self.monthly, bundleID: Self.app)
        try await shop.buy("monthly", as: "ben")
    }

    @Test func `a product back on sale in time renews`() async throws {
        let shop = try await RenewalTests.shop()
        try await shop.buy("monthly", as: "ann")
        _ = try await shop.store.products.setClearedForSale(false, Self.monthly, bundleID: Self.app)
        _ = try await shop.store.clock.advance(to: Self.start + .days(5))
        _ = try await shop.store.products.setClearedForSale(true, Self.monthly, bundleID: Self.app)
        _ = try await shop.store.clock.advance(to: Self.firstEnd)
        #expect(try await RenewalTests.periods(shop, of: "ann").count == 2)
    }

    @Test(arguments: Engine.allCases)
    func `price changes stay in their environment and survive a restart`(engine: Engine) async throws {
        let shop = try await RenewalTests.shop(engine)
        try await Self.setPrice(9990, shop)
        let other = try await shop.environment("Production")
        #expect(try await other.buy("monthly", as: "ann").price.milliunits == 4990)
        let again = try await TestStore.open(shop.database, "lab")
        #expect(try await again.buy("monthly", as: "ann").price.milliunits == 9990)
        // The catalog's change is newer.
        var app = TestCatalog.magazine()
        let index = try #require(app.products.firstIndex { $0.id == Self.monthly })
        app.products[index].basePrice = Money(milliunits: 7990, .usd)
        let third = try await TestStore.open(shop.database, "lab", app: app)
        #expect(try await third.buy("monthly", as: "ben").price.milliunits == 7990)
    }

    @Test func `a product that isn't in the catalog can't be changed`() async throws {
        let shop = try await RenewalTests.shop()
        await #expect(throws: PurchaseRefusal(.productNotAvailable, Self.monthly, "")) {
            try await shop.store.products.setClearedForSale(false, Product.ID(rawValue: "nothing"), bundleID: Self.app)
        }
        await #expect(throws: StoreError(.malformed, "", "")) { try await Self.setPrice(-1, shop) }
    }

    @Test(arguments: Engine.allCases)
    func `a crash during price migration skips and repeats no subscriber`(
        engine: Engine
    ) async throws {
        let fault = TestFault()
        let shop = try await RenewalTests.shop(engine, faults: fault.reach)
        for number in 0..<20 { try await shop.buy("monthly", as: "customer-\(number)") }
        for point in FaultPoint.allCases {
            fault.inject(at: point)
            _ = try? await Self.setPrice(14_990, shop)
        }
        try await Self.setPrice(14_990, shop)
        #expect(
            try await Self.facts(shop).filter { $0 == .subscription(.priceIncreasePending) }.count == 20)
    }
}
