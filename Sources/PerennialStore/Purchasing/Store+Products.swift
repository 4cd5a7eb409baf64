import Perennial
import PerennialStorage

/// A product as a customer sees it in a storefront.
package struct ProductOffer: Sendable {
    package var product: Product
    package var storefront: Storefront
    package var price: Money
    package var localization: Product.Localization?
    package var isEligibleForIntroductoryOffer: Bool
    /// Those that the customer may have now, best first.
    package var winBackOffers: [Offer]
}

extension Store {
    /// StoreKit's products request: at most this many IDs at once, a limit of ours.
    package static let maximumProductIDs = 1000

    /// Titles, descriptions and prices of the products that are for sale to a customer, in the order asked for, and the IDs
    /// of those that are not: unknown, not cleared for sale, in production not approved.
    package func products(
        _ ids: [Product.ID], language: String?, for customer: Customer
    ) async throws -> (products: [ProductOffer], invalid: [Product.ID]) {
        guard ids.count <= Self.maximumProductIDs else {
            throw StoreError(.tooManyProducts, "productIds", "at most \(Self.maximumProductIDs) IDs in a request")
        }
        return try await database.read { [self] connection in
            let entry = try app(customer.bundleID, on: connection)
            let account = try AccountsTable.account(customer.key.account, environment.id, on: connection)
            let storefront = account?.storefront ?? entry.app.defaultStorefront
            let now = try clock.now(on: connection)
            let subscriptions = try SubscriptionsTable.all(of: customer.key, on: connection)
            var products: [ProductOffer] = []
            var invalid: [Product.ID] = []
            for id in ids {
                if let product = entry.products[id], environment.sells(product),
                    product.type != .free || entry.app.isNewsstand, let price = product.price(in: storefront)
                {
                    let localization = product.localization(for: language, default: entry.app.defaultLocale)
                    let known = GroupSubscriptions(subscriptions, group: product.subscription?.groupID)
                    products.append(
                        ProductOffer(
                            product: product, storefront: storefront, price: price, localization: localization,
                            isEligibleForIntroductoryOffer: OfferEligibility.introductory(known),
                            winBackOffers: OfferEligibility.winBack(
                                product, known.own, at: now,
                                entry.billing.timing(environment.kind, tester: account?.renewalRate))))
                } else {
                    invalid.append(id)
                }
            }
            return (products, invalid)
        }
    }
}
