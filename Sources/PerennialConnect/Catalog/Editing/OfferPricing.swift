import Perennial

/// The prices of an offer as a request gives them.
package struct OfferPricing: Sendable {
    /// The price in the default storefront, in thousandths.
    package let price: Int64?
    /// The prices in single storefronts, in thousandths.
    package let prices: [String: Int64]
    package let storefronts: [String]?
    package let app: App

    /// - Parameters:
    ///   - price: In the default storefront, in thousandths.
    ///   - prices: In single storefronts, in thousandths.
    package init(price: Int64?, prices: [String: Int64], storefronts: [String]?, app: App) {
        (self.price, self.prices, self.storefronts, self.app) = (price, prices, storefronts, app)
    }

    /// Returns a price for each storefront of the offer: its own, or the equalization of the one price.
    ///
    /// - Throws: ``CatalogEditError``.
    package func prices(of product: CatalogProduct, isFree: Bool) throws -> [OfferPrice] {
        if isFree { return (storefronts ?? []).map { OfferPrice(storefront: Storefront(rawValue: $0)) } }
        for price in Array(prices.values) + [price].compactMap({ $0 }) {
            guard (0...PriceList.maximumPrice).contains(price) else {
                throw CatalogEditError(
                    .invalid, at: .attribute("price"), "A price is 0 to \(PriceList.maximumPrice) thousandths.")
            }
        }
        var all: [Storefront: Money] = [:]
        if let price {
            let base = Money(milliunits: price, app.defaultStorefront.currency ?? .usd)
            let places = storefronts?.map(Storefront.init(rawValue:)) ?? product.storefronts
            for storefront in places {
                guard let currency = storefront.currency else { throw unknown(storefront) }
                all[storefront] = PricePoint.equalization(of: base, in: currency)
            }
        }
        for (code, price) in prices {
            let storefront = Storefront(rawValue: code)
            guard let currency = storefront.currency else { throw unknown(storefront) }
            all[storefront] = Money(milliunits: price, currency)
        }
        return all.sorted { $0.key.rawValue < $1.key.rawValue }.map {
            OfferPrice(storefront: $0.key, price: $0.value)
        }
    }

    /// Returns the storefronts of an offer that is free in each of them.
    package func gifts(of product: CatalogProduct) -> [OfferPrice] {
        (storefronts?.map(Storefront.init(rawValue:)) ?? product.storefronts).map { OfferPrice(storefront: $0) }
    }

    private func unknown(_ storefront: Storefront) -> CatalogEditError {
        CatalogEditError(
            .relationshipInvalid, at: .attribute("prices"), "'\(storefront.rawValue)' is no storefront of this store.")
    }
}

extension CatalogProduct {
    /// Adds an introductory offer in each storefront that has a price, as App Store Connect has them.
    ///
    /// - Parameters:
    ///   - starts: The first day; `nil` for at once.
    ///   - ends: The day on which it has ended; `nil` for an offer without an end.
    ///   - today: The day by the store's clock.
    /// - Throws: ``CatalogEditError``.
    package mutating func addIntroductoryOffers(
        _ proposal: OfferProposal, from starts: PacificDay?, until ends: PacificDay?, today: PacificDay
    ) throws {
        guard !proposal.prices.isEmpty else {
            _ = try addIntroductoryOffer(proposal, in: nil, from: starts, until: ends, today: today)
            return
        }
        for price in proposal.prices {
            var part = proposal
            part.prices = price.price == nil ? [] : [price]
            _ = try addIntroductoryOffer(part, in: price.storefront, from: starts, until: ends, today: today)
        }
    }
}
