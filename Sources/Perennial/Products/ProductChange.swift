/// What a seller changed about a product in one environment, after the catalog was loaded: its price, or whether it is sold.
///
/// Each change remembers what the catalog said then. As long as the catalog says the same, also after a restart, the change
/// holds; where the catalog says something new, that is the later word.
package struct ProductChange: Hashable, Sendable, Codable {
    /// What one says who changes the price: for all storefronts, or for one.
    package struct Prices: Hashable, Sendable, Codable {
        package var base: Money
        package var own: [Storefront: Money]

        package init(_ product: Product) {
            base = product.basePrice
            own = product.prices
        }
    }

    package struct Revision<Value: Hashable & Sendable & Codable>: Hashable, Sendable, Codable {
        /// What the catalog said.
        package var catalog: Value
        package var value: Value
    }

    package private(set) var prices: Revision<Prices>?
    package private(set) var isClearedForSale: Revision<Bool>?

    package init() {}

    /// The product as it is sold.
    package func applied(to product: Product) -> Product {
        var changed = product
        if let prices, prices.catalog == Prices(product) {
            changed.basePrice = prices.value.base
            changed.prices = prices.value.own
        }
        if let sale = isClearedForSale, sale.catalog == product.isClearedForSale {
            changed.isClearedForSale = sale.value
        }
        return changed
    }

    /// - Parameters:
    ///   - storefront: Where the price holds; `nil` for the base price and wherever it is in the same currency, from which
    ///     storefronts follow that have none of their own. Prices in other currencies stay.
    ///   - product: As the catalog has it.
    package mutating func setPrice(_ price: Money, in storefront: Storefront?, of product: Product) {
        let catalog = Prices(product)
        var value = Prices(applied(to: product))
        if let storefront {
            value.own[storefront] = price
        } else {
            value.base = price
            value.own = value.own.mapValues { $0.currency == price.currency ? price : $0 }
        }
        prices = Revision(catalog: catalog, value: value)
    }

    package mutating func setClearedForSale(_ isCleared: Bool, of product: Product) {
        isClearedForSale = Revision(catalog: product.isClearedForSale, value: isCleared)
    }
}
