import Perennial

/// The seller's own knowledge: the edits that were acknowledged, and what follows from them. Nothing of it is read from the
/// database.
struct SellerModel: Sendable {
    /// A price from an instant on; from the beginning without one.
    struct Price: Hashable, Sendable {
        var start: Instant?
        var price: Money
    }

    struct Offered: Sendable {
        var storefronts = Set(SimulatedCatalog.storefronts)
        var isForSale = true
        /// The prices in each storefront, in the order of time.
        var timelines: [Storefront: [Price]] = [:]
        /// All prices that a storefront has ever had. Subscribers may keep one.
        var everHad: [Storefront: Set<Money>] = [:]
    }

    private(set) var products: [Product.ID: Offered] = [:]
    private(set) var deleted: Set<Product.ID> = []
    /// All prices that deleted products have ever had.
    private var former: [Product.ID: [Storefront: Set<Money>]] = [:]
    /// The number of acknowledged edits that changed something.
    private(set) var edits = 0

    init() {
        for product in SimulatedCatalog.initial {
            var offered = Offered()
            for storefront in SimulatedCatalog.storefronts {
                guard let price = product.price(in: storefront) else { continue }
                offered.set([Price(start: nil, price: price)], in: storefront)
            }
            products[product.id] = offered
        }
    }

    var offSale: Int { products.values.count { !$0.isForSale } }

    /// Returns the price of a product in a storefront at an instant; `nil` if it isn't sold there.
    func price(of product: Product.ID, in storefront: Storefront, at instant: Instant) -> Money? {
        products[product]?.price(in: storefront, at: instant)
    }

    /// Returns all prices that a product has ever had in a storefront.
    func prices(everOf product: Product.ID, in storefront: Storefront) -> Set<Money> {
        (products[product]?.everHad ?? former[product])?[storefront] ?? []
    }

    func isSold(_ product: Product.ID, in storefront: Storefront) -> Bool {
        products[product].map { $0.isForSale && $0.storefronts.contains(storefront) } ?? false
    }

    /// The start of the price that waits for a storefront.
    func waiting(_ product: Product.ID, in storefront: Storefront, at now: Instant) -> Instant? {
        products[product]?.timelines[storefront]?.compactMap(\.start).first { $0 > now }
    }

    /// Applies an acknowledged edit.
    mutating func apply(_ edit: CatalogEdit, at now: Instant) {
        edits += 1
        switch edit {
        case .price(let product, let point, let storefront, let days, _):
            let start = days == 0 ? nil : PacificDay(now).adding(days).start
            if SimulatedCatalog.isSubscription(product) {
                products[product]?.add(
                    Price(start: start, price: SimulatedCatalog.price(point, in: storefront)), in: storefront, at: now)
            } else {
                products[product]?.replace(point, storefront, from: start, at: now)
            }
        case .withdrawPrice(let product, let storefront):
            products[product]?.withdraw(in: storefront, at: now)
        case .availability(let product, let storefronts):
            products[product]?.storefronts = Set(storefronts)
            if !storefronts.isEmpty { products[product]?.isForSale = true }
        case .setForSale(let product, let isForSale): products[product]?.isForSale = isForSale
        case .publish(let product):
            guard products[product] == nil else { return }
            var offered = Offered()
            for storefront in SimulatedCatalog.storefronts {
                let price = SimulatedCatalog.price(SimulatedCatalog.firstPoint(of: product), in: storefront)
                offered.set([Price(start: nil, price: price)], in: storefront)
            }
            products[product] = offered
        case .delete(let product):
            former[product] = products[product]?.everHad
            products[product] = nil
            deleted.insert(product)
        }
    }
}

extension SellerModel.Offered {
    func price(in storefront: Storefront, at instant: Instant) -> Money? {
        timelines[storefront]?.last { $0.start.map { $0 <= instant } ?? true }?.price
    }

    mutating func set(_ timeline: [SellerModel.Price], in storefront: Storefront) {
        timelines[storefront] = timeline
        everHad[storefront, default: []].formUnion(timeline.map(\.price))
    }

    /// Adds a price of a subscription after those that have started.
    fileprivate mutating func add(_ price: SellerModel.Price, in storefront: Storefront, at now: Instant) {
        set((timelines[storefront] ?? []) + [price], in: storefront)
    }

    fileprivate mutating func withdraw(in storefront: Storefront, at now: Instant) {
        timelines[storefront]?.removeAll { $0.start.map { $0 > now } ?? false }
    }

    /// Replaces the schedule of an in-app purchase: a price of the United States, and one in another storefront from the
    /// beginning. The others pay the equal price.
    fileprivate mutating func replace(
        _ point: Int, _ storefront: Storefront, from start: Instant?, at now: Instant
    ) {
        let base = SimulatedCatalog.storefronts[0]
        let schedule = SimulatedCatalog.baseSchedule(point, from: start, before: price(in: base, at: now))
        for other in SimulatedCatalog.storefronts where other != base {
            guard let currency = other.currency else { continue }
            let equal = schedule.map {
                SellerModel.Price(start: $0.start, price: PricePoint.equalization(of: $0.price, in: currency))
            }
            let own = SellerModel.Price(start: nil, price: SimulatedCatalog.price(point, in: other))
            set(other == storefront ? [own] : equal, in: other)
        }
        set(schedule, in: base)
    }
}

extension SimulatedCatalog {
    /// The prices of the United States in a new schedule: the one before, and the new one from its start on.
    static func baseSchedule(_ point: Int, from start: Instant?, before: Money?) -> [SellerModel.Price] {
        let price = price(point, in: storefronts[0])
        guard let start, let before else { return [SellerModel.Price(start: nil, price: price)] }
        return [SellerModel.Price(start: nil, price: before), SellerModel.Price(start: start, price: price)]
    }

    /// Returns the price of one of the simulation's price points, from 0 on.
    static func price(_ point: Int, in storefront: Storefront) -> Money {
        let currency = storefront.currency ?? .usd
        return PricePoint.point(at: 20 + point * 13, in: currency).price
    }
}
