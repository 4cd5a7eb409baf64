/// A new price of a subscription in one territory, as a seller sends it.
package struct NewSubscriptionPrice: Hashable, Sendable {
    package var storefront: Storefront
    package var price: Money
    /// The first day of the price; `nil` for a price at once.
    package var start: PacificDay?
    /// True if subscribers keep the price they have.
    package var preservesSubscribers: Bool
    /// The place among the resources that the request creates; `nil` for the resource itself.
    package var index: Int?

    package init(
        storefront: Storefront, price: Money, start: PacificDay? = nil, preservesSubscribers: Bool = false,
        index: Int? = nil
    ) {
        self.storefront = storefront
        self.price = price
        self.start = start
        self.preservesSubscribers = preservesSubscribers
        self.index = index
    }

    fileprivate var startPlace: CatalogEditError.Place {
        index.map { .includedAttribute($0, "startDate") } ?? .attribute("startDate")
    }
}

extension PriceList {
    /// A limit of this store on the prices in a schedule.
    package static let maximumScheduled = 10_000

    /// Adds a subscription's price in one territory.
    ///
    /// The first price of a territory, and any price of a subscription that was never approved, may apply at once. After
    /// the approval a price starts on a later day, and one such change waits in each territory.
    ///
    /// - Throws: ``CatalogEditError``: `.invalid` for a start that isn't allowed; `.state` if a change waits already.
    package mutating func add(
        _ new: NewSubscriptionPrice, isApproved: Bool, at now: Instant
    ) throws(CatalogEditError) {
        let isFirst = !isPriced || inForce(at: now).price(in: new.storefront) == nil
        let tomorrow = PacificDay(now).next
        guard let start = new.start else {
            guard isFirst || !isApproved else {
                throw CatalogEditError(
                    .invalid, at: new.startPlace,
                    "Invalid startDate=null, a future date is expected, and must be on or after \(tomorrow).")
            }
            try setAtOnce(new.price, in: new.storefront, at: now)
            return
        }
        guard start >= tomorrow else {
            throw CatalogEditError(
                .invalid, at: new.startPlace,
                "Invalid startDate=\(start), a future date is expected, and must be on or after \(tomorrow).")
        }
        guard !isFirst else {
            throw CatalogEditError(
                .invalid, at: new.startPlace,
                "Invalid startDate=\(start), the first price in \(new.storefront) applies at once and has no start date."
            )
        }
        if let waiting = schedule.first(where: { $0.storefront == new.storefront && $0.at > now }) {
            throw CatalogEditError(
                .state, at: new.startPlace,
                "A price change in \(new.storefront) is scheduled for \(PacificDay(waiting.at)) already. Delete it first."
            )
        }
        try schedule([
            ScheduledPrice(
                at: start.start, new.price, storefront: new.storefront, preservesSubscribers: new.preservesSubscribers)
        ])
    }

    /// Sets the price of a territory from the beginning, in place of those up to now.
    private mutating func setAtOnce(
        _ price: Money, in storefront: Storefront, at now: Instant
    ) throws(CatalogEditError) {
        if !isPriced {
            base = price
            baseStorefront = storefront
            requiresOwn = true
            isPriced = true
        }
        schedule.removeAll { $0.storefront == storefront && $0.at <= now }
        set(price, in: storefront)
        if inForce(at: now).price(in: storefront) != price {
            // A scheduled price of all territories has started.
            try schedule([ScheduledPrice(at: now.wholeSeconds, price, storefront: storefront)])
        }
    }

    /// Adds prices to the schedule. Each replaces one of the same storefront and instant.
    ///
    /// - Parameter prices: At most one for a storefront and an instant.
    /// - Throws: ``CatalogEditError`` `.limit`.
    package mutating func schedule(_ prices: [ScheduledPrice]) throws(CatalogEditError) {
        let places = Set(prices.map(\.place))
        schedule.removeAll { places.contains($0.place) }
        guard schedule.count + prices.count <= Self.maximumScheduled else {
            throw CatalogEditError(.limit, "A schedule has at most \(Self.maximumScheduled) prices.")
        }
        schedule += prices
        schedule.sort(by: ScheduledPrice.isBefore)
    }

    /// Withdraws the price that starts in a territory at an instant to come.
    ///
    /// - Throws: ``CatalogEditError``: `.state` for a price that has started, or that follows from the base territory's;
    ///   `.notFound` if none starts then.
    package mutating func withdraw(
        from storefront: Storefront, at instant: Instant, now: Instant
    ) throws(CatalogEditError) {
        guard instant > now else {
            throw CatalogEditError(.state, "A price that has started can't be deleted.")
        }
        if let index = schedule.firstIndex(where: { $0.at == instant && $0.storefront == storefront }) {
            schedule.remove(at: index)
            return
        }
        let timeline = PriceTimeline(self, default: storefront)
        guard timeline.intervals(in: storefront).contains(where: { $0.start == instant }) else {
            throw CatalogEditError(.notFound, "No price starts in \(storefront) at that time.")
        }
        guard let index = schedule.firstIndex(where: { $0.at == instant && $0.storefront == nil }) else {
            throw CatalogEditError(
                .state, "The price in \(storefront) follows from the base territory's. Delete that one.")
        }
        // A price of all territories becomes one of each other territory.
        let common = schedule.remove(at: index)
        for other in Storefront.all.map(\.storefront) where other != storefront {
            guard let interval = timeline.intervals(in: other).first(where: { $0.start == instant }),
                !schedule.contains(where: { $0.at == instant && $0.storefront == other })
            else { continue }
            var price = common
            (price.storefront, price.price) = (other, interval.price)
            schedule.append(price)
        }
        schedule.sort(by: ScheduledPrice.isBefore)
    }

    /// Cancels a scheduled price.
    ///
    /// - Parameter storefront: `nil` for the base price.
    /// - Throws: ``CatalogEditError``: `.state` for a price that has started, `.notFound` if none is scheduled.
    package mutating func cancel(
        in storefront: Storefront?, at instant: Instant, now: Instant
    ) throws(CatalogEditError) {
        let target = storefront ?? (isEqualized ? baseStorefront : nil)
        guard let index = schedule.firstIndex(where: { $0.at == instant && $0.storefront == target }) else {
            throw CatalogEditError(
                .notFound, at: .attribute("at"), "No price is scheduled in the catalog for that instant.")
        }
        guard instant > now else {
            throw CatalogEditError(.state, at: .attribute("at"), "A price that has started can't be cancelled.")
        }
        schedule.remove(at: index)
    }

    /// Removes the scheduled prices that a later one replaced before an instant, so that schedules don't grow forever.
    ///
    /// The prices in force from the instant on stay the same. A price that subscribers kept stays too.
    ///
    /// - Parameter instant: The earliest time of all environments' clocks.
    package mutating func compact(before instant: Instant) {
        guard schedule.contains(where: { $0.at <= instant }) else { return }
        var replaced: [Storefront?: ScheduledPrice] = [:]
        schedule = schedule.sorted(by: ScheduledPrice.isBefore).reversed().filter { price in
            guard price.at <= instant else { return true }
            let next = replaced.updateValue(price, forKey: price.storefront)
            return next.map { $0.preservesSubscribers || $0.price.currency != price.price.currency } ?? true
        }.reversed()
    }
}
