import Perennial
import PerennialStorage

extension CatalogDraft {
    /// Replaces the whole price schedule of an in-app purchase.
    ///
    /// - Parameter now: The time of the environment in which the seller works.
    /// - Throws: ``CatalogEditError``.
    package func replacePriceSchedule(
        of product: Int64, _ prices: [ManualPrice], base: Storefront, now: Instant
    ) throws {
        try editPrices(of: product) { try $0.replacePriceSchedule(prices, base: base, at: now) }
    }

    /// Replaces the whole price schedule of an app.
    ///
    /// - Throws: ``CatalogEditError``.
    package func replacePriceSchedule(
        ofApp app: Int64, _ prices: [ManualPrice], base: Storefront, now: Instant
    ) throws {
        let earliest = try earliestClock()
        try update(app: app) { app in
            var list = try app.priceList.replaced(by: prices, base: base, at: now)
            list.compact(before: earliest)
            app.priceList = list
        }
    }

    /// Adds a price of a subscription in one territory.
    ///
    /// - Throws: ``CatalogEditError``.
    package func addPrice(
        _ price: NewSubscriptionPrice, to product: Int64, plan: SubscriptionPlanType = .upfront, now: Instant
    ) throws {
        try editPrices(of: product) { try $0.addPrice(price, plan: plan, at: now) }
    }

    /// Deletes a price of a subscription that hasn't started.
    ///
    /// - Throws: ``CatalogEditError``.
    package func withdrawPrice(
        of product: Int64, in storefront: Storefront, at instant: Instant, plan: SubscriptionPlanType = .upfront,
        now: Instant
    ) throws {
        try editPrices(of: product) { try $0.withdrawPrice(in: storefront, at: instant, plan: plan, now: now) }
    }

    /// Changes a product's prices as ordered.
    ///
    /// - Parameter revision: The product's revision that the caller has read; `nil` to change any.
    /// - Throws: ``CatalogEditError``.
    package func changePrice(
        of product: Int64, _ order: PriceOrder, expecting revision: Int64? = nil, now: Instant
    ) throws {
        let storefront = try defaultStorefront(of: product)
        try editPrices(of: product, expecting: revision) { product in
            try product.apply(order, default: storefront, at: now)
        }
    }

    /// Cancels a price in a product's schedule.
    ///
    /// - Parameter storefront: `nil` for the base price.
    /// - Throws: ``CatalogEditError``.
    package func cancelPrice(of product: Int64, in storefront: Storefront?, at instant: Instant, now: Instant) throws {
        try editPrices(of: product) { product in
            try product.product.priceList.cancel(in: storefront, at: instant, now: now)
        }
    }

    /// Cancels all prices of a product's schedule at an instant.
    ///
    /// - Throws: ``CatalogEditError`` if there is none.
    package func cancelPrices(of product: Int64, at instant: Instant, now: Instant) throws {
        let scheduled = try self.product(product)?.product.priceSchedule.filter { $0.at == instant } ?? []
        let places = scheduled.isEmpty ? [nil] : scheduled.map(\.storefront)
        for place in places { try cancelPrice(of: product, in: place, at: instant, now: now) }
    }

    private func editPrices(
        of product: Int64, expecting revision: Int64? = nil, _ change: (inout CatalogProduct) throws -> Void
    ) throws {
        let earliest = try earliestClock()
        try update(product, expecting: revision) { product in
            try change(&product)
            product.compactPrices(before: earliest)
        }
    }

    private func defaultStorefront(of product: Int64) throws -> Storefront {
        try owner(of: product).flatMap { try app($0) }?.defaultStorefront ?? .usa
    }

    /// Returns the earliest time of all environments' clocks.
    private func earliestClock() throws -> Instant {
        min(at, try consistent { try EnvironmentsTable.earliestManualNow(on: $0) } ?? at)
    }
}
