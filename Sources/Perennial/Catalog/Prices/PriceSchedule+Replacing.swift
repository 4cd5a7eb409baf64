/// A price of one territory and the days in which it is in force, as a seller sends it with a whole schedule.
package struct ManualPrice: Hashable, Sendable {
    /// The place among the resources that the request creates.
    package var index: Int
    package var storefront: Storefront
    package var price: Money
    /// `nil` for a price from the beginning.
    package var start: PacificDay?
    /// The day before whose first moment the price ends; `nil` for a price without an end.
    package var end: PacificDay?

    package init(
        index: Int, storefront: Storefront, price: Money, start: PacificDay? = nil, end: PacificDay? = nil
    ) {
        self.index = index
        self.storefront = storefront
        self.price = price
        self.start = start
        self.end = end
    }

    fileprivate var interval: String {
        "[\(start?.description ?? "null") - \(end?.description ?? "null")]"
    }
}

extension PriceList {
    /// Returns the list with a schedule of manual prices around a base territory in place of all earlier prices. The other
    /// territories pay the price equal to the base territory's.
    ///
    /// - Throws: ``CatalogEditError``: `.baseTerritoryRequired` without a price of the base territory; `.invalidInterval` for
    ///   a territory whose prices don't cover all time without a gap or an overlap; `.invalid` for a new price in the past.
    package func replaced(
        by prices: [ManualPrice], base: Storefront, at now: Instant
    ) throws(CatalogEditError) -> PriceList {
        let territories = Dictionary(grouping: prices, by: \.storefront)
        guard let ofBase = territories[base], !ofBase.isEmpty else {
            throw CatalogEditError(
                .baseTerritoryRequired, at: .relationship("manualPrices"),
                "There must be at least one manual price for the base territory.")
        }
        let today = PacificDay(now)
        var list = PriceList(base: ofBase[0].price, baseStorefront: base, isEqualized: true)
        for (storefront, prices) in territories.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            let ordered = try Self.covering(prices, in: storefront, today)
            list.own[storefront] = ordered[0].price
            if storefront == base { list.base = ordered[0].price }
            for price in ordered.dropFirst() {
                guard let day = price.start else { continue }
                let isKnown = schedule.contains { $0.at == day.start && $0.storefront == storefront }
                guard day >= today || isKnown else {
                    throw CatalogEditError(
                        .invalid, at: .includedAttribute(price.index, "startDate"),
                        "The start date '\(day)' of a price in \(storefront) must be on or after \(today).")
                }
                list.schedule.append(ScheduledPrice(at: day.start, price.price, storefront: storefront))
            }
        }
        list.schedule.sort(by: ScheduledPrice.isBefore)
        return list
    }

    /// Orders the prices of a territory by time.
    ///
    /// The first one may also start at a past day: a seller may send back what the schedule lists.
    private static func covering(
        _ prices: [ManualPrice], in storefront: Storefront, _ today: PacificDay
    ) throws(CatalogEditError) -> [ManualPrice] {
        let ordered = prices.sorted { one, other in
            guard let first = one.start, let second = other.start else { return one.start == nil && other.start != nil }
            return first < second
        }
        for price in ordered {
            if let start = price.start, let end = price.end, end <= start {
                throw CatalogEditError(
                    .invalidInterval, at: .includedAttribute(price.index, "endDate"),
                    "The end date of \(price.interval) in \(storefront) must be after its start date.")
            }
        }
        guard let first = ordered.first, let last = ordered.last else { return [] }
        if let start = first.start, start > today {
            throw uncovered(storefront, "There is no price before \(first.interval)")
        }
        for (one, next) in zip(ordered, ordered.dropFirst()) {
            guard let start = next.start else { throw overlap(one, next, in: storefront) }
            guard let end = one.end, end <= start else { throw overlap(one, next, in: storefront) }
            guard end == start else {
                let gap = "Adjacent intervals must not have a gap in between: \(one.interval) and \(next.interval)"
                throw uncovered(storefront, gap)
            }
        }
        if last.end != nil { throw uncovered(storefront, "There is no price after \(last.interval)") }
        return ordered
    }

    private static func uncovered(_ storefront: Storefront, _ detail: String) -> CatalogEditError {
        CatalogEditError(
            .invalidInterval, at: .relationship("manualPrices"),
            "Entire timeline must be covered for \(storefront). \(detail)")
    }

    private static func overlap(_ one: ManualPrice, _ other: ManualPrice, in storefront: Storefront) -> CatalogEditError
    {
        CatalogEditError(
            .invalidInterval, at: .relationship("manualPrices"),
            "The timeline must not have two prices at a time for \(storefront). "
                + "Adjacent intervals must not overlap: \(one.interval) and \(other.interval)")
    }
}
