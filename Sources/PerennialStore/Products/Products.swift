import Perennial
import PerennialStorage

/// A product as a customer sees it in a storefront.
package struct ProductOffer: Sendable {
    package var product: Product
    package var storefront: Storefront
    package var price: Money
    package var localization: Product.Localization?
    /// The name of the subscription group in the customer's language.
    package var groupName: String?
    /// The introductory offer of the storefront now, for any customer.
    package var introductoryOffer: Offer?
    package var isEligibleForIntroductoryOffer: Bool
    /// The promotional offers of the storefront now.
    package var promotionalOffers: [Offer]
    /// The win-back offers of the storefront now, best first, for any customer: who is eligible is in the renewal information.
    package var winBackOffers: [Offer]
}

/// The products of the catalog in this environment: what customers see, and changes of price and availability.
package struct Products: StoreChapter {
    let context: StoreContext
    let subscriptions: Subscriptions

    /// A limit of this store on the IDs in one request for products.
    package static let maximumProductIDs = 1000

    /// Returns the products that are for sale to a customer in the order of the request, and the IDs of the others:
    /// unknown, not cleared for sale, or in production not approved.
    package func list(
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
            var groups = GroupNames(app: entry.app, language: language)
            var products: [ProductOffer] = []
            var invalid: [Product.ID] = []
            for id in ids {
                if let product = entry.product(id, at: now), environment.sells(product, in: storefront),
                    product.type != .free || entry.app.isNewsstand, let price = product.price(in: storefront)
                {
                    let localization = product.localization(for: language, default: entry.app.defaultLocale)
                    let known = GroupSubscriptions(subscriptions, group: product.subscription?.groupID)
                    products.append(
                        ProductOffer(
                            product: product, storefront: storefront, price: price, localization: localization,
                            groupName: try product.subscription.flatMap {
                                try groups.name(of: $0.groupID, on: connection)
                            },
                            introductoryOffer: product.subscription?.introductoryOffer(in: storefront, at: now),
                            isEligibleForIntroductoryOffer: OfferEligibility.introductory(known),
                            promotionalOffers: (product.subscription?.promotionalOffers ?? []).filter {
                                $0.isAvailable(in: storefront, at: now)
                            },
                            winBackOffers: (product.subscription?.winBackOffers ?? []).filter {
                                $0.id != nil && $0.isAvailable(in: storefront, at: now)
                            }))
                } else {
                    invalid.append(id)
                }
            }
            return (products, invalid)
        }
    }
}
