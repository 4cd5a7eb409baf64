/// The plans by which customers pay for a subscription, in App Store Connect's words.
package enum SubscriptionPlanType: String, Hashable, Sendable, Codable, CaseIterable {
    /// Paid monthly, with a commitment for a year.
    case monthly = "MONTHLY"
    /// Each period is paid when it begins.
    case upfront = "UPFRONT"
}

extension CatalogProduct {
    /// Returns the prices of a plan.
    package func prices(of plan: SubscriptionPlanType) -> PriceList? {
        plan == .monthly ? listing.prices?.monthly : product.priceList
    }

    /// Replaces the whole price schedule of an in-app purchase.
    ///
    /// - Throws: ``CatalogEditError`` as ``PriceList/replaced(by:base:at:)``, `.invalid` for a subscription.
    package mutating func replacePriceSchedule(
        _ prices: [ManualPrice], base: Storefront, at now: Instant
    ) throws(CatalogEditError) {
        guard !product.type.renews else {
            throw CatalogEditError(.invalid, "A subscription's prices are set one by one for each territory.")
        }
        product.priceList = try product.priceList.replaced(by: prices, base: base, at: now)
    }

    /// Adds a price of a subscription in one territory.
    ///
    /// - Throws: ``CatalogEditError``: as ``PriceList/add(_:isApproved:at:)``; `.relationshipInvalid` for a subscription
    ///   without an availability, and for a product that isn't one; `.invalid` for a monthly price above its limit.
    package mutating func addPrice(
        _ new: NewSubscriptionPrice, plan: SubscriptionPlanType = .upfront, at now: Instant
    ) throws(CatalogEditError) {
        let place: CatalogEditError.Place =
            new.index.map { .includedRelationship($0, "subscription") } ?? .relationship("subscription")
        guard product.type == .autoRenewable else {
            throw CatalogEditError(.relationshipInvalid, at: place, "\(id) isn't an auto-renewable subscription.")
        }
        guard product.isPriced || listing.availabilityWasSet else {
            throw CatalogEditError(
                .relationshipInvalid, at: place,
                "The availability of \(id) must be set before its first price.")
        }
        guard plan == .monthly else {
            var list = product.priceList
            try list.add(new, isApproved: wasApproved, at: now)
            product.priceList = list
            return
        }
        try checkMonthly(new, at: now)
        var list = listing.prices?.monthly ?? PriceList(base: .zero(new.price.currency), isPriced: false)
        try list.add(new, isApproved: wasApproved, at: now)
        listing.prices = PriceListing(monthly: list)
    }

    /// Checks a price of the monthly plan: the subscription lasts a year, and twelve payments are at most one and a half
    /// times its price up front.
    private func checkMonthly(_ new: NewSubscriptionPrice, at now: Instant) throws(CatalogEditError) {
        func place(_ name: String) -> CatalogEditError.Place {
            new.index.map { .includedRelationship($0, name) } ?? .relationship(name)
        }
        guard product.subscription?.period == .year else {
            throw CatalogEditError(
                .relationshipInvalid, at: place("subscription"), "Only a subscription of one year has a monthly plan.")
        }
        let upfront = product.isPriced ? product.priceList.inForce(at: now).price(in: new.storefront) : nil
        guard let upfront else {
            throw CatalogEditError(
                .relationshipInvalid, at: place("subscription"),
                "\(id) has no price up front in \(new.storefront) yet.")
        }
        guard new.price.milliunits.clampedMultiplied(by: 24) <= upfront.milliunits.clampedMultiplied(by: 3) else {
            throw CatalogEditError(
                .relationshipInvalid, at: place("subscriptionPricePoint"),
                "Twelve monthly prices of \(new.price) are more than one and a half times the price of \(upfront).")
        }
    }

    /// Changes the prices as ordered.
    ///
    /// - Parameter default: The app's default storefront.
    /// - Throws: ``CatalogEditError`` as ``PriceList/apply(_:default:at:)``, `.invalid` for a free subscription.
    package mutating func apply(
        _ order: PriceOrder, default storefront: Storefront, at now: Instant
    ) throws(CatalogEditError) {
        guard product.type != .free else {
            throw CatalogEditError(.invalid, at: .attribute("price"), "A free subscription has no price.")
        }
        var list = product.priceList
        try list.apply(order, default: storefront, at: now)
        product.priceList = list
    }

    /// Deletes a price of a subscription that hasn't started.
    ///
    /// - Throws: ``CatalogEditError`` as ``PriceList/withdraw(from:at:now:)``.
    package mutating func withdrawPrice(
        in storefront: Storefront, at instant: Instant, plan: SubscriptionPlanType = .upfront, now: Instant
    ) throws(CatalogEditError) {
        guard var list = prices(of: plan) else { throw CatalogEditError(.notFound, "The plan has no prices.") }
        try list.withdraw(from: storefront, at: instant, now: now)
        if plan == .monthly { listing.prices?.monthly = list } else { product.priceList = list }
    }

    /// Removes the scheduled prices that no environment needs any more.
    ///
    /// - Parameter instant: The earliest time of all environments' clocks.
    package mutating func compactPrices(before instant: Instant) {
        guard !product.priceSchedule.isEmpty else { return }
        product.priceList.compact(before: instant)
    }
}
