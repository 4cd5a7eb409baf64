/// The seller's side of a product's prices.
package struct PriceListing: Hashable, Sendable, Codable {
    /// The prices of the monthly plan of a subscription whose customers commit themselves for a year. They are kept for
    /// the seller; this store sells subscriptions that are paid up front.
    package var monthly: PriceList?

    package init(monthly: PriceList? = nil) {
        self.monthly = monthly
    }
}
