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
