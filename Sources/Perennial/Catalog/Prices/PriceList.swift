/// The prices of a product or an app: those from the beginning, and those of its schedule.
///
/// A storefront's price at an instant follows from this list alone: the scheduled prices up to the instant are applied
/// to the first ones, in order.
package struct PriceList: Hashable, Sendable, Codable {
    /// The base price from the beginning.
    package var base: Money
    /// The prices of storefronts with their own, from the beginning.
    package var own: [Storefront: Money]
    /// The later prices, in any order.
    package var schedule: [ScheduledPrice]
    /// The storefront of the base price; `nil` for the first of its currency.
    package var baseStorefront: Storefront?
    /// True if a storefront without its own price pays the price point equal to the base price.
    package var isEqualized: Bool
    /// True if nothing is sold in a storefront without its own price.
    package var requiresOwn: Bool
    /// False if there is no price at all yet.
    package var isPriced: Bool

    package init(
        base: Money, own: [Storefront: Money] = [:], schedule: [ScheduledPrice] = [], baseStorefront: Storefront? = nil,
        isEqualized: Bool = false, requiresOwn: Bool = false, isPriced: Bool = true
    ) {
        self.base = base
        self.own = own
        self.schedule = schedule
        self.baseStorefront = baseStorefront
        self.isEqualized = isEqualized
        self.requiresOwn = requiresOwn
        self.isPriced = isPriced
    }

    private enum CodingKeys: String, CodingKey {
        case base, own, schedule, baseStorefront, isEqualized, requiresOwn, isPriced
    }

    /// Encodes prices in alphabetical order of their storefronts, so that equal values have equal texts.
    package func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(base, forKey: .base)
        // The form of a dictionary whose keys aren't texts: each key, and after it the value.
        var prices = fields.nestedUnkeyedContainer(forKey: .own)
        for (storefront, price) in own.sorted(by: { $0.key < $1.key }) {
            try prices.encode(storefront)
            try prices.encode(price)
        }
        try fields.encode(schedule, forKey: .schedule)
        try fields.encodeIfPresent(baseStorefront, forKey: .baseStorefront)
        try fields.encode(isEqualized, forKey: .isEqualized)
        try fields.encode(requiresOwn, forKey: .requiresOwn)
        try fields.encode(isPriced, forKey: .isPriced)
    }

    /// Returns the price in a storefront before the schedule; `nil` where nothing is sold.
    package func price(in storefront: Storefront) -> Money? {
        guard let currency = storefront.currency else { return nil }
        return own[storefront]
            ?? Product.price(from: base, in: currency, isEqualized: isEqualized, needsOwn: requiresOwn)
    }

    /// Changes a price.
    ///
    /// - Parameter storefront: `nil` for the base price and all prices in its currency. Storefronts without their own
    ///   price follow the base price. Prices in other currencies stay.
    package mutating func set(_ price: Money, in storefront: Storefront?) {
        isPriced = true
        if let storefront {
            own[storefront] = price
            if followsBase, storefront == baseStorefront { base = price }
        } else {
            base = price
            for (storefront, known) in own where known.currency == price.currency { own[storefront] = price }
        }
    }

    /// True if the base price is that of the base storefront, and changes with it.
    var followsBase: Bool { isEqualized || requiresOwn }

    /// Returns the list at an instant: the scheduled prices up to it are applied, the others are left.
    package func inForce(at instant: Instant) -> PriceList { inForce { $0.at <= instant } }

    /// Returns the list with those scheduled prices applied that take effect, in order.
    func inForce(_ takesEffect: (ScheduledPrice) -> Bool) -> PriceList {
        guard !schedule.isEmpty else { return self }
        var list = self
        list.schedule = []
        var effective: [ScheduledPrice] = []
        for price in schedule {
            if takesEffect(price) { effective.append(price) } else { list.schedule.append(price) }
        }
        effective.sort(by: ScheduledPrice.isBefore)
        for price in effective { list.set(price.price, in: price.storefront) }
        return list
    }
}

extension Product {
    /// The product's prices: now, and by the catalog's schedule.
    package var priceList: PriceList {
        get {
            PriceList(
                base: basePrice, own: prices, schedule: priceSchedule, baseStorefront: baseStorefront,
                isEqualized: equalizesPrices, requiresOwn: requiresOwnPrices, isPriced: isPriced)
        }
        set {
            basePrice = newValue.base
            prices = newValue.own
            priceSchedule = newValue.schedule
            baseStorefront = newValue.baseStorefront
            equalizesPrices = newValue.isEqualized
            requiresOwnPrices = newValue.requiresOwn
            isPriced = newValue.isPriced
        }
    }
}
