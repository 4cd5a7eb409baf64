import Perennial
import PerennialConnect
import PerennialStorage
import PerennialStore
import Synchronization
import TestSupport
import Testing

/// Prices that are edited in the catalog while environments sell at them.
struct CatalogPriceTests {
    private static let start = RenewalTests.start
    private static let app = TestCatalog.bundleID
    private static let monthly = Product.ID(rawValue: "monthly")
    private static let germany = Storefront(rawValue: "DEU")
    private static let france = Storefront(rawValue: "FRA")

    private static func usd(_ milliunits: Int64) -> Money { Money(milliunits: milliunits, .usd) }
    private static func eur(_ milliunits: Int64) -> Money { Money(milliunits: milliunits, .eur) }

    private static func edit(_ shop: TestStore, _ change: @escaping @Sendable (inout Product) throws -> Void)
        async throws
    {
        let editor = CatalogEditor(database: shop.database) { TestStore.opening }
        try await editor.edit(by: .control) { draft in
            let product = try #require(try draft.product(monthly, app: 1_234_567))
            try draft.update(product.appleID) { try change(&$0.product) }
        }
    }

    private static func schedule(_ shop: TestStore, _ prices: ScheduledPrice...) async throws {
        try await edit(shop) { $0.priceSchedule += prices }
    }

    private static func price(_ shop: TestStore, in storefront: Storefront = .usa) async throws -> Int64? {
        try await shop.store.products.prices(of: monthly, bundleID: app).product.price(in: storefront)?.milliunits
    }

    private static func kinds(_ shop: TestStore) async throws -> [JournalEntry.Kind] {
        try await shop.journal().map(\.entry.kind)
    }

    @Test(arguments: Engine.allCases)
    func `an edit beside a performed price doesn't undo it`(engine: Engine) async throws {
        let shop = try await RenewalTests.shop(engine)
        try await Self.schedule(shop, ScheduledPrice(at: Self.start + .days(5), Self.usd(5990)))
        _ = try await shop.store.clock.advance(to: Self.start + .days(6))
        #expect(try await Self.price(shop) == 5990)
        try await Self.edit(shop) { $0.prices[Self.germany] = Self.eur(7990) }
        #expect(try await Self.price(shop) == 5990)
        #expect(try await Self.price(shop, in: Self.germany) == 7990)
        // Production's clock is far ahead, Sandbox's as well.
        #expect(try await Self.price(try await shop.environment("Production")) == 5990)
        _ = try await shop.registry.makeEnvironment("early", kind: .sandbox, clock: .manual, now: Self.start)
        #expect(try await Self.price(try await shop.environment("early")) == 4990)
    }

    @Test(arguments: Engine.allCases)
    func `a corrected price replaces the performed one, and its subscribers follow`(engine: Engine) async throws {
        let shop = try await RenewalTests.shop(engine)
        try await shop.buy("monthly", as: "ann")
        let date = Self.start + .days(5)
        try await Self.schedule(shop, ScheduledPrice(at: date, Self.usd(5990)))
        _ = try await shop.store.clock.advance(to: Self.start + .days(6))
        let corrected = ScheduledPrice(at: date, Self.usd(5490), needsConsent: false)
        try await Self.edit(shop) { $0.priceSchedule = [corrected] }
        #expect(try await Self.price(shop) == 5490)
        _ = try await shop.store.clock.advance(to: Period(2, .month).end(after: Self.start))
        #expect(try await RenewalTests.periods(shop, of: "ann").map(\.price.milliunits) == [4990, 5490, 5490])
        let entries = try await shop.journal().map(\.entry.at)
        #expect(entries == entries.sorted(), "the correction is of the clock's time, not of the date that had passed")
    }

    @Test func `a price that is taken out of the catalog isn't in force any more`() async throws {
        let shop = try await RenewalTests.shop()
        try await Self.schedule(
            shop, ScheduledPrice(at: Self.start + .days(5), Self.usd(5990)),
            ScheduledPrice(at: Self.start + .days(9), Self.usd(6990)))
        _ = try await shop.store.clock.advance(to: Self.start + .days(6))
        try await Self.edit(shop) { $0.priceSchedule.removeFirst() }
        #expect(try await Self.price(shop) == 4990)
        _ = try await shop.store.clock.advance(to: Self.start + .days(10))
        #expect(try await Self.price(shop) == 6990)
    }

    @Test func `a price for a date that the clock has passed applies now`() async throws {
        let shop = try await RenewalTests.shop()
        try await shop.buy("monthly", as: "ann")
        _ = try await shop.store.clock.advance(to: Self.start + .days(40))
        let before = try await shop.journal().count
        try await Self.schedule(shop, ScheduledPrice(at: Self.start + .days(5), Self.usd(5990)))
        #expect(try await Self.price(shop) == 5990)
        #expect(try await shop.buy("monthly", as: "ben").price.milliunits == 5990)
        _ = try await shop.store.clock.advance(to: Self.start + .days(41))
        let told = try await shop.journal().dropFirst(before).map(\.entry)
            .first { $0.kind == .subscription(.priceIncreaseAccepted) }
        #expect(told?.at == Self.start + .days(40))
        let changes = try await shop.store.products.prices(of: Self.monthly, bundleID: Self.app).changes
        #expect(changes.map(\.at) == [Self.start + .days(40)])
        _ = try await shop.store.clock.advance(to: Period(2, .month).end(after: Self.start))
        #expect(try await RenewalTests.periods(shop, of: "ann").map(\.price.milliunits) == [4990, 4990, 5990])
    }

    @Test func `an environment's own price holds until the catalog changes there`() async throws {
        let shop = try await RenewalTests.shop()
        let own = PriceChange(Self.monthly, milliunits: 3990, storefront: Self.germany)
        _ = try await shop.store.products.changePrice(own, bundleID: Self.app)
        try await Self.edit(shop) { $0.prices[Self.france] = Self.eur(6490) }
        #expect(try await Self.price(shop, in: Self.germany) == 3990)
        #expect(try await Self.price(shop, in: Self.france) == 6490)
        try await Self.edit(shop) { $0.prices[Self.germany] = Self.eur(6990) }
        #expect(try await Self.price(shop, in: Self.germany) == 6990)
        // A later date of the catalog replaces a price of the environment too.
        let another = PriceChange(Self.monthly, milliunits: 2990)
        _ = try await shop.store.products.changePrice(another, bundleID: Self.app)
        try await Self.schedule(shop, ScheduledPrice(at: Self.start + .days(5), Self.usd(5990)))
        #expect(try await Self.price(shop) == 2990)
        _ = try await shop.store.clock.advance(to: Self.start + .days(6))
        #expect(try await Self.price(shop) == 5990)
    }

    @Test(arguments: Engine.allCases)
    func `a change in one storefront leaves the preserved subscribers of another`(engine: Engine) async throws {
        let shop = try await RenewalTests.shop(engine)
        try await shop.account("german", storefront: "DEU")
        try await shop.account("french", storefront: "FRA")
        for account in ["german", "french"] { try await shop.buy("monthly", as: account) }
        try await Self.schedule(
            shop,
            ScheduledPrice(
                at: Self.start + .days(3), Self.eur(5990), storefront: Self.germany, preservesSubscribers: true),
            ScheduledPrice(at: Self.start + .days(3), Self.eur(5490), storefront: Self.france),
            ScheduledPrice(at: Self.start + .days(9), Self.eur(5790), storefront: Self.france))
        _ = try await shop.store.clock.advance(to: Period.month.end(after: Self.start))
        let german = try await RenewalTests.periods(shop, of: "german")
        let french = try await RenewalTests.periods(shop, of: "french")
        #expect(german.map(\.price.milliunits) == [4990, 4990])
        // The second increase within a year needs consent, which wasn't given.
        #expect(french.map(\.price.milliunits) == [4990])
        #expect(try await Self.kinds(shop).filter { $0 == .subscription(.priceIncreasePending) }.count == 1)
    }

    @Test(arguments: Engine.allCases)
    func `a preview counts the subscribers whom the change then touches`(engine: Engine) async throws {
        let shop = try await RenewalTests.shop(engine)
        for name in ["anna", "bela"] {
            try await shop.account(name, storefront: "DEU")
            try await shop.buy("monthly", as: name)
        }
        for name in ["carl", "dora", "emil"] { try await shop.buy("monthly", as: name) }
        try await shop.buy("yearly", as: "fred")
        let before = try await shop.journal().count
        let order = PriceOrder(Self.usd(14_990))
        let dear = try await shop.store.products.preview(order, of: Self.monthly, bundleID: Self.app).preview
        #expect(dear.subscribers.asked == 5 && dear.subscribers.count == 5)
        let german = try #require(dear.territories.first { $0.storefront == Self.germany })
        #expect((german.previous, german.price) == (Self.eur(4990), Self.eur(14_990)))
        #expect(german.subscribers.asked == 2)
        let cheap = PriceOrder(Self.eur(3990), storefront: Self.germany)
        let lowered = try await shop.store.products.preview(cheap, of: Self.monthly, bundleID: Self.app).preview
        #expect(lowered.territories.map(\.storefront) == [Self.germany])
        #expect(lowered.subscribers.lowered == 2 && lowered.subscribers.count == 2)
        var kept = order
        kept.preservesSubscribers = true
        let preserved = try await shop.store.products.preview(kept, of: Self.monthly, bundleID: Self.app).preview
        #expect(preserved.subscribers.preserved == 5)
        #expect(try await shop.journal().count == before, "a preview changes nothing")

        try await Self.edit(shop) { try $0.priceList.apply(order, default: .usa, at: Self.start) }
        try await shop.store.performScheduledPrices()
        #expect(try await Self.kinds(shop).filter { $0 == .subscription(.priceIncreasePending) }.count == 5)
        let again = try await shop.store.products.preview(order, of: Self.monthly, bundleID: Self.app).preview
        #expect(again.subscribers.unchanged == 5)
    }

    @Test(arguments: Engine.allCases)
    func `an app with more subscriptions than a number is told without reading them`(engine: Engine) async throws {
        let shop = try await RenewalTests.shop(engine)
        let products = shop.store.products
        #expect(try await products.hasSubscriptions(moreThan: 0, of: Self.app) == false)
        for name in ["anna", "bela"] { try await shop.buy("monthly", as: name) }
        let production = try await shop.environment("Production")
        try await production.buy("monthly", as: "carl")
        for number in 0...3 {
            #expect(try await products.hasSubscriptions(moreThan: number, of: Self.app) == (number < 2))
        }
        let counts = Mutex<[Int]>([])
        let order = PriceOrder(Self.usd(14_990))
        _ = try await products.preview(order, of: Self.monthly, bundleID: Self.app) { count in
            counts.withLock { $0.append(count) }
        }
        #expect(counts.withLock { $0 } == [2])
    }

    @Test func `schedules lose what no environment needs any more`() async throws {
        let shop = try await RenewalTests.shop()
        let editor = CatalogEditor(database: shop.database) { TestStore.opening }
        let product = try await editor.read { try #require(try $0.product(Self.monthly, app: 1_234_567)).appleID }
        for day in Int64(1)...12 {
            let now = Self.start + .days(day)
            _ = try await shop.store.clock.advance(to: now)
            try await editor.edit(by: .control) { draft in
                try draft.changePrice(of: product, PriceOrder(Self.usd(4990 + day * 100)), now: now)
            }
            try await shop.store.performScheduledPrices()
            #expect(try await Self.price(shop) == 4990 + day * 100)
        }
        let schedule = try await editor.read { try $0.product(product)?.product.priceSchedule }
        #expect(schedule?.count == 1)
        // An environment whose clock is before all of them sells at the price from the beginning.
        _ = try await shop.registry.makeEnvironment("early", kind: .sandbox, clock: .manual, now: Self.start)
        #expect(try await Self.price(try await shop.environment("early")) == 4990)
        let settings = try await shop.database.read {
            try EnvironmentSettingsTable.settings(app: 1_234_567, shop.store.environment.id, on: $0)
        }
        #expect(settings.following.isEmpty)
    }
}
