/// A change of a product's price for one territory or for all, now or later, as the seller orders it.
package struct PriceOrder: Hashable, Sendable {
    /// The price in the currency of the storefront, or of the base price.
    package var price: Money
    /// `nil` for the base price, which storefronts without their own price follow.
    package var storefront: Storefront?
    /// True to set the equal price in every other storefront that is sold in too.
    package var isEqualized: Bool
    /// `nil` for now.
    package var at: Instant?
    /// True if subscribers must agree to an increase; `nil` to decide by ``PriceIncreaseRule``.
    package var needsConsent: Bool?
    /// True if subscribers keep the price they have.
    package var preservesSubscribers: Bool

    package init(
        _ price: Money, storefront: Storefront? = nil, isEqualized: Bool = false, at: Instant? = nil,
        needsConsent: Bool? = nil, preservesSubscribers: Bool = false
    ) {
        self.price = price
        self.storefront = storefront
        self.isEqualized = isEqualized
        self.at = at
        self.needsConsent = needsConsent
        self.preservesSubscribers = preservesSubscribers
    }
}

extension PriceList {
    /// A limit of this store on prices, in milliunits.
    package static let maximumPrice: Int64 = 1_000_000_000_000

    /// Changes the prices as ordered: the first ones from the beginning, later ones by the schedule.
    ///
    /// - Parameter default: The app's default storefront, the base of a product's first price.
    /// - Throws: ``CatalogEditError``: `.invalid` for a price or storefront that can't be; `.required` without a storefront
    ///   where each needs its own price; `.limit`.
    package mutating func apply(
        _ order: PriceOrder, default: Storefront, at now: Instant
    ) throws(CatalogEditError) {
        try check(order)
        guard isPriced else {
            guard order.at == nil else {
                throw CatalogEditError(
                    .invalid, at: .attribute("at"), "The first price applies at once and has no date.")
            }
            setFirst(order, default: `default`)
            return
        }
        let at = max(order.at ?? now, now).wholeSeconds
        try schedule(scheduled(order, at: at, default: `default`))
    }

    /// Returns the scheduled prices that an order adds to a list with prices.
    package func scheduled(_ order: PriceOrder, at: Instant, default: Storefront) -> [ScheduledPrice] {
        let base = baseStorefront ?? `default`
        func price(_ money: Money, in storefront: Storefront?) -> ScheduledPrice {
            ScheduledPrice(
                at: at, money, storefront: storefront, needsConsent: order.needsConsent,
                preservesSubscribers: order.preservesSubscribers)
        }
        // An equalized list's base price belongs to its storefront, so that manual prices of the same currency stay.
        let target = order.storefront ?? (isEqualized ? base : nil)
        var prices = [price(order.price, in: target)]
        let follows = isEqualized && target == base
        if order.isEqualized, !follows {
            let sold = inForce(at: at)
            for info in Storefront.all where info.storefront != target && sold.price(in: info.storefront) != nil {
                prices.append(
                    price(PricePoint.equalization(of: order.price, in: info.currency), in: info.storefront))
            }
        }
        return prices
    }

    private mutating func setFirst(_ order: PriceOrder, default: Storefront) {
        isPriced = true
        guard !requiresOwn else {
            if own.isEmpty { (base, baseStorefront) = (order.price, order.storefront ?? `default`) }
            own[order.storefront ?? `default`] = order.price
            return
        }
        // Every storefront pays the equal price until it gets its own.
        base = order.price
        baseStorefront = order.storefront ?? `default`
        isEqualized = true
    }

    func check(_ order: PriceOrder) throws(CatalogEditError) {
        guard (0...Self.maximumPrice).contains(order.price.milliunits) else {
            throw CatalogEditError(
                .invalid, at: .attribute("price"), "A price is 0 or more, in thousandths of the currency's unit.")
        }
        guard order.price.milliunits % order.price.currency.smallestAmount == 0 else {
            throw CatalogEditError(
                .invalid, at: .attribute("price"),
                "\(order.price.currency) has no smaller coin than "
                    + "\(Money(milliunits: order.price.currency.smallestAmount, order.price.currency)).")
        }
        if let storefront = order.storefront {
            guard let currency = storefront.currency else {
                throw CatalogEditError(
                    .invalid, at: .attribute("storefront"), "A storefront is a three-letter code such as USA.")
            }
            guard currency == order.price.currency else {
                throw CatalogEditError(
                    .invalid, at: .attribute("price"), "Prices in \(storefront) are in \(currency).")
            }
        } else if isPriced, order.price.currency != base.currency {
            throw CatalogEditError(.invalid, at: .attribute("price"), "The base price is in \(base.currency).")
        } else if isPriced, requiresOwn, !order.isEqualized {
            throw CatalogEditError(
                .required, at: .attribute("storefront"),
                "Each storefront has its own price: name one, or set the equal price in all.")
        }
    }
}
