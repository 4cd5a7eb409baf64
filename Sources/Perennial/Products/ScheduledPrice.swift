/// A price of a product that takes effect at an instant of the store's clock.
package struct ScheduledPrice: Hashable, Sendable, Codable {
    package var at: Instant
    package var price: Money
    /// `nil` for the base price and all prices in its currency.
    package var storefront: Storefront?
    /// True if subscribers must agree to an increase; `nil` to decide by ``PriceIncreaseRule``.
    package var needsConsent: Bool?
    /// True if subscribers keep their price.
    package var preservesSubscribers: Bool {
        get { preserved == true }
        set { preserved = newValue ? true : nil }
    }
    private var preserved: Bool?

    package init(
        at: Instant, _ price: Money, storefront: Storefront? = nil, needsConsent: Bool? = nil,
        preservesSubscribers: Bool = false
    ) {
        self.at = at
        self.price = price
        self.storefront = storefront
        self.needsConsent = needsConsent
        self.preservesSubscribers = preservesSubscribers
    }

    /// Returns true if this price takes effect first. Of prices at one instant, the base price comes first, so that a
    /// storefront's own price holds.
    package static func isBefore(_ one: ScheduledPrice, _ other: ScheduledPrice) -> Bool {
        (one.at, one.storefront?.rawValue ?? "") < (other.at, other.storefront?.rawValue ?? "")
    }
}

extension Product {
    /// Returns the product with a new price.
    ///
    /// - Parameter storefront: `nil` for the base price and all prices in its currency. Storefronts without their own
    ///   price follow the base price. Prices in other currencies stay.
    package func priced(_ price: Money, in storefront: Storefront?) -> Product {
        var changed = self
        if let storefront {
            changed.prices[storefront] = price
        } else {
            changed.basePrice = price
            changed.prices = prices.mapValues { $0.currency == price.currency ? price : $0 }
        }
        changed.isPriced = true
        return changed
    }
}

extension ProductChange {
    /// Returns the scheduled prices that haven't taken effect, in order: the catalog's and the seller's later ones.
    ///
    /// - Parameter product: The product in the catalog.
    package func pendingPrices(of product: Product) -> [ScheduledPrice] {
        let ofCatalog = product.priceSchedule.filter { !performed.contains($0) }
        return (ofCatalog + scheduled).sorted(by: ScheduledPrice.isBefore)
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

    /// Applies a scheduled price, once.
    ///
    /// - Parameter product: The product in the catalog.
    package mutating func perform(_ price: ScheduledPrice, of product: Product) {
        setPrice(price.price, in: price.storefront, of: product)
        if let index = scheduled.firstIndex(of: price) {
            scheduled.remove(at: index)
        } else {
            performed.append(price)
        }
    }
}

/// A change of a product's price that has taken effect.
package struct PerformedPriceChange: Hashable, Sendable {
    package var at: Instant
    /// `nil` for the base price and all prices in its currency.
    package var storefront: Storefront?
    package var previous: Money
    package var price: Money
    /// True if subscribers keep the previous price.
    package var preservesSubscribers: Bool

    package init(
        at: Instant, storefront: Storefront?, previous: Money, price: Money, preservesSubscribers: Bool
    ) {
        self.at = at
        self.storefront = storefront
        self.previous = previous
        self.price = price
        self.preservesSubscribers = preservesSubscribers
    }
}
