import Perennial
import TestRandomness
import Testing

/// Random edits of prices, and environments whose clocks move in between.
struct PriceEditPropertyTests {
    private static let storefronts = ["USA", "DEU", "FRA", "JPN", "ECU", "KWT"].map(Storefront.init(rawValue:))
    private static let start = PacificDay(CivilDate(year: 2027, month: 1, day: 1)).start

    /// An environment: its clock, and what it has recorded of a product's prices.
    private struct Environment {
        var now = PriceEditPropertyTests.start
        var change = ProductChange()
    }

    private struct Walk {
        var random: SeededGenerator
        var product: CatalogProduct
        var environments = [Environment(), Environment(now: PriceEditPropertyTests.start + .days(400))]

        init(seed: UInt64) {
            random = SeededGenerator(seed: seed)
            let isSubscription = seed % 2 == 0
            var product = Product(
                id: Product.ID(rawValue: "thing"), appleID: 7, type: isSubscription ? .autoRenewable : .consumable,
                referenceName: "Thing", state: seed % 3 == 0 ? .readyToSubmit : .approved,
                basePrice: Money(milliunits: seed % 5 == 0 ? 0 : 4_990, .usd),
                subscription: isSubscription
                    ? Product.Subscription(groupID: "g", level: 1, period: .month) : nil)
            product.isPriced = seed % 5 != 0
            self.product = CatalogProduct(product)
            self.product.listing.availabilityWasSet = true
        }

        mutating func number(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }
        mutating func storefront() -> Storefront { storefronts[number(storefronts.count)] }
        mutating func day(_ now: Instant) -> PacificDay { PacificDay(now).adding(Int64(number(30)) - 5) }
        mutating func isTrue() -> Bool { number(2) == 0 }

        mutating func price(in storefront: Storefront) -> Money {
            PricePoint.point(at: number(200), in: storefront.currency ?? .usd).price
        }

        /// Makes one edit. A refused one changes nothing.
        mutating func edit() {
            let which = number(environments.count)
            let now = environments[which].now
            let storefront = storefront()
            let before = product
            do {
                switch number(8) {
                case 0: try product.replacePriceSchedule(schedule(at: now), base: storefronts[0], at: now)
                case 1, 2:
                    let new = NewSubscriptionPrice(
                        storefront: storefront, price: price(in: storefront), start: isTrue() ? nil : day(now),
                        preservesSubscribers: isTrue())
                    try product.addPrice(new, at: now)
                case 3:
                    if let next = product.product.priceSchedule.last {
                        try product.withdrawPrice(in: storefront, at: next.at, now: now)
                    }
                case 4:
                    let target = isTrue() ? storefront : nil
                    let currency = target?.currency ?? product.product.basePrice.currency
                    var order = PriceOrder(
                        PricePoint.point(at: number(200), in: currency).price, storefront: target,
                        isEqualized: number(4) == 0)
                    if isTrue() { order.at = day(now).start }
                    try product.product.priceList.apply(order, default: .usa, at: now)
                case 5: product.compactPrices(before: environments.map(\.now).min() ?? now)
                case 6:
                    let price = ScheduledPrice(at: now, price(in: storefront), storefront: storefront)
                    environments[which].change.setPrice(price, of: product.product)
                default:
                    let later = ScheduledPrice(at: day(now).start, price(in: storefront), storefront: storefront)
                    environments[which].change.schedule(later)
                }
            } catch {
                #expect(product == before, "a refused edit changed something: \(error)")
            }
        }

        private mutating func schedule(at now: Instant) -> [ManualPrice] {
            var prices: [ManualPrice] = []
            for storefront in storefronts where storefront == storefronts[0] || isTrue() {
                let middle = PacificDay(now).adding(Int64(1 + number(20)))
                let isOne = isTrue()
                prices.append(
                    ManualPrice(
                        index: prices.count, storefront: storefront, price: price(in: storefront),
                        end: isOne ? nil : middle))
                guard !isOne else { continue }
                // Some have a gap, and are refused.
                let start = number(10) == 0 ? middle.next : middle
                prices.append(
                    ManualPrice(
                        index: prices.count, storefront: storefront, price: price(in: storefront), start: start))
            }
            return prices
        }
    }

    @Test(arguments: 0..<60 as Range<UInt64>)
    func `prices stay gapless, and follow from timeline and clock`(seed: UInt64) {
        var walk = Walk(seed: seed)
        for _ in 0..<40 {
            walk.edit()
            let which = walk.number(walk.environments.count)
            walk.environments[which].now = walk.environments[which].now + .hours(Int64(walk.number(200)))
            checkTimeline(walk.product.product)
            for index in walk.environments.indices {
                let environment = walk.environments[index]
                let product = walk.product.product
                let sold = environment.change.applied(to: product, at: environment.now)
                // Performing it changes no price, and doing it again does nothing.
                _ = walk.environments[index].change.perform(until: environment.now, of: product)
                let performed = walk.environments[index].change
                #expect(performed.applied(to: product) == sold)
                #expect(performed.applied(to: product, at: environment.now) == sold)
                var again = performed
                #expect(again.perform(until: environment.now, of: product).isEmpty)
                if performed.ownPrices.isEmpty {
                    // Without prices of its own, an environment sells at the catalog's, whatever it has performed.
                    let expected = ProductChange().applied(to: product, at: environment.now)
                    #expect(sold.priceList == expected.priceList)
                }
            }
        }
    }

    private func checkTimeline(_ product: Product) {
        let list = product.priceList
        let timeline = PriceTimeline(list, default: .usa)
        for storefront in Self.storefronts {
            let intervals = timeline.intervals(in: storefront)
            for (one, next) in zip(intervals, intervals.dropFirst()) {
                #expect(one.end == next.start && one.end != nil)
                #expect(one.start.map { $0 < next.start ?? .beginningOfTime } ?? true)
            }
            #expect(intervals.last.map { $0.end == nil } ?? true)
            if list.isPriced, !list.requiresOwn { #expect(intervals.first?.start == nil && !intervals.isEmpty) }
        }
        // The timeline and the list in force agree around each change.
        for instant in Set([Self.start] + list.schedule.flatMap { [$0.at + -1, $0.at] }) {
            let current = list.inForce(at: instant)
            for storefront in Self.storefronts {
                let expected = current.isPriced ? current.price(in: storefront) : nil
                #expect(timeline.price(in: storefront, at: instant) == expected)
            }
        }
    }
}
