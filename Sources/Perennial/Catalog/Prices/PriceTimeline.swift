/// A price of a storefront and the time in which it is in force.
package struct PriceInterval: Hashable, Sendable {
    /// `nil` for a price from the beginning.
    package var start: Instant?
    /// The start of the next price; `nil` without one.
    package var end: Instant?
    package var price: Money
    /// True if the seller has set it for the storefront, false if it follows from the base price.
    package var isManual: Bool
    /// True if subscribers kept the price before it.
    package var preservesSubscribers: Bool
    /// True if subscribers must agree to an increase; `nil` to decide by ``PriceIncreaseRule``.
    package var needsConsent: Bool?

    package func isInForce(at instant: Instant) -> Bool {
        start.map { $0 <= instant } ?? true && end.map { instant < $0 } ?? true
    }
}

/// The prices of each storefront by time, from a ``PriceList``.
package struct PriceTimeline: Sendable {
    private let list: PriceList
    /// The storefront whose own price is the base price.
    package let base: Storefront
    /// The scheduled base prices in order, and those of the base storefront if the base price follows it.
    private let ofBase: [ScheduledPrice]
    private let ofStorefronts: [Storefront: [ScheduledPrice]]

    /// - Parameter storefront: The app's default storefront, for a list without a base storefront.
    package init(_ list: PriceList, default storefront: Storefront) {
        self.list = list
        base = list.baseStorefront ?? Self.storefront(of: list.base.currency, preferring: storefront)
        var (ofBase, ofStorefronts): ([ScheduledPrice], [Storefront: [ScheduledPrice]]) = ([], [:])
        for price in list.schedule {
            if let storefront = price.storefront {
                ofStorefronts[storefront, default: []].append(price)
                if list.followsBase, storefront == list.baseStorefront { ofBase.append(price) }
            } else {
                ofBase.append(price)
            }
        }
        self.ofBase = ofBase
        self.ofStorefronts = ofStorefronts
    }

    private static func storefront(of currency: Currency, preferring storefront: Storefront) -> Storefront {
        if storefront.currency == currency { return storefront }
        return Storefront.all.first { $0.currency == currency }?.storefront ?? storefront
    }

    /// Returns a storefront's prices in the order of time, without a gap from the first one on. Empty where nothing is
    /// ever sold.
    package func intervals(in storefront: Storefront) -> [PriceInterval] {
        guard let currency = storefront.currency else { return [] }
        let ownPrices = ofStorefronts[storefront] ?? []
        var intervals: [PriceInterval] = []
        var (basePrice, ownPrice) = (list.base, list.own[storefront])
        let isBase = storefront == base

        func add(from start: Instant?, by cause: ScheduledPrice?) {
            guard
                let price = ownPrice
                    ?? Product.price(
                        from: basePrice, in: currency, isEqualized: list.isEqualized, needsOwn: list.requiresOwn)
            else { return }
            let isManual = ownPrice != nil || isBase
            if let last = intervals.last {
                // A price in the schedule that changes nothing here, such as a base price beside an own one.
                if last.price == price, cause?.storefront != storefront { return }
                if last.start == start { intervals.removeLast() }
            }
            if !intervals.isEmpty { intervals[intervals.count - 1].end = start }
            intervals.append(
                PriceInterval(
                    start: start, end: nil, price: price, isManual: isManual,
                    preservesSubscribers: cause?.preservesSubscribers ?? false, needsConsent: cause?.needsConsent))
        }

        if list.isPriced { add(from: nil, by: nil) }
        guard !(ownPrices.isEmpty && ofBase.isEmpty) else { return intervals }
        let others = list.followsBase && isBase ? ofBase.filter { $0.storefront == nil } : ofBase
        for price in (others + ownPrices).sorted(by: ScheduledPrice.isBefore) {
            if price.storefront == storefront {
                ownPrice = price.price
                if list.followsBase, storefront == list.baseStorefront { basePrice = price.price }
            } else {
                basePrice = price.price
                if price.storefront == nil, ownPrice?.currency == price.price.currency { ownPrice = price.price }
            }
            add(from: price.at, by: price)
        }
        return intervals
    }

    /// Returns the price of a storefront at an instant; `nil` where nothing is sold then.
    package func price(in storefront: Storefront, at instant: Instant) -> Money? {
        intervals(in: storefront).last { $0.start.map { $0 <= instant } ?? true }?.price
    }
}
