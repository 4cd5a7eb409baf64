import Perennial
import PerennialStorage

extension Store {
    /// The win-back offers that the customer of a subscription may have now, best first: those of the product last
    /// subscribed to.
    func eligibleWinBackOffers(_ subscription: Subscription, on connection: any Connection) throws -> [String] {
        guard case .expired = subscription.state else { return [] }
        let (_, entry) = try self.subscription(subscription.id, on: connection)
        guard let product = entry.products[subscription.product.id] else { return [] }
        return OfferEligibility.winBack(
            product, subscription, at: try clock.now(on: connection),
            try context(of: subscription, entry, on: connection).timing
        ).compactMap(\.id)
    }
}
