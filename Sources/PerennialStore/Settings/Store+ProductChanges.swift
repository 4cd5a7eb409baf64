import Perennial
import PerennialStorage

/// A new price for a product.
package struct PriceChange: Hashable, Sendable {
    package var productID: Product.ID
    /// Of one period, in the currency of the storefront; of the base price's, where none is named.
    package var milliunits: Int64
    /// `nil`: wherever the price is in the base price's currency, or none of its own is said.
    package var storefront: Storefront?
    /// Whether subscribers must agree to an increase; `nil` to go by ``PriceIncreaseRule``.
    package var needsConsent: Bool?
    /// Whether subscribers keep the price they have.
    package var preservesSubscribers: Bool

    package init(
        _ productID: Product.ID, milliunits: Int64, storefront: Storefront? = nil, needsConsent: Bool? = nil,
        preservesSubscribers: Bool = false
    ) {
        self.productID = productID
        self.milliunits = milliunits
        self.storefront = storefront
        self.needsConsent = needsConsent
        self.preservesSubscribers = preservesSubscribers
    }
}

extension Store {
    /// A limit of ours, in milliunits: no price has more than this.
    package static let maximumPrice: Int64 = 1_000_000_000_000

    /// Changes a product's price in this environment. New customers pay it from now on; subscribers from their next
    /// renewal, once they agreed where they must. It holds until the catalog names another price than it does now.
    ///
    /// - Returns: The product as it is sold now.
    /// - Throws: ``StoreError`` `.appNotFound`, `.malformed`, `.storefrontUnknown`; `PurchaseRefusal`
    ///   `.productNotAvailable`.
    package func changePrice(_ change: PriceChange, bundleID: App.BundleID) async throws -> Product {
        guard (0...Self.maximumPrice).contains(change.milliunits) else {
            throw StoreError(.malformed, "price", "a price is 0 or more, in thousandths of the currency's unit")
        }
        if let storefront = change.storefront, storefront.currency == nil {
            throw StoreError(.storefrontUnknown, storefront.rawValue, "a storefront is a three-letter code such as USA")
        }
        let product = try await database.write { [self] connection in
            try self.change(change.productID, bundleID, on: connection) { settings, override, product in
                let currency = change.storefront?.currency ?? product.basePrice.currency
                override.setPrice(Money(milliunits: change.milliunits, currency), in: change.storefront, of: product)
                guard product.type == .autoRenewable, !change.preservesSubscribers else { return }
                settings.following.removeAll { $0.productID == product.id }
                settings.following.append(.init(productID: product.id, needsConsent: change.needsConsent))
            }
        }
        try await workOffPriceChanges()
        return product
    }

    /// Takes a product off sale in this environment, or puts it back. Its subscriptions end with the period they have
    /// (expiration intent 4), unless it is back by then.
    ///
    /// - Returns: The product as it is sold now.
    /// - Throws: ``StoreError`` `.appNotFound`; `PurchaseRefusal` `.productNotAvailable`.
    package func setClearedForSale(
        _ isCleared: Bool, _ productID: Product.ID, bundleID: App.BundleID
    ) async throws -> Product {
        try await database.write { [self] connection in
            try change(productID, bundleID, on: connection) { _, override, product in
                override.setClearedForSale(isCleared, of: product)
            }
        }
    }

    /// - Parameter body: Changes what the environment says; its last argument is the product as the catalog has it.
    private func change(
        _ productID: Product.ID, _ bundleID: App.BundleID, on connection: any Connection,
        _ body: (inout EnvironmentSettings, inout ProductChange, Product) -> Void
    ) throws -> Product {
        guard let entry = try catalog.cache.entry(bundleID, on: connection) else {
            throw StoreError(.appNotFound, bundleID.rawValue, "this store has no app with that bundle ID")
        }
        guard let product = entry.products[productID] else {
            throw PurchaseRefusal(.productNotAvailable, productID, "this app has no product with that ID")
        }
        return try changeSettings(app: entry.app.appleID, on: connection) { settings in
            var override = settings.products[productID.rawValue] ?? ProductChange()
            body(&settings, &override, product)
            settings.products[productID.rawValue] = override
            return override.applied(to: product)
        }
    }
}
