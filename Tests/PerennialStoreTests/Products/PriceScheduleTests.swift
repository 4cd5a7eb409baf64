import Perennial
import PerennialConnect
import PerennialStorage
import PerennialStore
import TestSupport
import Testing

/// Prices that take effect on a date by the store's clock.
struct PriceScheduleTests {
    private static let start = RenewalTests.start
    private static let app = TestCatalog.bundleID
    private static let monthly = Product.ID(rawValue: "monthly")
    private static let firstEnd = Period.month.end(after: start)

    private static func schedule(
        _ milliunits: Int64, at: Instant, _ shop: TestStore, preserve: Bool = false, storefront: Storefront? = nil
    ) async throws {
        let change = PriceChange(
            monthly, milliunits: milliunits, storefront: storefront, preservesSubscribers: preserve)
        _ = try await shop.store.products.schedulePrice(change, at: at, bundleID: app)
    }

    private static func price(_ shop: TestStore) async throws -> Int64 {
        try await shop.store.products.prices(of: monthly, bundleID: app).product.basePrice.milliunits
    }

    @Test(arguments: Engine.allCases)
    func `a clock's advance applies a scheduled price between the renewals around it`(engine: Engine) async throws {
        let shop = try await RenewalTests.shop(engine)
        try await shop.buy("monthly", as: "ann")
        // Between the second and the third renewal.
        let date = Period(2, .month).end(after: Self.start) + .days(10)
        try await Self.schedule(5990, at: date, shop)
        #expect(try await Self.price(shop) == 4990)
        _ = try await shop.store.clock.advance(to: Period(4, .month).end(after: Self.start))
        let periods = try await RenewalTests.periods(shop, of: "ann")
        #expect(periods.map(\.price.milliunits) == [4990, 4990, 4990, 5990, 5990])
        #expect(try await Self.price(shop) == 5990)
        let told = try await shop.journal().map(\.entry).first { $0.kind == .subscription(.priceIncreaseAccepted) }
        #expect(told?.at == date)
    }

    @Test func `a renewal at the very instant of a scheduled price is charged after it`() async throws {
        let shop = try await RenewalTests.shop()
        let bought = try await shop.buy("monthly", as: "ann")
        let due = try #require(
            try await shop.store.subscriptions.snapshot(of: bought.id).subscription.nextDue)
        try await Self.schedule(5990, at: due, shop)
        // The charge follows the notice to the subscriber.
        _ = try await shop.store.clock.advance(to: due + 1)
        #expect(try await RenewalTests.periods(shop, of: "ann").map(\.price.milliunits) == [4990, 5990])
    }

    @Test(arguments: Engine.allCases)
    func `subscribers keep a preserved price, and their renewals say so`(engine: Engine) async throws {
        let shop = try await RenewalTests.shop(engine)
        try await shop.buy("monthly", as: "ann")
        try await Self.schedule(7990, at: Self.start + .days(3), shop, preserve: true)
        _ = try await shop.store.clock.advance(to: Self.firstEnd)
        #expect(try await RenewalTests.periods(shop, of: "ann").map(\.price.milliunits) == [4990, 4990])
        let renewal = try await shop.journal().map(\.entry).last { $0.kind == .subscription(.renewed) }
        #expect(renewal?.facts?.isPricePreserved == true)
        #expect(try await shop.buy("monthly", as: "ben").price.milliunits == 7990)
        let sale = try await shop.journal().map(\.entry).last { $0.kind == .subscription(.subscribed) }
        #expect(sale?.facts?.isPricePreserved != true)
    }

    @Test func `several prices take effect in order, and the old ones stay known`() async throws {
        let shop = try await RenewalTests.shop()
        let germany = Storefront(rawValue: "DEU")
        for (day, price) in [(Int64(20), Int64(7990)), (10, 5990)] {
            try await Self.schedule(price, at: Self.start + .days(day), shop, preserve: true)
        }
        try await Self.schedule(6490, at: Self.start + .days(10), shop, preserve: true, storefront: germany)
        let waiting = try await shop.store.products.prices(of: Self.monthly, bundleID: Self.app).pending
        #expect(waiting.map(\.price.milliunits) == [5990, 6490, 7990])
        _ = try await shop.store.clock.advance(to: Self.start + .days(30))
        let prices = try await shop.store.products.prices(of: Self.monthly, bundleID: Self.app)
        #expect(prices.pending.isEmpty)
        #expect(prices.product.price(in: germany) == Money(milliunits: 6490, .eur))
        let base = prices.changes.filter { $0.storefront == nil }
        #expect(base.map(\.previous.milliunits) == [5990, 4990])
        #expect(base.map(\.price.milliunits) == [7990, 5990])
        #expect(base.map(\.at) == [Self.start + .days(20), Self.start + .days(10)])
    }

    @Test func `a catalog's schedule takes effect once in each environment`() async throws {
        var app = TestCatalog.magazine()
        let index = try #require(app.products.firstIndex { $0.id == Self.monthly })
        app.products[index].priceSchedule = [
            ScheduledPrice(at: Self.start + .days(5), Money(milliunits: 5990, .usd))
        ]
        let store = try await TestStore.make(app: app)
        _ = try await store.registry.makeEnvironment("lab", kind: .production, clock: .manual, now: Self.start)
        let shop = try await store.environment("lab")
        _ = try await shop.store.clock.advance(to: Self.start + .days(6))
        #expect(try await Self.price(shop) == 5990)
        // Another price by the seller isn't taken back by what has been performed.
        _ = try await shop.store.products.changePrice(PriceChange(Self.monthly, milliunits: 3990), bundleID: Self.app)
        _ = try await shop.store.clock.advance(to: Self.start + .days(7))
        #expect(try await Self.price(shop) == 3990)
    }

    @Test func `a scheduled price can be cancelled until its date`() async throws {
        let shop = try await RenewalTests.shop()
        let date = Self.start + .days(3)
        try await Self.schedule(5990, at: date, shop)
        _ = try await shop.store.products.cancelScheduledPrice(of: Self.monthly, at: date, in: nil, bundleID: Self.app)
        _ = try await shop.store.clock.advance(to: date + .days(1))
        #expect(try await Self.price(shop) == 4990)
        await #expect(throws: StoreError(.priceNotScheduled, "", "")) {
            _ = try await shop.store.products.cancelScheduledPrice(
                of: Self.monthly, at: date, in: nil, bundleID: Self.app)
        }
    }

    @Test func `a price scheduled for the past changes at once`() async throws {
        let shop = try await RenewalTests.shop()
        try await Self.schedule(5990, at: Self.start + -.days(3), shop)
        #expect(try await Self.price(shop) == 5990)
        #expect(try await shop.buy("monthly", as: "ann").price.milliunits == 5990)
    }

    @Test(arguments: Engine.allCases)
    func `a year of paid service is sold at the reduced commission`(engine: Engine) async throws {
        let shop = try await RenewalTests.shop(engine)
        try await shop.buy("monthly", as: "ann")
        _ = try await shop.store.clock.advance(to: Period(13, .month).end(after: Self.start))
        let sales = try await shop.journal().map(\.entry).filter { !$0.postings.isEmpty }
        let reasons = sales.map(\.facts?.proceedsReason)
        #expect(reasons.prefix(12).allSatisfy { $0 == nil })
        #expect(reasons.dropFirst(12).allSatisfy { $0 == .rateAfterOneYear } && reasons.count > 12)
        #expect(try await shop.sumOfPostings() == ["USD": 0])
    }
}
