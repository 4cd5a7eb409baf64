/// The price of an app itself. An app without one is free.
package struct AppPrice: Hashable, Sendable, Codable {
    /// The price in the default storefront.
    package var basePrice: Money
    /// The prices of single storefronts.
    package var prices: [Storefront: Money]

    package init(_ basePrice: Money, prices: [Storefront: Money] = [:]) {
        self.basePrice = basePrice
        self.prices = prices
    }
}

extension App {
    /// Returns the price of the app in a storefront, by the rule of products: the storefront's own, otherwise the number
    /// of the base price in the storefront's currency. Zero for a free app; `nil` for an unknown storefront.
    package func price(in storefront: Storefront) -> Money? {
        guard let price else { return storefront.currency.map { .zero($0) } }
        return storefront.price(price.prices, else: price.basePrice)
    }

    /// True if the app costs something anywhere.
    package var isPaid: Bool {
        guard let price else { return false }
        return price.basePrice.milliunits > 0 || price.prices.values.contains { $0.milliunits > 0 }
    }
}
