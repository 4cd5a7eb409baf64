/// The seller's changes of a product in one environment after the catalog was loaded: its price, or its sale.
///
/// Each change records the catalog's value at that time. It applies while the catalog has the same value, also after
/// a restart. A new value in the catalog replaces it.
package struct ProductChange: Hashable, Sendable, Codable {
    /// The prices of a product: the base price and those of storefronts.
    package struct Prices: Hashable, Sendable, Codable {
        package var base: Money
        package var own: [Storefront: Money]

        package init(_ product: Product) {
            base = product.basePrice
            own = product.prices
        }
    }

    package struct Revision<Value: Hashable & Sendable & Codable>: Hashable, Sendable, Codable {
        /// The catalog's value at the time of the change.
        package var catalog: Value
        package var value: Value
    }

    package private(set) var prices: Revision<Prices>?
    package private(set) var isClearedForSale: Revision<Bool>?
    /// The prices that the seller scheduled outside the catalog.
    package internal(set) var scheduled: [ScheduledPrice] {
        get { scheduledPrices ?? [] }
        set { scheduledPrices = newValue.isEmpty ? nil : newValue }
    }
    /// The prices of the catalog's schedule that have taken effect.
    package internal(set) var performed: [ScheduledPrice] {
        get { performedPrices ?? [] }
        set { performedPrices = newValue.isEmpty ? nil : newValue }
    }
    private var scheduledPrices: [ScheduledPrice]?
    private var performedPrices: [ScheduledPrice]?

    package init() {}

    /// Returns the product with the changes applied.
    package func applied(to product: Product) -> Product {
        var changed = product
        if let prices, prices.catalog == Prices(product) {
            changed.basePrice = prices.value.base
            changed.prices = prices.value.own
            changed.isPriced = true
        }
        if let sale = isClearedForSale, sale.catalog == product.isClearedForSale {
            changed.isClearedForSale = sale.value
        }
        return changed
    }

    /// Changes the price.
    ///
    /// - Parameters:
    ///   - storefront: The storefront; `nil` for the base price and all prices in its currency. Storefronts without
    ///     their own price follow the base price. Prices in other currencies stay.
    ///   - product: The product in the catalog.
    package mutating func setPrice(_ price: Money, in storefront: Storefront?, of product: Product) {
        prices = Revision(
            catalog: Prices(product), value: Prices(applied(to: product).priced(price, in: storefront)))
    }

    package mutating func setClearedForSale(_ isCleared: Bool, of product: Product) {
        isClearedForSale = Revision(catalog: product.isClearedForSale, value: isCleared)
    }
}
