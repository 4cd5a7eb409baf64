/// The seller's changes of a product in one environment, beside the catalog: its price, or its sale.
///
/// Each change records the catalog's value at that time. It applies while the catalog has the same value there, also after
/// a restart. A new value in the catalog replaces it.
package struct ProductChange: Hashable, Sendable {
    /// The base price and those of storefronts.
    package struct Prices: Hashable, Sendable, Codable {
        package var base: Money
        package var own: [Storefront: Money]

        package init(base: Money, own: [Storefront: Money] = [:]) {
            self.base = base
            self.own = own
        }
    }

    package struct Revision<Value: Hashable & Sendable & Codable>: Hashable, Sendable, Codable {
        /// The catalog's value at the time of the change.
        package var catalog: Value
        package var value: Value
    }

    /// A price of this environment that has taken effect.
    package struct OwnPrice: Hashable, Sendable, Codable {
        package var price: ScheduledPrice
        /// The replaced value of the catalog: the price of its storefront; or the base price and all prices in its currency.
        package var catalog: Prices
    }

    package internal(set) var isClearedForSale: Revision<Bool>?
    /// The prices of this environment that have taken effect, in order.
    package internal(set) var ownPrices: [OwnPrice] = []
    /// The prices of this environment that take effect later.
    package internal(set) var scheduled: [ScheduledPrice] = []
    /// The prices of the catalog's schedule whose effect here is recorded, and whose subscribers are notified.
    package internal(set) var performed: [ScheduledPrice] = []

    package init() {}

    /// Returns the product with the changes applied.
    ///
    /// - Parameter instant: The instant whose prices count, as far as the schedule hasn't been performed that long; `nil`
    ///   for the prices that have taken effect.
    package func applied(to product: Product, at instant: Instant? = nil) -> Product {
        var changed = product
        if !(product.priceSchedule.isEmpty && ownPrices.isEmpty && scheduled.isEmpty) {
            let prices = prices(of: product.priceList, at: instant)
            (changed.basePrice, changed.prices, changed.isPriced) = (prices.base, prices.own, prices.isPriced)
        }
        if let sale = isClearedForSale, sale.catalog == product.isClearedForSale {
            changed.isClearedForSale = sale.value
        }
        return changed
    }

    /// Changes the price at an instant.
    ///
    /// - Parameter product: The product in the catalog.
    package mutating func setPrice(_ price: ScheduledPrice, of product: Product) {
        let list = product.priceList.inForce(at: price.at)
        // A later price of the same storefront makes an earlier one ineffective for good.
        ownPrices.removeAll { $0.price.storefront == price.storefront && $0.price.at <= price.at }
        ownPrices.append(OwnPrice(price: price, catalog: Self.replaced(by: price, in: list)))
        ownPrices.sort { ScheduledPrice.isBefore($0.price, $1.price) }
    }

    package mutating func setClearedForSale(_ isCleared: Bool, of product: Product) {
        isClearedForSale = Revision(catalog: product.isClearedForSale, value: isCleared)
    }
}

// MARK: - Schedule

extension ProductChange {
    /// Returns the scheduled prices that haven't taken effect, in order: the catalog's and the seller's later ones.
    ///
    /// - Parameter product: The product in the catalog.
    package func pendingPrices(of product: Product) -> [ScheduledPrice] {
        (unperformed(in: product.priceSchedule) + scheduled).sorted(by: ScheduledPrice.isBefore)
    }

    /// Returns the prices of the catalog's schedule that haven't taken effect here.
    func unperformed(in schedule: [ScheduledPrice]) -> [ScheduledPrice] {
        guard !performed.isEmpty else { return schedule }
        // Prices take effect in order, so that mostly the first ones have. Hashing thousands of rows takes far longer.
        let rest = schedule.dropFirst(performed.count)
        if schedule.starts(with: performed), let last = performed.map(\.at).max(), rest.allSatisfy({ $0.at > last }) {
            return Array(rest)
        }
        let performed = Set(performed)
        return schedule.filter { !performed.contains($0) }
    }

    /// Schedules a price. It replaces one for the same storefront at the same instant.
    package mutating func schedule(_ price: ScheduledPrice) {
        cancelScheduled(at: price.at, in: price.storefront)
        scheduled.append(price)
    }

    /// Cancels a price that the seller has scheduled.
    ///
    /// - Returns: False if there is none. The catalog's schedule can only be changed in the catalog.
    @discardableResult
    package mutating func cancelScheduled(at: Instant, in storefront: Storefront?) -> Bool {
        let count = scheduled.count
        scheduled.removeAll { $0.at == at && $0.storefront == storefront }
        return scheduled.count < count
    }

    /// Marks the scheduled prices up to an instant as performed.
    ///
    /// - Parameter product: The product in the catalog.
    /// - Returns: Those prices, in order.
    package mutating func perform(until instant: Instant, of product: Product) -> [ScheduledPrice] {
        let due = pendingPrices(of: product).filter { $0.at <= instant }
        guard !due.isEmpty else { return [] }
        for price in scheduled.filter({ $0.at <= instant }).sorted(by: ScheduledPrice.isBefore) {
            setPrice(price, of: product)
        }
        scheduled.removeAll { $0.at <= instant }
        performed += due
        if !product.priceSchedule.starts(with: performed) {
            // Leaves out those that the catalog doesn't have any more.
            let ofCatalog = Set(product.priceSchedule)
            performed.removeAll { !ofCatalog.contains($0) }
        }
        return due
    }
}

extension ProductChange {
    /// Returns a product as the catalog alone sells it in this environment, and as the environment sells it. Both have the
    /// prices of the catalog's schedule that have taken effect here.
    package func comparison(of product: Product) -> (catalog: Product, environment: Product) {
        var plain = ProductChange()
        plain.performed = performed
        func sold(_ change: ProductChange) -> Product {
            var sold = change.applied(to: product)
            sold.priceSchedule = change.pendingPrices(of: product)
            return sold
        }
        return (sold(plain), sold(self))
    }
}
