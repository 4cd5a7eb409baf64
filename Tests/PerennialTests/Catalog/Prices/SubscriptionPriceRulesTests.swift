import Perennial
import Testing

/// The rules for single prices of subscriptions (docs/reference/apple-behaviour.md, "Price schedules").
struct SubscriptionPriceRulesTests {
    private static let now = PacificDay(CivilDate(year: 2027, month: 1, day: 5)).start + .hours(9)
    private static let today = PacificDay(now)
    private static let germany = Storefront(rawValue: "DEU")
    private static let japan = Storefront(rawValue: "JPN")

    private static func product(
        _ state: Product.State = .approved, period: Period = .month, priced: Bool = true
    ) -> CatalogProduct {
        var product = Product(
            id: Product.ID(rawValue: "gold"), appleID: 7, type: .autoRenewable, referenceName: "Gold", state: state,
            basePrice: Money(milliunits: priced ? 4_990 : 0, .usd),
            subscription: Product.Subscription(groupID: "g", level: 1, period: period))
        product.isPriced = priced
        return CatalogProduct(product)
    }

    private static func new(
        _ milliunits: Int64, in storefront: Storefront = germany, days: Int64? = nil, preserve: Bool = false
    ) -> NewSubscriptionPrice {
        NewSubscriptionPrice(
            storefront: storefront, price: Money(milliunits: milliunits, storefront.currency ?? .usd),
            start: days.map { today.adding($0) }, preservesSubscribers: preserve)
    }

    private static func error(_ body: () throws -> Void) -> CatalogEditError? {
        do {
            try body()
            return nil
        } catch {
            return error as? CatalogEditError
        }
    }

    @Test func `the first prices make a subscription sold in their territories only`() throws {
        var gold = Self.product(.readyToSubmit, priced: false)
        gold.listing.availabilityWasSet = true
        try gold.addPrice(Self.new(5_990), at: Self.now)
        #expect(gold.product.price(in: Self.germany)?.description == "EUR 5.99")
        #expect(gold.product.price(in: .usa) == nil)
        try gold.addPrice(Self.new(6_990, in: .usa), at: Self.now)
        #expect(gold.product.price(in: .usa)?.description == "USD 6.99")
        #expect(gold.product.baseStorefront == Self.germany)
        // Before the approval a price may be replaced at once.
        try gold.addPrice(Self.new(4_490), at: Self.now)
        #expect(gold.product.price(in: Self.germany)?.description == "EUR 4.49")
        #expect(gold.product.basePrice.description == "EUR 4.49")
    }

    @Test func `the first price needs an availability`() {
        var gold = Self.product(.readyToSubmit, priced: false)
        let found = Self.error { try gold.addPrice(Self.new(5_990), at: Self.now) }
        #expect(found?.code == .relationshipInvalid)
        #expect(found?.place == .relationship("subscription"))
    }

    @Test(arguments: [nil, -3, 0] as [Int64?])
    func `an approved subscription's price starts on a later day`(days: Int64?) {
        var gold = Self.product()
        let found = Self.error { try gold.addPrice(Self.new(5_990, days: days), at: Self.now) }
        #expect(found?.code == .invalid)
        #expect(found?.place == .attribute("startDate"))
        #expect(found?.detail.contains("must be on or after 2027-01-06") == true)
        #expect(gold == Self.product())
    }

    @Test func `one change waits in each territory`() throws {
        var gold = Self.product()
        try gold.addPrice(Self.new(5_990, days: 2, preserve: true), at: Self.now)
        #expect(Self.error { try gold.addPrice(Self.new(6_990, days: 5), at: Self.now) }?.code == .state)
        try gold.addPrice(Self.new(600_000, in: Self.japan, days: 5), at: Self.now)
        let start = Self.today.adding(2).start
        #expect(gold.product.priceList.inForce(at: start).price(in: Self.germany)?.decimal == "5.99")
        #expect(gold.product.priceList.inForce(at: start + -1).price(in: Self.germany)?.decimal == "4.99")
        #expect(gold.product.priceSchedule[0].preservesSubscribers)
        // Once it has started, the next one may be added.
        try gold.addPrice(Self.new(6_990, days: 9), at: start)
    }

    @Test func `a price that hasn't started can be deleted, one that has can't`() throws {
        var gold = Self.product()
        let start = Self.today.adding(2).start
        try gold.addPrice(Self.new(5_990, days: 2), at: Self.now)
        #expect(Self.error { try gold.withdrawPrice(in: Self.germany, at: start, now: start) }?.code == .state)
        #expect(Self.error { try gold.withdrawPrice(in: Self.japan, at: start, now: Self.now) }?.code == .notFound)
        try gold.withdrawPrice(in: Self.germany, at: start, now: Self.now)
        #expect(gold == Self.product())
    }

    @Test func `a price of all territories can be deleted in one of them`() throws {
        var gold = Self.product()
        let start = Self.today.adding(2).start
        gold.product.priceSchedule = [ScheduledPrice(at: start, Money(milliunits: 5_990, .usd))]
        try gold.withdrawPrice(in: Self.germany, at: start, now: Self.now)
        let list = gold.product.priceList.inForce(at: start)
        #expect(list.price(in: Self.germany)?.decimal == "4.99")
        #expect(list.price(in: Self.japan)?.decimal == "6")
        #expect(list.price(in: .usa)?.decimal == "5.99")
    }

    @Test func `a monthly plan of a year costs at most half more`() throws {
        var gold = Self.product(period: .year)
        gold.product.basePrice = Money(milliunits: 120_000, .usd)
        try gold.addPrice(Self.new(15_000, in: .usa), plan: .monthly, at: Self.now)
        #expect(gold.prices(of: .monthly)?.price(in: .usa)?.decimal == "15.00")
        #expect(gold.product.price(in: .usa)?.decimal == "120.00")
        var other = Self.product(period: .year)
        other.product.basePrice = Money(milliunits: 120_000, .usd)
        let found = Self.error { try other.addPrice(Self.new(15_010, in: .usa), plan: .monthly, at: Self.now) }
        #expect(found?.place == .relationship("subscriptionPricePoint"))
        var month = Self.product()
        #expect(Self.error { try month.addPrice(Self.new(1_000), plan: .monthly, at: Self.now) } != nil)
    }

    @Test func `an order without a storefront changes the base price or all equal prices`() throws {
        var list = PriceList(base: .zero(.usd), isPriced: false)
        try list.apply(PriceOrder(Money(milliunits: 4_990, .usd)), default: .usa, at: Self.now)
        #expect(list.isEqualized && list.baseStorefront == .usa && list.schedule.isEmpty)
        #expect(list.price(in: Self.japan)?.decimal == "499")
        try list.apply(
            PriceOrder(Money(milliunits: 6_990, .eur), storefront: Self.germany), default: .usa, at: Self.now)
        let date = Self.today.adding(9).start
        try list.apply(PriceOrder(Money(milliunits: 5_990, .usd), at: date), default: .usa, at: Self.now)
        let later = list.inForce(at: date)
        #expect(later.price(in: Self.japan)?.decimal == "599")
        #expect(later.price(in: Self.germany)?.decimal == "6.99")

        var own = PriceList(
            base: Money(milliunits: 4_990, .usd), own: [.usa: Money(milliunits: 4_990, .usd)], baseStorefront: .usa,
            requiresOwn: true)
        let order = PriceOrder(Money(milliunits: 5_990, .usd))
        #expect(Self.error { try own.apply(order, default: .usa, at: Self.now) }?.code == .required)
        var everywhere = order
        everywhere.isEqualized = true
        try own.apply(everywhere, default: .usa, at: Self.now)
        #expect(own.inForce(at: Self.now).price(in: .usa)?.decimal == "5.99")
        #expect(own.inForce(at: Self.now).price(in: Self.japan) == nil)
    }

    @Test(arguments: [
        PriceOrder(Money(milliunits: -1, .usd)), PriceOrder(Money(milliunits: 4_995, .usd)),
        PriceOrder(Money(milliunits: 4_990, .eur)), PriceOrder(Money(milliunits: 4_990, .usd), storefront: germany),
        PriceOrder(Money(milliunits: 4_990, .usd), storefront: Storefront(rawValue: "XXX")),
        PriceOrder(Money(milliunits: .max / 10 * 10, .usd)),
    ])
    func `an order that can't be is refused`(order: PriceOrder) {
        var list = PriceList(base: Money(milliunits: 990, .usd))
        #expect(Self.error { try list.apply(order, default: .usa, at: Self.now) }?.code == .invalid)
        #expect(list == PriceList(base: Money(milliunits: 990, .usd)))
    }
}
