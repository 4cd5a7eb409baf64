import Perennial

/// An edit of the catalog while customers buy.
package enum CatalogEdit: Hashable, Sendable {
    /// Sets a price point: of an in-app purchase a whole schedule around the United States, in which one storefront may have a
    /// price of its own; of a subscription one price in one storefront. Applies after so many days, 0 for at once.
    case price(Product.ID, point: Int, Storefront, days: Int64, preserves: Bool)
    /// Withdraws a subscription's price that waits in a storefront.
    case withdrawPrice(Product.ID, Storefront)
    /// Sells a product in these storefronts only.
    case availability(Product.ID, [Storefront])
    case setForSale(Product.ID, Bool)
    /// Creates one of ``SimulatedCatalog/additions``, with all that its review needs, and approves it.
    case publish(Product.ID)
    /// Removes a product from sale and deletes it.
    case delete(Product.ID)
}

extension CatalogEdit: CustomStringConvertible {
    package var description: String {
        switch self {
        case .price(let product, let point, let storefront, let days, let preserves):
            "the seller sets \(product) to price point \(point) in \(storefront.rawValue)"
                + (days == 0 ? "" : " in \(days) days") + (preserves ? ", not for subscribers" : "")
        case .withdrawPrice(let product, let storefront):
            "the seller withdraws the price of \(product) that waits in \(storefront.rawValue)"
        case .availability(let product, let storefronts):
            "the seller sells \(product) in \(storefronts.map(\.rawValue)) only"
        case .setForSale(let product, let isForSale): "the seller takes \(product) \(isForSale ? "on" : "off") sale"
        case .publish(let product): "the seller publishes \(product)"
        case .delete(let product): "the seller deletes \(product)"
        }
    }
}
