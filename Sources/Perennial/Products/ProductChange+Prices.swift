extension ProductChange {
    /// Returns the prices in force: the catalog's timeline, with this environment's own prices in between.
    ///
    /// The catalog's timeline is applied from its beginning each time, because it may have been edited after parts of it
    /// took effect here.
    ///
    /// - Parameter instant: The instant up to which prices count that weren't performed; `nil` for none of them.
    func prices(of catalog: PriceList, at instant: Instant?) -> PriceList {
        func hasStarted(_ price: ScheduledPrice) -> Bool { instant.map { price.at <= $0 } ?? false }
        let waiting = Set(unperformed(in: catalog.schedule).filter { !hasStarted($0) })
        func isInForce(_ price: ScheduledPrice) -> Bool { waiting.isEmpty || !waiting.contains(price) }
        let early = scheduled.filter { hasStarted($0) || performed.contains($0) }
        guard !(ownPrices.isEmpty && early.isEmpty) else { return catalog.inForce(isInForce) }
        var list = catalog
        list.schedule = []
        // The catalog alone, to compare with what the environment's prices replaced.
        var unchanged = list
        var rest = catalog.schedule.filter(isInForce).sorted(by: ScheduledPrice.isBefore)[...]
        func apply(until instant: Instant) {
            while let next = rest.first, next.at <= instant {
                list.set(next.price, in: next.storefront)
                unchanged.set(next.price, in: next.storefront)
                rest.removeFirst()
            }
        }
        let own = ownPrices.map { ($0.price, $0 as OwnPrice?) } + early.map { ($0, nil) }
        for (price, known) in own.sorted(by: { ScheduledPrice.isBefore($0.0, $1.0) }) {
            apply(until: price.at)
            if let known { known.apply(to: &list, unchanged) } else { list.set(price.price, in: price.storefront) }
        }
        apply(until: Instant(milliseconds: .max))
        return list
    }

    /// Returns what a price replaces in the catalog.
    static func replaced(by price: ScheduledPrice, in list: PriceList) -> Prices {
        if let storefront = price.storefront {
            return Prices(base: list.price(in: storefront) ?? .zero(price.price.currency))
        }
        return Prices(base: list.base, own: list.own.filter { $0.value.currency == price.price.currency })
    }
}

extension ProductChange.OwnPrice {
    /// Applies the price where the catalog has the value that it replaced.
    fileprivate func apply(to list: inout PriceList, _ unchanged: PriceList) {
        let now = ProductChange.replaced(by: price, in: unchanged)
        if let storefront = price.storefront {
            if now.base == catalog.base { list.set(price.price, in: storefront) }
            return
        }
        for (storefront, known) in list.own
        where known.currency == price.price.currency && now.own[storefront] == catalog.own[storefront] {
            list.own[storefront] = price.price
        }
        guard now.base == catalog.base else { return }
        list.base = price.price
        list.isPriced = true
    }
}

extension ProductChange: Codable {
    private enum CodingKeys: String, CodingKey {
        case prices, isClearedForSale, ownPrices, scheduledPrices, performedPrices
    }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        isClearedForSale = try fields.decodeIfPresent(Revision<Bool>.self, forKey: .isClearedForSale)
        ownPrices = try fields.decodeIfPresent([OwnPrice].self, forKey: .ownPrices) ?? []
        scheduled = try fields.decodeIfPresent(ScheduledPriceTexts.self, forKey: .scheduledPrices)?.prices ?? []
        performed = try fields.decodeIfPresent(ScheduledPriceTexts.self, forKey: .performedPrices)?.prices ?? []
        if let prices = try fields.decodeIfPresent(Revision<Prices>.self, forKey: .prices) {
            ownPrices += Self.ownPrices(of: prices, performed)
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encodeIfPresent(isClearedForSale, forKey: .isClearedForSale)
        if !ownPrices.isEmpty { try fields.encode(ownPrices, forKey: .ownPrices) }
        if !scheduled.isEmpty { try fields.encode(ScheduledPriceTexts(prices: scheduled), forKey: .scheduledPrices) }
        if !performed.isEmpty { try fields.encode(ScheduledPriceTexts(prices: performed), forKey: .performedPrices) }
    }

    /// Converts the first form of the document, which had all prices in force and the catalog's: those that don't follow
    /// from the catalog and its performed schedule are this environment's own.
    private static func ownPrices(of prices: Revision<Prices>, _ performed: [ScheduledPrice]) -> [OwnPrice] {
        let performed = performed.sorted(by: ScheduledPrice.isBefore)
        let at = performed.last?.at ?? .beginningOfTime
        var list = PriceList(base: prices.catalog.base, own: prices.catalog.own)
        for price in performed { list.set(price.price, in: price.storefront) }
        let catalog = list
        var found: [OwnPrice] = []
        func add(_ money: Money, in storefront: Storefront?) {
            let price = ScheduledPrice(at: at, money, storefront: storefront)
            found.append(OwnPrice(price: price, catalog: replaced(by: price, in: catalog)))
            list.set(money, in: storefront)
        }
        if list.base != prices.value.base { add(prices.value.base, in: nil) }
        for (storefront, money) in prices.value.own.sorted(by: { $0.key.rawValue < $1.key.rawValue })
        where list.own[storefront] != money {
            add(money, in: storefront)
        }
        return found
    }
}
